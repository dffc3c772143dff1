import type { ASTNode } from 'graphql';

/** Returns the line of a definition, for messages. Empty if the document was parsed without locations. */
export function lineOf({ loc }: Pick<ASTNode, 'loc'>): string {
  return loc === undefined ? '' : ` (line ${loc.startToken.line})`;
}
