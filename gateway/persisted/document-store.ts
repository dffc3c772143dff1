import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';

/** Texts by their SHA-256, bounded and for a while. It is a cache: it never throws, and may have lost anything. */
export interface DocumentStore {
  /** Without a promise where the text is at hand. What comes back has been verified against its key. */
  get(sha256: string): string | undefined | Promise<string | undefined>;
  /** Whether the text is at hand in this process. */
  has(sha256: string): boolean;
  /** @param text what the key is the SHA-256 of */
  set(sha256: string, text: string): void;
}

interface DocumentStoreLimits {
  /** @unit documents */
  readonly maxEntries: number;
  /** What the texts may take. @unit bytes */
  readonly maxBytes: number;
  /** How long a text is kept after it was set. @unit milliseconds */
  readonly timeToLiveMs: number;
}

/** Beside the text: its key, and its place in the cache. @unit bytes */
const BYTES_PER_ENTRY = 256;
/** A text with one character beyond Latin-1 takes two bytes for each. */
const BYTES_PER_CHARACTER = 2;

/** In this process; what is asked for least goes first. Nobody else writes here, so what was right when it came in is right. */
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
