import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, print, visit } from 'graphql';

/** Prints a document with one operation, without unused fragments and variables. */
export function printUsed({ definitions }: DocumentNode): string {
  const operation = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error('The document has no operation.');
  const fragments = new Map(
    definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
  const reached = new Set<FragmentDefinitionNode>();
  const variables = new Set<string>();
  const follow = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(node, {
      VariableDefinition: () => false,
      Variable: ({ name }) => void variables.add(name.value),
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment === undefined || reached.has(fragment)) return;
        reached.add(fragment);
        follow(fragment);
      },
    });
  };
  follow(operation);
  const variableDefinitions = (operation.variableDefinitions ?? []).filter(({ variable }) => variables.has(variable.name.value));
  return print({ kind: Kind.DOCUMENT, definitions: [{ ...operation, variableDefinitions }, ...reached] });
}
