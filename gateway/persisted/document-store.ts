import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';

/** Cache of texts by their SHA-256 hash, with limits on size and lifetime. It never throws, and may have evicted any text. */
export interface DocumentStore {
  /** Returns a text whose hash has been verified. Returns no promise if the text is in this process. */
  get(sha256: string): string | undefined | Promise<string | undefined>;
  /** Whether the text is in this process. */
  has(sha256: string): boolean;
  /** Stores a text. @param sha256 SHA-256 hash of the text */
  set(sha256: string, text: string): void;
}

interface DocumentStoreLimits {
  /** Maximum number of documents. @unit documents */
  readonly maxEntries: number;
  /** Maximum memory for the texts. @unit bytes */
  readonly maxBytes: number;
  /** How long a text is stored after it was set. @unit milliseconds */
  readonly timeToLiveMs: number;
}

/** Size of the key and the cache slot in addition to the text. @unit bytes */
const BYTES_PER_ENTRY = 256;
/** A string with one character beyond Latin-1 takes two bytes per character. */
const BYTES_PER_CHARACTER = 2;

/**
 * Creates a store in this process. The least recently used texts are evicted first. Texts are verified when they are stored, and no other
 * process can change them.
 */
export function createMemoryDocumentStore({ maxEntries, maxBytes, timeToLiveMs }: DocumentStoreLimits, clock: Clock): DocumentStore {
  const texts = new LRUCache<string, string>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: (text) => BYTES_PER_ENTRY + BYTES_PER_CHARACTER * text.length,
    ttl: timeToLiveMs,
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() },
  });
  return {
    get: (sha256) => texts.get(sha256),
    has: (sha256) => texts.has(sha256),
    set(sha256, text) {
      texts.set(sha256, text);
    },
  };
}
