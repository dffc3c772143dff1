import { type ASTNode, type DocumentNode, getLocation, type GraphQLError, type SourceLocation } from 'graphql';
import { CHILDREN, nodeAt, isNodeList } from './node-children.ts';

/**
 * Adds locations to errors of a document that was parsed without them.
 *
 * @param located the same document with locations
 * @throws RangeError when the document is nested too deeply
 */
export function locateErrors(
  errors: readonly GraphQLError[],
  document: DocumentNode,
  located: DocumentNode,
): readonly Pick<GraphQLError, 'message' | 'locations'>[] {
  const missing = new Set<ASTNode>(errors.flatMap(({ nodes }) => nodes ?? []));
  const locations = new Map<ASTNode, SourceLocation>();
  findLocations(document, located, missing, locations);
  return errors.map(({ message, nodes = [] }) => {
    const found = nodes.flatMap((node) => locations.get(node) ?? []);
    return { message, locations: found.length === 0 ? undefined : found };
  });
}

/**
 * Finds the locations of nodes in an equal document.
 *
 * @param missing nodes that have not been found yet
 */
function findLocations(node: ASTNode, other: ASTNode, missing: Set<ASTNode>, locations: Map<ASTNode, SourceLocation>): void {
  if (missing.delete(node) && other.loc !== undefined) locations.set(node, getLocation(other.loc.source, other.loc.start));
  const keys = CHILDREN[node.kind] ?? [];
  for (let index = 0; index < keys.length && missing.size > 0; index += 1) {
    const key = keys[index] as string;
    const child = nodeAt(node, key);
    const counterpart = nodeAt(other, key);
    if (isNodeList(child)) {
      const counterparts = counterpart as readonly ASTNode[];
      for (let item = 0; item < child.length; item += 1) {
        findLocations(child[item] as ASTNode, counterparts[item] as ASTNode, missing, locations);
      }
    } else if (child !== undefined) findLocations(child, counterpart as ASTNode, missing, locations);
  }
}
