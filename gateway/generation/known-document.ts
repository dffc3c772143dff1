import type { DocumentNode } from 'graphql';
import { parseDocument } from '../operation/parse-document.ts';
import type { PreparedDocument } from './prepared-document.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import type { UsedText } from './retained-bytes.ts';

/** A valid document with those of its operations that were asked for. */
export interface KnownDocument {
  readonly text: string;
  /** By name; the key of an operation asked for without one is the empty text. No more than the document has. */
  readonly operations: Map<string, PreparedOperation>;
  /** What is counted for each entry of `operations`. */
  readonly used: UsedText[];
  /** What its owner gets to see; the same each time. */
  readonly prepared: PreparedDocument;
  /** Somebody holds `prepared`. */
  isKept: boolean;
  /** It is known to the request that brings it alone. */
  isPassing: boolean;
}

export function createKnownDocument(text: string, maxTokens: number): KnownDocument {
  return { text, operations: new Map(), used: [], prepared: new LazyDocument(text, maxTokens), isKept: false, isPassing: false };
}

/** Few look at the document, so it is not kept for all. A class: an object literal with a getter costs 2 µs each time. */
class LazyDocument implements PreparedDocument {
  readonly text: string;
  readonly #maxTokens: number;
  #document: DocumentNode | undefined;

  constructor(text: string, maxTokens: number) {
    this.text = text;
    this.#maxTokens = maxTokens;
  }

  get document(): DocumentNode {
    this.#document ??= parseDocument(this.text, { maxTokens: this.#maxTokens });
    return this.#document;
  }
}
