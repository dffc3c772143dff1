import { type ArgumentNode, type InputValueDefinitionNode, Kind, type TypeNode, type ValueNode, valueFromASTUntyped } from 'graphql';
import type { ValueTypes } from './value-types.ts';

type Values = Readonly<Record<string, unknown>>;

/** Computes the values of arguments from the variables of a request. */
export type CoerceArguments = (variables: Values) => Readonly<Record<string, unknown>>;

/**
 * Compiles the arguments of a field, as a GraphQL server coerces them: defaults of the schema apply at every depth, a single value becomes a
 * list where a list is expected, and an `ID` is a string. The gateway has validated the values before.
 */
export function compileArguments(
  given: readonly ArgumentNode[],
  definitions: readonly InputValueDefinitionNode[],
  types: Pick<ValueTypes, 'inputFieldsOf'>,
): CoerceArguments {
  const nodes = new Map(given.map(({ name, value }) => [name.value, value]));
  return (variables) => {
    const values: Record<string, unknown> = {};
    for (const { name, type, defaultValue } of definitions) {
      const node = nodes.get(name.value);
      const value = node === undefined ? undefined : valueOf(node, variables);
      if (value !== undefined) values[name.value] = coerce(value, type, types);
      else if (defaultValue !== undefined) values[name.value] = coerce(valueFromASTUntyped(defaultValue), type, types);
    }
    return values;
  };
}

/** @returns undefined for a variable without a value */
function valueOf(node: ValueNode, variables: Values): unknown {
  if (node.kind === Kind.VARIABLE) return Object.hasOwn(variables, node.name.value) ? variables[node.name.value] : undefined;
  if (node.kind === Kind.LIST) return node.values.map((item) => valueOf(item, variables) ?? null);
  if (node.kind !== Kind.OBJECT) return valueFromASTUntyped(node);
  const values: Record<string, unknown> = {};
  for (const field of node.fields) {
    const value = valueOf(field.value, variables);
    if (value !== undefined) setOwn(values, field.name.value, value);
  }
  return values;
}

function coerce(value: unknown, type: TypeNode, types: Pick<ValueTypes, 'inputFieldsOf'>): unknown {
  if (value === null) return null;
  if (type.kind === Kind.NON_NULL_TYPE) return coerce(value, type.type, types);
  if (type.kind === Kind.LIST_TYPE) {
    return Array.isArray(value) ? value.map((item) => coerce(item, type.type, types)) : [coerce(value, type.type, types)];
  }
  const fields = types.inputFieldsOf(type.name.value);
  if (fields !== undefined && typeof value === 'object') return coerceObject(value as Values, fields, types);
  return type.name.value === 'ID' && typeof value === 'number' ? String(value) : value;
}

function coerceObject(value: Values, fields: readonly InputValueDefinitionNode[], types: Pick<ValueTypes, 'inputFieldsOf'>): Values {
  const values: Record<string, unknown> = {};
  for (const { name, type, defaultValue } of fields) {
    const given = Object.hasOwn(value, name.value) ? value[name.value] : undefined;
    if (given !== undefined) setOwn(values, name.value, coerce(given, type, types));
    else if (defaultValue !== undefined) setOwn(values, name.value, coerce(valueFromASTUntyped(defaultValue), type, types));
  }
  return values;
}

/** Sets an own property, even if it is named `__proto__`. */
function setOwn(values: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}
