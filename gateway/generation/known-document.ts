import type { DocumentNode } from 'graphql';
import { parseDocument } from '../operation/parse-document.ts';
import type { PreparedDocument } from './prepared-document.ts';
import type { PreparedOperation } from './prepared-operation.ts';

/** A valid document with those of its operations that were asked for. */
export interface KnownDocument {
  readonly text: string;
  /** By name; the key of an operation asked for without one is the empty text. No more than the document has. */
  readonly operations: Map<string, PreparedOperation>;
  /** What its owner gets to see; the same each time. */
  readonly prepared: PreparedDocument;
  /** Somebody holds `prepared`. */
  isKept: boolean;
  /** It is known to the request that brings it alone. */
  isPassing: boolean;
}

export function createKnownDocument(text: string, maxTokens: number): KnownDocument {
  let document: DocumentNode | undefined;
  const prepared: PreparedDocument = {
    text,
    // Few look at it, so it is not kept for all.
    get document() {
      document ??= parseDocument(text, { maxTokens });
      return document;
    },
  };
  return { text, operations: new Map(), prepared, isKept: false, isPassing: false };
}
