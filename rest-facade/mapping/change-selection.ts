import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';

/** The least a selection can be, for an object of which nothing is shown. */
const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** A selection with another one in the place that plain fields lead to. */
export function changeSelection(
  selectionSet: SelectionSetNode,
  path: readonly string[],
  change: (inner: SelectionSetNode) => SelectionSetNode,
): SelectionSetNode {
  const [name, ...rest] = path;
  if (name === undefined) return change(selectionSet);
  const selections = selectionSet.selections.map((selection) =>
    selection.kind === Kind.FIELD && responseName(selection) === name && selection.selectionSet !== undefined
      ? { ...selection, selectionSet: changeSelection(selection.selectionSet, rest, change) }
      : selection,
  );
  return { ...selectionSet, selections };
}

/** An object must be asked for something. */
export function orTypename(selectionSet: SelectionSetNode): SelectionSetNode {
  return selectionSet.selections.length === 0 ? { ...selectionSet, selections: [TYPENAME] } : selectionSet;
}

export function responseName({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}
