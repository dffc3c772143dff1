import { LRUCache } from 'lru-cache';

/** Cache of the most recently used values by key, with limits on entries and memory. Values may grow after they were stored. */
export interface SizedCache<V extends object> {
  /** Returns a value and marks it as used. */
  get(key: string): V | undefined;
  /** Returns a value without marking it as used. */
  peek(key: string): V | undefined;
  /**
   * Stores a value, or recounts the same value after it has grown. Older values are evicted until all fit. The value itself is evicted if
   * it alone exceeds `maxBytes`.
   *
   * @returns whether the value is in the cache now
   */
  put(key: string, value: V): boolean;
  /** Whether another value fits without an eviction. @unit bytes */
  hasCapacityFor(bytes: number): boolean;
  /** Sum of the counted sizes. @unit bytes */
  readonly bytes: number;
  values(): readonly V[];
  delete(key: string): void;
  clear(): void;
}

export interface SizedCacheOptions<V extends object> {
  /** Maximum number of values. @unit entries */
  readonly maxEntries: number;
  /** Maximum memory. @unit bytes */
  readonly maxBytes: number;
  /** Returns the memory that a value retains at the moment, including its key. @unit bytes */
  readonly bytesOf: (value: V, key: string) => number;
  /** Called with each value that is evicted or does not fit. @defaultValue no function is called */
  readonly onEvicted?: (value: V) => void;
}

/**
 * Creates the cache. `lru-cache` computes the size of an entry only when `set` is called with a different value, so values that have grown
 * are stored in a new wrapper.
 */
export function createSizedCache<V extends object>({ maxEntries, maxBytes, bytesOf, onEvicted }: SizedCacheOptions<V>): SizedCache<V> {
  const entries = new LRUCache<string, { readonly value: V }>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ value }, key) => Math.max(1, Math.ceil(bytesOf(value, key))),
    dispose: ({ value }, _key, reason) => {
      if (reason !== 'set') onEvicted?.(value); // `put` handles values that are stored again.
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
    delete: (key) => void entries.delete(key),
    hasCapacityFor: (bytes) => entries.size < entries.max && entries.calculatedSize + bytes <= entries.maxSize,
    get bytes() {
      return entries.calculatedSize;
    },
    values() {
      const values: V[] = [];
      entries.forEach(({ value }) => void values.push(value));
      return values;
    },
    clear: () => entries.clear(),
  };
}
