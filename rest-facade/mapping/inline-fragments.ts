import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionNode, type SelectionSetNode } from 'graphql';

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
