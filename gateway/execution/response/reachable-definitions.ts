import { type ASTNode, type FragmentDefinitionNode, visit } from 'graphql';

/** `node` itself and all fragments that it spreads, directly or through others. */
export function reachableDefinitions<T extends ASTNode>(
  node: T,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly [T, ...FragmentDefinitionNode[]] {
  const found = new Set<FragmentDefinitionNode>();
  const follow = (definition: ASTNode): void => {
    visit(definition, {
      FragmentSpread(spread) {
        const fragment = fragments.get(spread.name.value);
        if (fragment === undefined || found.has(fragment)) return;
        found.add(fragment);
        follow(fragment);
      },
    });
  };
  follow(node);
  return [node, ...found];
}
