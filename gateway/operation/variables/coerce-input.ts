import {
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
} from 'graphql';
import { ownKeys } from './unsafe-variables.ts';

/** Maximum number of list items or object keys to print. */
const MAX_ITEMS = 10;
/** Maximum number of nesting levels to print. */
const MAX_LEVELS = 2;
/** Maximum length of a string to print. @unit UTF-16 code units */
const MAX_STRING = 400;

/**
 * Prints a client's value for a message like graphql-js does, but only the beginning of large values. The keys of an object are listed
 * once.
 */
function inspectBounded(value: unknown, levels = 0): string {
  if (typeof value === 'string') return JSON.stringify(value.length > MAX_STRING ? `${value.slice(0, MAX_STRING)}…` : value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (levels > MAX_LEVELS) return '[Array]';
    const items = value.slice(0, MAX_ITEMS).map((item: unknown) => inspectBounded(item, levels + 1));
    const rest = value.length - items.length;
    if (rest > 0) items.push(rest === 1 ? '... 1 more item' : `... ${rest} more items`);
    return `[${items.join(', ')}]`;
  }
  const { entries, isWhole } = firstEntries(value);
  if (entries.length === 0) return '{}';
  if (levels > MAX_LEVELS) return '[Object]';
  const printed = entries.map(([key, item]) => `${key}: ${inspectBounded(item, levels + 1)}`);
  if (!isWhole) printed.push('...');
  return `{ ${printed.join(', ')} }`;
}

/** Returns the beginning of a list or an object, and any other value unchanged. */
function toBoundedValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : Object.fromEntries(firstEntries(value).entries);
}

function firstEntries(value: object): { readonly entries: readonly (readonly [string, unknown])[]; readonly isWhole: boolean } {
  const keys = ownKeys(value);
  const entries = keys.slice(0, MAX_ITEMS).map((key) => [key, (value as Readonly<Record<string, unknown>>)[key]] as const);
  return { entries, isWhole: entries.length === keys.length };
}

/** Path of a value within a variable, starting with the innermost key. */
interface InputPath {
  readonly outer: InputPath | undefined;
  readonly key: string | number;
}

/** Receives one error. Throws to stop coercion. */
export type ReportInputError = (message: string) => void;

/**
 * Coerces the value of a variable (GraphQL, section 3.10 and 6.1.2) with the messages of graphql-js, except for suggestions.
 *
 * The function of graphql-js prints the whole value for every error, and reads fields such as `constructor` from the prototype. Here, the
 * work before the first error is linear in the value, each further error costs a constant, and only own keys count.
 */
export function coerceInput(variable: string, value: unknown, type: GraphQLInputType, report: ReportInputError): unknown {
  /**
   * The last object that was printed. Each unknown key of an object is an error, and listing the keys again for each error would be
   * quadratic.
   */
  let printed: { readonly object: object; readonly text: string } | undefined;

  function inspect(wrong: unknown): string {
    if (typeof wrong !== 'object' || wrong === null) return inspectBounded(wrong);
    if (printed?.object !== wrong) printed = { object: wrong, text: inspectBounded(wrong) };
    return printed.text;
  }

  const fail = (inputPath: InputPath | undefined, wrong: unknown, message: string): void => {
    const path = inputPath === undefined ? '' : ` at "${variable}${printPosition(inputPath)}"`;
    report(`Variable "$${variable}" got invalid value ${inspect(wrong)}${path}; ${message}`);
  };

  function coerce(given: unknown, expected: GraphQLInputType, inputPath: InputPath | undefined): unknown {
    if (isNonNullType(expected)) {
      if (given !== null && given !== undefined) return coerce(given, expected.ofType, inputPath);
      return fail(inputPath, given, `Expected non-nullable type "${String(expected)}" not to be null.`);
    }
    if (given === null || given === undefined) return null;
    if (isListType(expected)) {
      if (!Array.isArray(given)) return [coerce(given, expected.ofType, inputPath)];
      return given.map((item: unknown, key) => coerce(item, expected.ofType, { outer: inputPath, key }));
    }
    return isInputObjectType(expected) ? coerceObject(given, expected, inputPath) : coerceLeaf(given, expected, inputPath);
  }

  function coerceObject(given: unknown, type: GraphQLInputObjectType, inputPath: InputPath | undefined): unknown {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      return fail(inputPath, given, `Expected type "${type.name}" to be an object.`);
    }
    const values = given as Readonly<Record<string, unknown>>;
    const fields = type.getFields();
    const coerced = Object.create(null) as Record<string, unknown>;
    for (const { name, type: fieldType, defaultValue } of Object.values(fields)) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value !== undefined) coerced[name] = coerce(value, fieldType, { outer: inputPath, key: name });
      else if (defaultValue !== undefined) coerced[name] = defaultValue;
      else if (isNonNullType(fieldType))
        fail(inputPath, given, `Field "${name}" of required type "${String(fieldType)}" was not provided.`);
    }
    for (const name of ownKeys(values)) {
      if (!Object.hasOwn(fields, name)) fail(inputPath, given, `Field "${name}" is not defined by type "${type.name}".`);
    }
    if (type.isOneOf) checkOneOf(given, { type, coerced, inputPath });
    return coerced;
  }

  function checkOneOf(given: unknown, { type, coerced, inputPath }: CoercedOneOf): void {
    const [first, ...others] = Object.keys(coerced);
    if (first === undefined || others.length > 0)
      fail(inputPath, given, `Exactly one key must be specified for OneOf type "${type.name}".`);
    else if (coerced[first] === null) fail({ outer: inputPath, key: first }, null, `Field "${first}" must be non-null.`);
  }

  function coerceLeaf(given: unknown, type: GraphQLLeafType, inputPath: InputPath | undefined): unknown {
    // Built-in types reject objects and print them in full.
    const isBuiltIn = isEnumType(type) || isSpecifiedScalarType(type);
    try {
      const parsed: unknown = isEnumType(type)
        ? type.parseValue(toBoundedValue(given), true)
        : type.parseValue(isBuiltIn ? toBoundedValue(given) : given);
      return parsed === undefined ? fail(inputPath, given, `Expected type "${type.name}".`) : parsed;
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      return fail(inputPath, given, error instanceof GraphQLError ? message : `Expected type "${type.name}". ${message}`);
    }
  }

  return coerce(value, type, undefined);
}

interface CoercedOneOf {
  readonly type: GraphQLInputObjectType;
  readonly coerced: Readonly<Record<string, unknown>>;
  readonly inputPath: InputPath | undefined;
}

function printPosition({ outer, key }: InputPath): string {
  const before = outer === undefined ? '' : printPosition(outer);
  return before + (typeof key === 'number' ? `[${key}]` : `.${key}`);
}
