import type { FederatedGraph } from './federated-graph.ts';

const NO_OWNERS: ReadonlySet<string> = new Set();

/**
 * Creates a function that returns the subgraphs that resolve a field themselves: without values from other subgraphs (`@requires`), and not
 * only if the field is provided (`@external`).
 */
export function createOwnersOf({ types }: FederatedGraph): (typeName: string, fieldName: string) => ReadonlySet<string> {
  return (typeName, fieldName) => {
    const field = types.get(typeName)?.fields.get(fieldName);
    if (field === undefined) return NO_OWNERS;
    const owners = [...field.subgraphs].filter(([, { isExternal, requires }]) => !isExternal && requires === undefined);
    return new Set(owners.map(([name]) => name));
  };
}
