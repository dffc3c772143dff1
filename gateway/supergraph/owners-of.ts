import type { FederatedGraph } from './federated-graph.ts';

const NOBODY: ReadonlySet<string> = new Set();

/** Which subgraphs answer a field by themselves: neither from what others tell them (`@requires`), nor only where they are handed it (`@external`). */
export function createOwnersOf({ types }: FederatedGraph): (typeName: string, fieldName: string) => ReadonlySet<string> {
  return (typeName, fieldName) => {
    const field = types.get(typeName)?.fields.get(fieldName);
    if (field === undefined) return NOBODY;
    const owners = [...field.subgraphs].filter(([, { isExternal, requires }]) => !isExternal && requires === undefined);
    return new Set(owners.map(([name]) => name));
  };
}
