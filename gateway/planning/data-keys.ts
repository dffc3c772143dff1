import { type FieldNode, Kind, type ObjectFieldNode, type ValueNode, print } from 'graphql';
import { type AnnotatedNode, passedDirectives } from '../operation/directives.ts';
import type { DataKeys } from './operation-plan.ts';

/**
 * The data key of a field: where the tree of the answers has its value. Not for the root fields of a mutation (see `DataKeys`).
 *
 * @param objectType name of the object type that has the field
 * @param isBeneathAbstract whether the declared type of the place, or of one around it, is an interface or a union
 */
export function dataKeyOf(keys: DataKeys, field: FieldNode, objectType: string, isBeneathAbstract: boolean): string {
  const printed = printFieldKey(field);
  // A field may have the name of something that every object inherits, as `constructor`.
  const base = (Object.hasOwn(keys.withArguments, printed) ? keys.withArguments[printed] : undefined) ?? field.name.value;
  return isBeneathAbstract ? base + (keys.beneathAbstract[`${objectType}.${field.name.value}`] ?? '') : base;
}

/**
 * What tells questions apart that are asked of one object: the field with its arguments in the order of their names, the directives that the subgraph executes,
 * and, where there is something inside, the response key. What is asked twice of an object is asked apart, because a failure inside of one answer can take all of it away
 * (GraphQL specification, 6.4.4) and must leave the other alone.
 */
export function printFieldKey(field: FieldNode): string {
  const { name, alias, arguments: given, selectionSet } = field;
  const asked = name.value + (printArguments(given) ?? '') + (printDirectives(field) ?? '');
  return selectionSet === undefined || alias === undefined || alias.value === name.value ? asked : `${alias.value}:${asked}`;
}

/**
 * Arguments from parenthesis to parenthesis in the order of their names; undefined where there are none.
 *
 * @param more further ones, printed
 */
export function printArguments(given: FieldNode['arguments'], more: readonly string[] = []): string | undefined {
  const printed = [...(given ?? []).map(({ name, value }) => `${name.value}:${print(sorted(value))}`), ...more].sort();
  return printed.length === 0 ? undefined : `(${printed.join(',')})`;
}

/** The directives of a node that subgraphs execute, in the order of the document; undefined where there are none. */
export function printDirectives(node: AnnotatedNode): string | undefined {
  const passed = passedDirectives(node);
  return passed.length === 0
    ? undefined
    : passed.map(({ name, arguments: given }) => `@${name.value}${printArguments(given) ?? ''}`).join('');
}

/** The fields of an input object have no order (GraphQL specification, 3.10). */
function sorted(value: ValueNode): ValueNode {
  if (value.kind === Kind.LIST) return { ...value, values: value.values.map(sorted) };
  if (value.kind !== Kind.OBJECT) return value;
  const fields = value.fields.map((field): ObjectFieldNode => ({ ...field, value: sorted(field.value) }));
  return { ...value, fields: fields.sort((one, other) => (one.name.value < other.name.value ? -1 : 1)) };
}
