import { type FieldNode, Kind, type ObjectFieldNode, type ValueNode, print } from 'graphql';
import { type AnnotatedNode, passedDirectives } from '../operation/executable-directives.ts';
import type { DataKeys } from './operation-plan.ts';

/**
 * Returns the data key of a field: the location of its value in the data tree. Not for the root fields of a mutation (see `DataKeys`).
 *
 * @param objectType name of the object type that has the field
 * @param isBeneathAbstract whether the declared type of the position, or of an enclosing one, is an interface or a union
 */
export function dataKeyOf(keys: DataKeys, field: FieldNode, objectType: string, isBeneathAbstract: boolean): string {
  const printed = printFieldKey(field);
  // A field may have the name of an inherited property, such as `constructor`.
  const base = (Object.hasOwn(keys.withArguments, printed) ? keys.withArguments[printed] : undefined) ?? field.name.value;
  return isBeneathAbstract ? base + (keys.beneathAbstract[`${objectType}.${field.name.value}`] ?? '') : base;
}

/**
 * Prints the identity of a field of one object. It consists of the name, the arguments in the order of their names, the directives that the
 * subgraph executes, and the response key if the field has selections. Selections with different response keys stay separate: a failure
 * inside one of them can set all of it to null (GraphQL specification, 6.4.4), which must not affect the other.
 */
export function printFieldKey(field: FieldNode): string {
  const { name, alias, arguments: given, selectionSet } = field;
  const requested = name.value + (printArguments(given) ?? '') + (printDirectives(field) ?? '');
  return selectionSet === undefined || alias === undefined || alias.value === name.value ? requested : `${alias.value}:${requested}`;
}

/**
 * Prints arguments with parentheses, in the order of their names. Returns undefined without arguments.
 *
 * @param more additional printed arguments
 */
export function printArguments(given: FieldNode['arguments'], more: readonly string[] = []): string | undefined {
  const printed = [...(given ?? []).map(({ name, value }) => `${name.value}:${print(sorted(value))}`), ...more].sort();
  return printed.length === 0 ? undefined : `(${printed.join(',')})`;
}

/** Prints the directives of a node that subgraphs execute, in the order of the document. Returns undefined without such directives. */
export function printDirectives(node: AnnotatedNode): string | undefined {
  const passed = passedDirectives(node);
  return passed.length === 0
    ? undefined
    : passed.map(({ name, arguments: given }) => `@${name.value}${printArguments(given) ?? ''}`).join('');
}

/** Sorts the fields of an input object, which are unordered (GraphQL specification, 3.10). */
function sorted(value: ValueNode): ValueNode {
  if (value.kind === Kind.LIST) return { ...value, values: value.values.map(sorted) };
  if (value.kind !== Kind.OBJECT) return value;
  const fields = value.fields.map((field): ObjectFieldNode => ({ ...field, value: sorted(field.value) }));
  return { ...value, fields: fields.sort((one, other) => (one.name.value < other.name.value ? -1 : 1)) };
}
