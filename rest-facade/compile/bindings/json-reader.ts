import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { MAX_INTEGER_ID } from '../integer-id.ts';
import { MAX_INT, MIN_INT } from './text-reader.ts';

/**
 * Reports an error for the value at `field` (dotted, as the client sent it). The error is the end of a sentence that starts with the field.
 */
export type ReportIssue = (field: string, issue: string) => void;

/** Checks a JSON value against a GraphQL type and returns the value of the variable. Reports every error, not only the first one. */
export type JsonReader = (value: unknown, field: string, report: ReportIssue) => unknown;

export interface JsonReaderOptions {
  /** Body fields of type ID that are JSON integers. */
  readonly integers: ReadonlySet<string>;
  /** Client-facing names of body fields that differ from the graph. */
  readonly names: ReadonlyMap<string, string>;
  /** Full replacement (PUT): an absent nullable field without a default becomes null. */
  readonly isReplacement: boolean;
}

/** Cache of compiled types, so that a recursive type is compiled once. */
type Compiled = Map<GraphQLInputObjectType, JsonReader>;

/** Compiles the strict reader of a body. Its errors name JSON types and body fields, never types of the graph. */
export function compileJsonReader(type: GraphQLInputObjectType, options: JsonReaderOptions): JsonReader {
  return compileObject(type, options, new Map());
}

function compileType(type: GraphQLInputType, options: JsonReaderOptions, compiled: Compiled): JsonReader {
  if (isNonNullType(type)) {
    const inner = compileType(type.ofType, options, compiled);
    return (value, field, report) => (value === null ? report(field, 'must not be null') : inner(value, field, report));
  }
  const read = compileNullable(type, options, compiled);
  return (value, field, report) => (value === null ? null : read(value, field, report));
}

function compileNullable(
  type: Exclude<GraphQLInputType, { readonly ofType: never }>,
  options: JsonReaderOptions,
  compiled: Compiled,
): JsonReader {
  if (isInputObjectType(type)) return compiled.get(type) ?? compileObject(type, options, compiled);
  if (isListType(type)) {
    const item = compileType(type.ofType, options, compiled);
    return (value, field, report) =>
      Array.isArray(value) ? value.map((element, index) => item(element, `${field}.${index}`, report)) : report(field, 'must be an array');
  }
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    return leaf((value) => typeof value === 'string' && names.includes(value), `must be one of ${names.join(', ')}`);
  }
  if (isNonNullType(type)) return compileType(type, options, compiled);
  return compileScalar(type);
}

function compileObject(type: GraphQLInputObjectType, options: JsonReaderOptions, compiled: Compiled): JsonReader {
  const readers = new Map<string, JsonReader>();
  const inputs = Object.values(type.getFields());
  const isTop = compiled.size === 0;
  const nameOf = ({ name }: GraphQLInputField): string => (isTop ? options.names.get(name) : undefined) ?? name;
  const known = inputs.map(nameOf).join(', ');
  const read: JsonReader = (value, field, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return report(field, 'must be an object');
    const prefix = field === '' ? '' : `${field}.`;
    const sent = new Map<string, unknown>(Object.entries(value));
    for (const name of sent.keys()) {
      if (!readers.has(name)) report(prefix + name, `is not a known field; the allowed fields are ${known}`);
    }
    const read: Record<string, unknown> = {};
    for (const input of inputs) {
      const name = nameOf(input);
      const given = sent.get(name);
      if (given !== undefined) read[input.name] = readers.get(name)?.(given, prefix + name, report);
      else if (isRequired(input)) report(prefix + name, 'is required');
      else if (options.isReplacement && !type.isOneOf && !isNonNullType(input.type) && input.defaultValue === undefined)
        read[input.name] = null;
    }
    if (type.isOneOf && (sent.size !== 1 || [...sent.values()][0] === null)) report(field, `must have exactly one of ${known}`);
    return read;
  };
  compiled.set(type, read);
  for (const input of inputs) {
    const integer = isTop && options.integers.has(input.name);
    readers.set(nameOf(input), integer ? compileIntegerId(input) : compileType(input.type, options, compiled));
  }
  return read;
}

function isRequired({ type, defaultValue }: GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

function compileIntegerId({ type }: GraphQLInputField): JsonReader {
  const issue = 'must be an integer, 0 or greater';
  const isId = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INTEGER_ID;
  return (value, field, report) => {
    if (value === null) return isNonNullType(type) ? report(field, 'must not be null') : null;
    return isId(value) ? String(value) : report(field, issue);
  };
}

function compileScalar(type: GraphQLScalarType): JsonReader {
  switch (type.name) {
    case 'Int':
      return leaf(
        (value) => typeof value === 'number' && Number.isInteger(value) && value >= MIN_INT && value <= MAX_INT,
        `must be an integer from ${MIN_INT} to ${MAX_INT}`,
      );
    case 'Float':
      return leaf((value) => typeof value === 'number' && Number.isFinite(value), 'must be a number');
    case 'Boolean':
      return leaf((value) => typeof value === 'boolean', 'must be true or false');
    case 'String':
      return leaf((value) => typeof value === 'string', 'must be a string');
    case 'ID':
      return leaf((value) => typeof value === 'string' || Number.isSafeInteger(value), 'must be a string or an integer');
    default:
      return leaf((value) => isAccepted(type, value), 'is not valid');
  }
}

function isAccepted(type: GraphQLScalarType, value: unknown): boolean {
  try {
    type.parseValue(value);
    return true;
  } catch {
    return false;
  }
}

function leaf(accepts: (value: unknown) => boolean, issue: string): JsonReader {
  return (value, field, report) => (accepts(value) ? value : report(field, issue));
}
