import { Kind, type OperationDefinitionNode, type SelectionNode, type SelectionSetNode, visit } from 'graphql';
import { isHiddenName } from '../links/link.ts';
import type { RestRoute } from '../rest-route.ts';
import { pathToItems } from '../result/collection.ts';
import type { FieldMask } from '../result/field-mask.ts';
import type { ResultMapping } from '../result/result-mapping.ts';
import { validatorNames } from '../result/validators.ts';
import { REST_DIRECTIVE_NAMES, useOf } from './directives.ts';
import { changeSelection, orTypename, responseName } from './selections.ts';

/**
 * Reduces the operation of a route to the fields in `mask` and the fields that the response headers need. The operation is pruned before
 * planning, so a subgraph without remaining fields gets no request.
 */
export function pruneOperation(
  { operation, result, location }: RestRoute,
  mask: FieldMask | undefined,
  isUncounted = false,
): OperationDefinitionNode {
  const needed = new Set([...(location ?? []).filter((_, index) => index % 2 === 1), ...validatorNames(result.validators)]);
  const path = result.collection === undefined ? result.path : [...result.path, ...pathToItems(result.collection)];
  const { selectionSet } = operation;
  const narrowed =
    mask === undefined ? selectionSet : changeSelection(selectionSet, path, (shown) => orTypename(pruneSelections(shown, mask, needed)));
  const pruned = { ...operation, selectionSet: isUncounted ? withoutTotal(narrowed, result.path) : narrowed };
  return withUsedVariables(pruned);
}

/** Removes unused variables, because an operation that declares an unused variable is invalid. */
function withUsedVariables(operation: OperationDefinitionNode): OperationDefinitionNode {
  const used = usedVariables(operation);
  return {
    ...operation,
    variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value)),
  };
}

/** Removes the total. Counting can be more expensive than the rest of the operation. */
function withoutTotal(selectionSet: SelectionSetNode, path: readonly string[]): SelectionSetNode {
  const isTotal = (selection: SelectionNode): boolean => selection.kind === Kind.FIELD && responseName(selection) === 'totalCount';
  return changeSelection(selectionSet, path, (page) => ({
    ...page,
    selections: page.selections.filter((selection) => !isTotal(selection)),
  }));
}

function pruneSelections(selectionSet: SelectionSetNode, mask: FieldMask, needed: ReadonlySet<string>): SelectionSetNode {
  return { ...selectionSet, selections: selectionSet.selections.flatMap((selection) => pruneSelection(selection, mask, needed)) };
}

function pruneSelection(selection: SelectionNode, mask: FieldMask, needed: ReadonlySet<string>): readonly SelectionNode[] {
  if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection];
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const inner = pruneSelections(selection.selectionSet, mask, needed);
    return inner.selections.length === 0 ? [] : [{ ...selection, selectionSet: inner }];
  }
  const name = responseName(selection);
  const part = mask.get(name);
  if (part === undefined) return needed.has(name) || isHiddenName(name) ? [selection] : [];
  if (part === 'whole' || selection.selectionSet === undefined) return [selection];
  return [{ ...selection, selectionSet: orTypename(pruneSelections(selection.selectionSet, part, new Set())) }];
}

function usedVariables({ selectionSet, directives }: OperationDefinitionNode): ReadonlySet<string> {
  const used = new Set<string>();
  const collect = { Variable: ({ name }: { readonly name: { readonly value: string } }) => void used.add(name.value) };
  visit(selectionSet, collect);
  for (const directive of directives ?? []) visit(directive, collect);
  return used;
}

/** Removes hidden fields from items. Hidden fields serve the headers of a resource, and items have no headers. */
export function withoutInternal(
  operation: OperationDefinitionNode,
  { path, collection }: Pick<ResultMapping, 'path' | 'collection'>,
): OperationDefinitionNode {
  if (collection === undefined) return operation;
  const selectionSet = changeSelection(operation.selectionSet, [...path, ...pathToItems(collection)], (items) =>
    orTypename(dropHidden(items)),
  );
  return withUsedVariables({ ...operation, selectionSet });
}

function dropHidden(selectionSet: SelectionSetNode): SelectionSetNode {
  const selections = selectionSet.selections.flatMap((selection): readonly SelectionNode[] => {
    if (selection.kind === Kind.FIELD && useOf(selection, 'internal') !== undefined) return [];
    if (selection.kind === Kind.FRAGMENT_SPREAD || selection.selectionSet === undefined) return [selection];
    const inner = dropHidden(selection.selectionSet);
    if (selection.kind === Kind.INLINE_FRAGMENT) return inner.selections.length === 0 ? [] : [{ ...selection, selectionSet: inner }];
    return [{ ...selection, selectionSet: orTypename(inner) }];
  });
  return { ...selectionSet, selections };
}

/** Removes the fields with `@optIn`, for clients that do not request them. */
export function withoutOptIn(operation: OperationDefinitionNode): OperationDefinitionNode {
  const without: OperationDefinitionNode = visit(operation, {
    [Kind.FIELD]: (node) => (useOf(node, 'optIn') === undefined ? undefined : null),
    [Kind.INLINE_FRAGMENT]: { leave: (node) => (node.selectionSet.selections.length === 0 ? null : undefined) },
  });
  return withUsedVariables(without);
}

/** Removes the REST directives and the description, so that the graph accepts the operation. */
export function stripDirectives(operation: OperationDefinitionNode): OperationDefinitionNode {
  const stripped: OperationDefinitionNode = visit(operation, {
    Directive: (node) => (REST_DIRECTIVE_NAMES.has(node.name.value) ? null : undefined),
  });
  const { description: _description, ...rest } = stripped;
  return rest;
}
