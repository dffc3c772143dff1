import { LRUCache } from 'lru-cache';

/** Values by key in this process, the latest ones, bounded by entries and by what they hold; all with one label can be let go of. */
export interface LabelledEntries<T> {
  find(key: string): T | undefined;
  /** Counts invalidations. Read it before a value is made, and hand it to `store`. */
  readonly epoch: number;
  /** Keeps a value, unless something was invalidated while it was being made: it may be made of what was. */
  store(key: string, value: T, made: { readonly epoch: number; readonly labels: readonly string[] }): void;
  /** Lets go of all values with one of the labels. @returns how many there were */
  invalidate(labels: readonly string[]): number;
  /** Lets go of everything. */
  clear(): void;
}

export interface LabelledEntriesOptions<T> {
  /** @unit entries */
  readonly maxEntries: number;
  /** @unit bytes */
  readonly maxBytes: number;
  /** What a value holds, without its key. @unit bytes */
  readonly bytesOf: (value: T) => number;
}

interface Entry<T> {
  readonly value: T;
  readonly labels: readonly string[];
}

/** The label of all values with objects of a type. */
export const labelOfType = (type: string): string => `type ${type}`;

/** The label of all values in which a subgraph has named a tag. */
export const labelOfTag = (tag: string): string => `tag ${tag}`;

/** A label that no other entry has: its set, and its place in the index. @unit bytes */
const BYTES_PER_LABEL = 400;
/** A text with one character beyond Latin-1 takes two bytes for each. */
const BYTES_PER_CHARACTER = 2;

export function createLabelledEntries<T>({ maxEntries, maxBytes, bytesOf }: LabelledEntriesOptions<T>): LabelledEntries<T> {
  /** Keys by label, of entries that are there. */
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
    if (entries.peek(key) === entry) label(key, entry.labels); // not when it is larger than all that may be kept
  }

  return {
    get epoch() {
      return epoch;
    },
    find: (key) => entries.get(key)?.value,
    store(key, value, made) {
      if (made.epoch === epoch) put(key, { value, labels: made.labels });
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
