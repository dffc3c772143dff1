import { Kind, type OperationDefinitionNode, type SelectionNode, type SelectionSetNode } from 'graphql';
import { changeSelection, orTypename } from './change-selection.ts';
import { wayToItems } from './collection.ts';
import type { ResultMapping } from './compile-result.ts';
import { useOf } from './directive-values.ts';
import { withUsedVariables } from './prune-operation.ts';

/** What is hidden of a resource is for its headers, and items have none: of them it is not asked for. */
export function withoutHidden(
  operation: OperationDefinitionNode,
  { path, collection }: Pick<ResultMapping, 'path' | 'collection'>,
): OperationDefinitionNode {
  if (collection === undefined) return operation;
  const selectionSet = changeSelection(operation.selectionSet, [...path, ...wayToItems(collection)], (items) =>
    orTypename(dropHidden(items)),
  );
  return withUsedVariables({ ...operation, selectionSet });
}

function dropHidden(selectionSet: SelectionSetNode): SelectionSetNode {
  const selections = selectionSet.selections.flatMap((selection): readonly SelectionNode[] => {
    if (selection.kind === Kind.FIELD && useOf(selection, 'hide') !== undefined) return [];
    if (selection.kind === Kind.FRAGMENT_SPREAD || selection.selectionSet === undefined) return [selection];
    const inner = dropHidden(selection.selectionSet);
    if (selection.kind === Kind.INLINE_FRAGMENT) return inner.selections.length === 0 ? [] : [{ ...selection, selectionSet: inner }];
    return [{ ...selection, selectionSet: orTypename(inner) }];
  });
  return { ...selectionSet, selections };
}
