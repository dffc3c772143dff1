import type { DocumentNode } from 'graphql';
import { parseDocument } from '../operation/parse-document.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import type { UsedText } from './retained-bytes.ts';

/** A document that was parsed and validated against one generation's schema. What is prepared of it lives as long as it is held. */
export interface PreparedDocument {
  readonly text: string;
  readonly document: DocumentNode;
}

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

/** Tells texts that were seen lately from those that come for the first time. */
export type SecondSight = (text: string) => boolean;

/** Texts that are remembered; a power of two. Each takes 4 bytes. */
const SLOTS = 65_536;

/**
 * Remembers texts by their hashes, each in the one place that its hash gives it, until another text takes that. Two texts
 * with one hash are rare, and then the second is taken for the first.
 */
export function createSecondSight(): SecondSight {
  const seen = new Int32Array(SLOTS);
  return (text) => {
    const hash = hashOf(text);
    const slot = hash & (SLOTS - 1);
    if (seen[slot] === hash) return true;
    seen[slot] = hash;
    return false;
  };
}

/** FNV-1a, its bits mixed at the end, because the last ones choose the slot. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) | 0;
}
