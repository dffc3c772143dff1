import { LRUCache } from 'lru-cache';

/** The most recently used values by key, bounded by entries and by bytes, whose values may grow after they were stored. */
export interface WeighedCache<V extends object> {
  /** Marks the value as used. */
  get(key: string): V | undefined;
  /** Does not mark the value as used. */
  peek(key: string): V | undefined;
  /**
   * Stores a value, or counts the same value again after it has grown. Older values are evicted until all fit; the value itself is
   * evicted when it exceeds `maxBytes` alone.
   *
   * @returns whether the value is in the cache now
   */
  put(key: string, value: V): boolean;
  /** Whether a further value fits without an eviction. @unit bytes */
  hasRoomFor(bytes: number): boolean;
  /** Sum of the counted sizes. @unit bytes */
  readonly bytes: number;
  values(): Iterable<V>;
  clear(): void;
}

export interface WeighedCacheOptions<V extends object> {
  /** @unit entries */
  readonly maxEntries: number;
  /** @unit bytes */
  readonly maxBytes: number;
  /** What a value retains at the moment, with its key. @unit bytes */
  readonly bytesOf: (value: V, key: string) => number;
  /** Called with each value that leaves the cache, or does not fit into it. @defaultValue nobody is called */
  readonly onEvicted?: (value: V) => void;
}

/**
 * Creates the cache. `lru-cache` computes the size of an entry only when `set` is given another value than the one it holds, so values
 * that grow are stored in a new wrapper each time.
 */
export function createWeighedCache<V extends object>({
  maxEntries,
  maxBytes,
  bytesOf,
  onEvicted,
}: WeighedCacheOptions<V>): WeighedCache<V> {
  const entries = new LRUCache<string, { readonly value: V }>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ value }, key) => Math.max(1, Math.ceil(bytesOf(value, key))),
    dispose: ({ value }, _key, reason) => {
      if (reason !== 'set') onEvicted?.(value); // `put` handles values that are stored again
    },
  });
  return {
    get: (key) => entries.get(key)?.value,
    peek: (key) => entries.peek(key)?.value,
    put(key, value) {
      const entry = { value };
      entries.set(key, entry);
      const isStored = entries.peek(key) === entry;
      if (!isStored) onEvicted?.(value);
      return isStored;
    },
    hasRoomFor: (bytes) => entries.size < entries.max && entries.calculatedSize + bytes <= entries.maxSize,
    get bytes() {
      return entries.calculatedSize;
    },
    *values() {
      for (const { value } of entries.values()) yield value;
    },
    clear: () => entries.clear(),
  };
}
