import { fnv1a } from '../platform/fnv1a.ts';
import type { DocumentNode } from 'graphql';
import { parseDocument } from '../operation/parse-document.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import type { UsedText } from './retained-bytes.ts';

/**
 * A document that was parsed and validated against the schema of one generation. Everything prepared from it lives as long as the document
 * is held.
 */
export interface PreparedDocument {
  readonly text: string;
  readonly document: DocumentNode;
}

/** A valid document and its operations that were requested. */
export interface CachedDocument {
  readonly text: string;
  /**
   * Operations by name; the key of an operation requested without a name is the empty string. It has at most one more entry than the
   * document has operations.
   */
  readonly operations: Map<string, PreparedOperation>;
  /** Size data of each entry of `operations`. */
  readonly used: UsedText[];
  /** The document as its holder sees it, always the same object. */
  readonly prepared: PreparedDocument;
  /** Whether a component holds `prepared`. */
  isOwned: boolean;
  /** Whether the document is used for one request only and not cached. */
  isTransient: boolean;
}

export function createCachedDocument(text: string, maxTokens: number): CachedDocument {
  return { text, operations: new Map(), used: [], prepared: new LazyDocument(text, maxTokens), isOwned: false, isTransient: false };
}

/**
 * A document that is parsed at the first access. Few callers need the parsed document, so it is not stored for all. It is a class, because
 * an object literal with a getter costs 2 µs each time.
 */
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

/** Whether a text was seen recently. A text that was not is recorded. */
export type Doorkeeper = (text: string) => boolean;

/** Number of slots for recorded texts, a power of two. Each slot takes 4 bytes. */
const SLOTS = 65_536;

/**
 * Creates a doorkeeper that records texts by hash. Each hash has one slot, which the next text with the same slot overwrites. Two texts
 * with the same hash are rare. The second one is then treated as seen.
 */
export function createDoorkeeper(): Doorkeeper {
  const seen = new Int32Array(SLOTS);
  return (text) => {
    const hash = hashOf(text);
    const slot = hash & (SLOTS - 1);
    if (seen[slot] === hash) return true;
    seen[slot] = hash;
    return false;
  };
}

/** Hashes a text with FNV-1a. The bits are mixed at the end, because the last bits select the slot. */
function hashOf(text: string): number {
  const hash = fnv1a(text);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) | 0;
}
