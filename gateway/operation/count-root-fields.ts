import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** Twice is enough to tell that a field is there more than once. */
const ENOUGH = 2;

/**
 * How often an operation selects each of some root fields, with fragments expanded; 2 stands for more. A fragment is looked at twice at
 * most: what it has is then there twice. No recursion, and any document that parses.
 */
export function countRootFields(
  { definitions }: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  names: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const looks = new Map<FragmentDefinitionNode, number>();
  const pending: SelectionSetNode[] = [selectionSet];
  for (let set = pending.pop(); set !== undefined; set = pending.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        if (names.has(name)) counts.set(name, Math.min(ENOUGH, (counts.get(name) ?? 0) + 1));
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        pending.push(selection.selectionSet);
      } else {
        const fragment = fragments.get(selection.name.value);
        const before = fragment === undefined ? ENOUGH : (looks.get(fragment) ?? 0);
        if (fragment === undefined || before >= ENOUGH) continue;
        looks.set(fragment, before + 1);
        pending.push(fragment.selectionSet);
      }
    }
  }
  return counts;
}
