import { type FieldNode, Kind, type ObjectFieldNode, type ValueNode, print } from 'graphql';
import type { DataKeys } from './operation-plan.ts';

/**
 * The data key of a field: where the tree of the answers has its value. Not for the root fields of a mutation (see `DataKeys`).
 *
 * @param objectType name of the object type that has the field
 * @param isBeneathAbstract whether the declared type of the place, or of one around it, is an interface or a union
 */
export function dataKeyOf(keys: DataKeys, field: FieldNode, objectType: string, isBeneathAbstract: boolean): string {
  const base = keys.withArguments[printFieldKey(field)] ?? field.name.value;
  return isBeneathAbstract ? base + (keys.beneathAbstract[`${objectType}.${field.name.value}`] ?? '') : base;
}

/** A field with its arguments, printed so that equal ones are equal texts: in the order of their names. */
export function printFieldKey({ name, arguments: given }: FieldNode): string {
  return name.value + (printArguments(given) ?? '');
}

/** Arguments from parenthesis to parenthesis in the order of their names; undefined where there are none. */
export function printArguments(given: FieldNode['arguments']): string | undefined {
  if (given === undefined || given.length === 0) return undefined;
  const printed = given.map(({ name, value }) => `${name.value}:${print(sorted(value))}`).sort();
  return `(${printed.join(',')})`;
}

/** The fields of an input object have no order (GraphQL specification, 3.10). */
function sorted(value: ValueNode): ValueNode {
  if (value.kind === Kind.LIST) return { ...value, values: value.values.map(sorted) };
  if (value.kind !== Kind.OBJECT) return value;
  const fields = value.fields.map((field): ObjectFieldNode => ({ ...field, value: sorted(field.value) }));
  return { ...value, fields: fields.sort((one, other) => (one.name.value < other.name.value ? -1 : 1)) };
}
