import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, visit } from 'graphql';

/** Removes the fragments and variables that no operation uses, because a document that has them is not valid. */
export function withoutUnused(document: DocumentNode): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const used = new Set<FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { reached, variables } = usesOf(definition, fragments);
    for (const fragment of reached) used.add(fragment);
    const variableDefinitions = definition.variableDefinitions?.filter(({ variable }) => variables.has(variable.name.value)) ?? [];
    operations.push({ ...definition, variableDefinitions });
  }
  return { ...document, definitions: [...operations, ...used] };
}

/** Finds the fragments and variables that an operation uses, directly or in fragments. */
function usesOf(operation: OperationDefinitionNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const reached = new Set<FragmentDefinitionNode>();
  const variables = new Set<string>();
  const walk = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(node, {
      VariableDefinition: () => false,
      Variable: ({ name }) => void variables.add(name.value),
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (fragment === undefined || reached.has(fragment)) return;
        reached.add(fragment);
        walk(fragment);
      },
    });
  };
  walk(operation);
  return { reached, variables };
}
