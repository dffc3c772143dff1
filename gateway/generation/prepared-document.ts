import type { DocumentNode } from 'graphql';

/** A document that was parsed and validated against one generation's schema. What is prepared of it lives as long as it is held. */
export interface PreparedDocument {
  readonly text: string;
  readonly document: DocumentNode;
}
