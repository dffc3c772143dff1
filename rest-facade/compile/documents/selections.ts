import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The smallest selection, for an object without shown fields. */
const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** Returns a copy of the selection in which the selection at `path` is changed. */
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

/** Adds `__typename` to an empty selection, because an object needs at least one field. */
export function orTypename(selectionSet: SelectionSetNode): SelectionSetNode {
  return selectionSet.selections.length === 0 ? { ...selectionSet, selections: [TYPENAME] } : selectionSet;
}

export function responseName({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * Inlines each fragment where it is spread, so that later steps see one tree. The documents are valid: fragments exist and do not spread
 * themselves.
 */
export function inlineFragments(operation: OperationDefinitionNode, fragments: Fragments): OperationDefinitionNode {
  return { ...operation, selectionSet: inlineSelections(operation.selectionSet, fragments) };
}

function inlineSelections(selectionSet: SelectionSetNode, fragments: Fragments): SelectionSetNode {
  return { ...selectionSet, selections: selectionSet.selections.flatMap((selection) => inlineSelection(selection, fragments)) };
}

function inlineSelection(selection: SelectionNode, fragments: Fragments): readonly SelectionNode[] {
  if (selection.kind !== Kind.FRAGMENT_SPREAD) {
    return selection.selectionSet === undefined
      ? [selection]
      : [{ ...selection, selectionSet: inlineSelections(selection.selectionSet, fragments) }];
  }
  const fragment = fragments.get(selection.name.value);
  if (fragment === undefined) return [];
  return [
    {
      kind: Kind.INLINE_FRAGMENT,
      typeCondition: fragment.typeCondition,
      // Links belong to the object, so they are retained wherever the fragment is spread.
      directives: [...(selection.directives ?? []), ...(fragment.directives ?? []).filter(({ name }) => name.value === 'link')],
      selectionSet: inlineSelections(fragment.selectionSet, fragments),
      ...(selection.loc === undefined ? {} : { loc: selection.loc }),
    },
  ];
}

/** A field on the path from the root to the result. */
export interface ResultStep {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parent: GraphQLObjectType;
}
