import { type DirectiveNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/**
 * Finds the active `@defer` directives that an operation reaches, in the order of the document, outer ones before inner ones.
 *
 * @param conditions values of the variables in their `if`
 */
export function findDeferrals(
  selectionSet: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  conditions: Readonly<Record<string, boolean>>,
): readonly DirectiveNode[] {
  const found = new Set<DirectiveNode>();
  const visited = new Set<FragmentDefinitionNode>();
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        if (selection.selectionSet !== undefined) visit(selection.selectionSet);
        continue;
      }
      const deferral = deferralOf(selection.directives, conditions);
      if (deferral !== undefined) found.add(deferral);
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        visit(selection.selectionSet);
        continue;
      }
      const fragment = fragments.get(selection.name.value);
      if (fragment === undefined || visited.has(fragment)) continue;
      visited.add(fragment);
      visit(fragment.selectionSet);
    }
  };
  visit(selectionSet);
  return [...found];
}

/** Returns the `@defer` of a fragment, unless its `if` is false. */
function deferralOf(
  directives: readonly DirectiveNode[] | undefined,
  conditions: Readonly<Record<string, boolean>>,
): DirectiveNode | undefined {
  return directives?.find(({ name, arguments: given }) => {
    if (name.value !== 'defer') return false;
    const value = given?.find((argument) => argument.name.value === 'if')?.value;
    if (value?.kind === Kind.VARIABLE) return conditions[value.name.value] !== false;
    return value?.kind !== Kind.BOOLEAN || value.value;
  });
}
