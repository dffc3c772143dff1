import { describe, expect, it } from '@jest/globals';
import { createCachedResponse } from '../../../../gateway/cache/cached-response.ts';
import type { Rendition } from '../../../../gateway/cache/renditions.ts';
import { createResponseCache, type ResponseCache } from '../../../../gateway/cache/response-cache.ts';

const responseOf = (body: string) =>
  createCachedResponse({ body, policy: { maxAgeSeconds: 60, scope: 'PUBLIC' }, madeAt: 0, partition: 'anon' });
const renditionOf = (body: string): Rendition => ({ body, headers: { etag: '"a"' }, wire: new Map() });

function store(cache: ResponseCache, key: string) {
  const response = responseOf('{}');
  cache.store(key, response, { begun: cache.begin(), labels: ['type Book'] });
  return response;
}

describe('renditions of cached responses', () => {
  it('are not added to a response that no cache stores', () => {
    const { renditions } = responseOf('{}');
    const key = Symbol('a read');
    renditions.add(key, renditionOf('{}'));
    expect(renditions.find(key)).toBeUndefined();
    expect(renditions.bytes).toBe(0);
  });

  it('are found by their own key only, and replaced', () => {
    const { renditions } = store(createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 }), 'a');
    const key = Symbol('a read');
    renditions.add(key, renditionOf('first'));
    const { bytes } = renditions;
    renditions.add(key, renditionOf('other'));
    expect(renditions.find(key)?.body).toBe('other');
    expect(renditions.bytes).toBe(bytes);
    expect(renditions.find(Symbol('a read'))).toBeUndefined();
  });

  it('count towards the memory of the cache, which evicts older responses for them', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 100_000 });
    store(cache, 'old');
    const { renditions } = store(cache, 'new');
    renditions.add(Symbol('a read'), renditionOf('x'.repeat(18_900)));
    expect(cache.find('old')).toBeUndefined();
    expect(cache.find('new')?.renditions).toBe(renditions);
    renditions.add(Symbol('another read'), renditionOf('x'.repeat(18_900)));
    expect(cache.find('new')).toBeUndefined();
  });

  it('do not restore a response that was invalidated or replaced', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    const response = store(cache, 'a');
    cache.invalidate(['type Book']);
    response.renditions.add(Symbol('a read'), renditionOf('{}'));
    expect(cache.find('a')).toBeUndefined();
    const next = store(cache, 'a');
    response.renditions.add(Symbol('a read'), renditionOf('{}'));
    expect(cache.find('a')).toBe(next);
    expect(cache.invalidate(['type Book'])).toBe(1);
  });

  it('are limited to the latest sixteen', () => {
    const { renditions } = store(createResponseCache({ maxEntries: 10, maxBytes: 10_000_000 }), 'a');
    const keys = Array.from({ length: 40 }, (_, index) => Symbol(index));
    for (const key of keys) renditions.add(key, renditionOf('{}'));
    expect(keys.filter((key) => renditions.find(key) !== undefined)).toEqual(keys.slice(-16));
  });
});
