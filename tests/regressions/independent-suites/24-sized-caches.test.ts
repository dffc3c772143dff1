import { describe, expect, it } from '@jest/globals';
import { createSizedCache } from '../../../gateway/platform/sized-cache.ts';

describe('point 24: a cache of values that grow', () => {
  const bytesOf = ({ bytes }: { readonly bytes: number }): number => bytes;

  it('counts a value again when it is stored again, and evicts the oldest', () => {
    const evicted: unknown[] = [];
    const cache = createSizedCache({ maxEntries: 10, maxBytes: 100, bytesOf, onEvicted: (value) => evicted.push(value) });
    const [old, growing] = [{ bytes: 40 }, { bytes: 10 }];
    cache.put('old', old);
    cache.put('growing', growing);
    growing.bytes = 70;
    expect(cache.put('growing', growing)).toBe(true);
    expect(evicted).toEqual([old]);
    expect(cache.bytes).toBe(70);
  });

  it('evicts a value that has grown beyond the whole cache', () => {
    const evicted: unknown[] = [];
    const cache = createSizedCache({ maxEntries: 10, maxBytes: 100, bytesOf, onEvicted: (value) => evicted.push(value) });
    const growing = { bytes: 10 };
    cache.put('growing', growing);
    growing.bytes = 101;
    expect(cache.put('growing', growing)).toBe(false);
    expect(cache.peek('growing')).toBeUndefined();
    expect(evicted).toEqual([growing]);
  });
});
