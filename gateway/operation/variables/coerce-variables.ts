import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  print,
  typeFromAST,
  valueFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { OperationRejected, toRequestError } from '../operation-rejected.ts';
import { coerceInput, type ReportInputError } from './coerce-input.ts';
import { findUnsafeVariable } from './unsafe-variables.ts';

export interface VariableSettings {
  /** Maximum nesting of lists and objects in the value of a variable. @unit levels */
  readonly maxDepth: number;
  /** Maximum number of errors to report before coercion stops. @unit errors */
  readonly maxErrors: number;
}

/**
 * Coerces the variables of a request (GraphQL, section 6.1.2): checks declared variables, applies defaults, and drops undeclared variables.
 *
 * @throws OperationRejected `BAD_USER_INPUT`, with one error per invalid value
 */
export function coerceVariables(
  schema: GraphQLSchema,
  operation: Pick<OperationDefinitionNode, 'variableDefinitions'>,
  raw: Readonly<Record<string, unknown>>,
  { maxDepth, maxErrors }: VariableSettings,
): Readonly<Record<string, unknown>> {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return NONE;
  const plain = coercePlainVariables(schema, definitions, raw);
  if (plain !== undefined) return plain;
  for (const { variable } of definitions) {
    const unsafe = findUnsafeVariable(variable.name.value, raw, maxDepth);
    if (unsafe !== undefined) throw new OperationRejected('BAD_USER_INPUT', [{ message: unsafe }]);
  }
  const messages: string[] = [];
  const report = (message: string): void => {
    messages.push(message);
    if (messages.length >= maxErrors) throw new TooManyErrors();
  };
  const coerced: Record<string, unknown> = {};
  try {
    for (const definition of definitions) coerceOne(schema, definition, { raw, coerced, report });
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  if (messages.length === 0) return coerced;
  // No locations: the invalid value is in the variables, not in the document.
  throw new OperationRejected(
    'BAD_USER_INPUT',
    messages.map((message) => ({ message: toRequestError({ message, locations: undefined }).message })),
  );
}

/** Stops coercion, so that a client that sends thousands of errors receives only the first ones. */
class TooManyErrors extends Error {}

interface Coercion {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly coerced: Record<string, unknown>;
  readonly report: ReportInputError;
}

/** Coerces one variable (GraphQL, section 6.1.2). */
function coerceOne(schema: GraphQLSchema, definition: VariableDefinitionNode, { raw, coerced, report }: Coercion): void {
  const name = definition.variable.name.value;
  const type = typeFromAST(schema, definition.type);
  if (type === undefined || !isInputType(type)) {
    report(`Variable "$${name}" expected value of type "${print(definition.type)}" which cannot be used as an input type.`);
  } else if (!Object.hasOwn(raw, name)) {
    if (definition.defaultValue !== undefined) coerced[name] = valueFromAST(definition.defaultValue, type);
    else if (isNonNullType(type)) report(`Variable "$${name}" of required type "${String(type)}" was not provided.`);
  } else if (raw[name] === null && isNonNullType(type)) {
    report(`Variable "$${name}" of non-null type "${String(type)}" must not be null.`);
  } else coerced[name] = coerceInput(name, raw[name], type, report);
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});

/** A built-in scalar, and a check for the values that coercion leaves unchanged (GraphQL, section 3.5). */
interface PlainScalar {
  readonly type: GraphQLScalarType;
  readonly isPlain: (value: unknown) => boolean;
}

const PLAIN_SCALARS: ReadonlyMap<string, PlainScalar> = new Map(
  [
    { type: GraphQLInt, isPlain: (value: unknown) => typeof value === 'number' && (value | 0) === value },
    { type: GraphQLFloat, isPlain: (value: unknown) => typeof value === 'number' && Number.isFinite(value) },
    { type: GraphQLString, isPlain: (value: unknown) => typeof value === 'string' },
    { type: GraphQLBoolean, isPlain: (value: unknown) => typeof value === 'boolean' },
    { type: GraphQLID, isPlain: (value: unknown) => typeof value === 'string' },
  ].map((scalar) => [scalar.type.name, scalar]),
);

/**
 * Coerces variables of built-in scalars whose values need no change, which is the most common case. Takes one pass over the values: the
 * general path costs 3 to 9 µs, more than all other work for a cached operation.
 *
 * @returns undefined in any other case: an error, an applicable default, a list, an input object or another scalar
 */
export function coercePlainVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const coerced: Record<string, unknown> = {};
  for (const { variable, type, defaultValue } of definitions) {
    const name = variable.name.value;
    const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    if (name === '__proto__' || named.kind !== Kind.NAMED_TYPE) return undefined;
    if (!Object.hasOwn(raw, name)) {
      if (type.kind === Kind.NON_NULL_TYPE || defaultValue !== undefined) return undefined;
      continue;
    }
    const scalar = PLAIN_SCALARS.get(named.name.value);
    const value = raw[name];
    if (scalar === undefined || !scalar.isPlain(value) || schema.getType(named.name.value) !== scalar.type) return undefined;
    coerced[name] = value;
  }
  return coerced;
}
