import { LRUCache } from 'lru-cache';
import { bytesOfAnswer, type CachedAnswer } from './cached-answer.ts';

/** Answers by key, the latest ones, bounded by entries and by what they hold. */
export interface ResponseCache {
  /** Also one that is not fresh any more. */
  find(key: string): CachedAnswer | undefined;
  /** Counts invalidations. Read it before an answer is made, and hand it to `store`. */
  readonly epoch: number;
  /** Keeps an answer, unless something was invalidated while it was being made: it may be made of what was. */
  store(key: string, answer: CachedAnswer, made: { readonly epoch: number; readonly labels: readonly string[] }): void;
  /** Lets go of all answers with one of the labels. @returns how many there were */
  invalidate(labels: readonly string[]): number;
}

export interface ResponseCacheOptions {
  /** @unit entries */
  readonly maxEntries: number;
  /** @unit bytes */
  readonly maxBytes: number;
}

interface Entry {
  readonly answer: CachedAnswer;
  readonly labels: readonly string[];
}

/** The label of all answers with objects of a type. */
export const labelOfType = (type: string): string => `type ${type}`;

/** The label of all answers in which a subgraph has named a tag. */
export const labelOfTag = (tag: string): string => `tag ${tag}`;

export function createResponseCache({ maxEntries, maxBytes }: ResponseCacheOptions): ResponseCache {
  /** Keys by label, of entries that are there. */
  const keysByLabel = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ answer, labels }, key) => bytesOfAnswer(answer) + 2 * key.length + BYTES_PER_LABEL * labels.length,
    dispose: ({ labels }, key) => unlabel(key, labels),
  });
  let epoch = 0;

  function label(key: string, labels: readonly string[]): void {
    for (const name of labels) {
      const keys = keysByLabel.get(name);
      if (keys === undefined) keysByLabel.set(name, new Set([key]));
      else keys.add(key);
    }
  }

  function unlabel(key: string, labels: readonly string[]): void {
    for (const name of labels) {
      const keys = keysByLabel.get(name);
      keys?.delete(key);
      if (keys?.size === 0) keysByLabel.delete(name);
    }
  }

  function put(key: string, entry: Entry): void {
    entries.set(key, entry);
    if (entries.peek(key) === entry) label(key, entry.labels); // not when it is larger than all that may be kept
  }

  return {
    get epoch() {
      return epoch;
    },
    find: (key) => entries.get(key)?.answer,
    store(key, answer, made) {
      if (made.epoch === epoch) put(key, { answer, labels: made.labels });
    },
    invalidate(labels) {
      epoch += 1;
      const keys = new Set(labels.flatMap((name) => [...(keysByLabel.get(name) ?? [])]));
      for (const key of keys) entries.delete(key);
      return keys.size;
    },
  };
}

/** In the index. @unit bytes */
const BYTES_PER_LABEL = 100;
