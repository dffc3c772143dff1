import { LRUCache } from 'lru-cache';

/** Cache of recent values by key in this process, with limits on entries and memory. All values with a label can be evicted. */
export interface LabeledEntries<T> {
  find(key: string): T | undefined;
  /** Number of invalidations. Read it before a value is created, and pass it to `store`. */
  readonly epoch: number;
  /** Stores a value, unless an invalidation occurred while it was being created, because the value may contain invalidated data. */
  store(key: string, value: T, made: { readonly epoch: number; readonly labels: readonly string[] }): void;
  /** Computes the size of a value again. Has no effect if the key no longer has this value. The value is evicted if it is too large. */
  resize(key: string, value: T): void;
  /** Evicts all values with one of the labels. @returns number of evicted values */
  invalidate(labels: readonly string[]): number;
  /** Evicts all values. */
  clear(): void;
}

export interface LabeledEntriesOptions<T> {
  /** Maximum number of values. @unit entries */
  readonly maxEntries: number;
  /** Maximum memory. @unit bytes */
  readonly maxBytes: number;
  /** Returns the size of a value, without its key. @unit bytes */
  readonly bytesOf: (value: T) => number;
}

interface Entry<T> {
  readonly value: T;
  readonly labels: readonly string[];
}

/** Returns the label of all values that contain objects of a type. */
export const labelOfType = (type: string): string => `type ${type}`;

/** Returns the label of all values that a subgraph has marked with a tag. */
export const labelOfTag = (tag: string): string => `tag ${tag}`;

/** Size of a label that no other entry has: its set and its slot in the index. @unit bytes */
const BYTES_PER_LABEL = 400;
/** A string with one character beyond Latin-1 takes two bytes per character. */
const BYTES_PER_CHARACTER = 2;

export function createLabeledEntries<T>({ maxEntries, maxBytes, bytesOf }: LabeledEntriesOptions<T>): LabeledEntries<T> {
  /** Keys of the stored entries by label. */
  const keysByLabel = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry<T>>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ value, labels }, key) => {
      let characters = key.length;
      for (const { length } of labels) characters += length;
      return bytesOf(value) + BYTES_PER_CHARACTER * characters + BYTES_PER_LABEL * labels.length;
    },
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

  function put(key: string, entry: Entry<T>): void {
    entries.set(key, entry);
    if (entries.peek(key) === entry) label(key, entry.labels); // An entry that exceeds the capacity is not stored and gets no labels.
  }

  return {
    get epoch() {
      return epoch;
    },
    find: (key) => entries.get(key)?.value,
    store(key, value, made) {
      if (made.epoch === epoch) put(key, { value, labels: made.labels });
    },
    resize(key, value) {
      const entry = entries.peek(key);
      // The size of an equal entry would not be computed again.
      if (entry?.value === value) put(key, { value, labels: entry.labels });
    },
    invalidate(labels) {
      epoch += 1;
      const keys = new Set(labels.flatMap((name) => [...(keysByLabel.get(name) ?? [])]));
      for (const key of keys) entries.delete(key);
      return keys.size;
    },
    clear() {
      epoch += 1;
      entries.clear();
    },
  };
}
