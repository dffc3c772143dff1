import type { DocumentNode } from 'graphql';

/** A document that was parsed and validated against one generation's schema. */
export interface PreparedDocument {
  readonly text: string;
  readonly document: DocumentNode;
}
