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

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * Puts the content of each fragment where it is spread, so that what follows sees one tree. The documents have passed
 * validation: fragments exist and do not spread themselves.
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
      // Where an object leads is a matter of the object, wherever it is shown.
      directives: [...(selection.directives ?? []), ...(fragment.directives ?? []).filter(({ name }) => name.value === 'link')],
      selectionSet: inlineSelections(fragment.selectionSet, fragments),
      ...(selection.loc === undefined ? {} : { loc: selection.loc }),
    },
  ];
}

/** A field on the way from the root to the result. */
export interface ResultStep {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parent: GraphQLObjectType;
}
