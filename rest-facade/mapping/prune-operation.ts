import { type FieldNode, Kind, type OperationDefinitionNode, type SelectionNode, type SelectionSetNode, visit } from 'graphql';
import type { FieldMask } from './field-mask.ts';
import type { Route } from './route.ts';

/** The least a selection can be, for an object of which only hidden parts are needed. */
const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/**
 * The route's operation with only what `mask` shows and what the answer's headers need. It is pruned before planning:
 * a subgraph of which nothing is left is not asked.
 */
export function pruneOperation({ operation, result, location }: Route, mask: FieldMask): OperationDefinitionNode {
  const needed = new Set((location ?? []).filter((_, index) => index % 2 === 1));
  const path = result.isPage ? [...result.path, 'nodes'] : result.path;
  const pruned = { ...operation, selectionSet: pruneAt(operation.selectionSet, path, mask, needed) };
  const used = usedVariables(pruned);
  return { ...pruned, variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value)) };
}

function pruneAt(selectionSet: SelectionSetNode, path: readonly string[], mask: FieldMask, needed: ReadonlySet<string>): SelectionSetNode {
  const [name, ...rest] = path;
  if (name === undefined) return orTypename(pruneSelections(selectionSet, mask, needed));
  const selections = selectionSet.selections.map((selection) =>
    selection.kind === Kind.FIELD && responseName(selection) === name && selection.selectionSet !== undefined
      ? { ...selection, selectionSet: pruneAt(selection.selectionSet, rest, mask, needed) }
      : selection,
  );
  return { ...selectionSet, selections };
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
  if (part === undefined) return needed.has(name) ? [selection] : [];
  if (part === 'whole' || selection.selectionSet === undefined) return [selection];
  return [{ ...selection, selectionSet: orTypename(pruneSelections(selection.selectionSet, part, new Set())) }];
}

function orTypename(selectionSet: SelectionSetNode): SelectionSetNode {
  return selectionSet.selections.length === 0 ? { ...selectionSet, selections: [TYPENAME] } : selectionSet;
}

function responseName({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

function usedVariables({ selectionSet, directives }: OperationDefinitionNode): ReadonlySet<string> {
  const used = new Set<string>();
  const collect = { Variable: ({ name }: { readonly name: { readonly value: string } }) => void used.add(name.value) };
  visit(selectionSet, collect);
  for (const directive of directives ?? []) visit(directive, collect);
  return used;
}
