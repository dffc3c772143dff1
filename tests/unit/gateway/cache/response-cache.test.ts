import { describe, expect, it } from '@jest/globals';
import { bytesOfResponse, createCachedResponse } from '../../../../gateway/cache/cached-response.ts';
import { labelOfTag, labelOfType } from '../../../../gateway/cache/labeled-entries.ts';
import { createResponseCache } from '../../../../gateway/cache/response-cache.ts';

const responseOf = (body: string) =>
  createCachedResponse({ body, policy: { maxAgeSeconds: 60, scope: 'PUBLIC' }, madeAt: 0, partition: 'anon' });

const made = (...labels: readonly string[]) => ({ begun: { epoch: 0, position: undefined }, labels });

describe('createResponseCache', () => {
  it('evicts the least recently used responses at the limit', () => {
    const cache = createResponseCache({ maxEntries: 2, maxBytes: 1_000_000 });
    for (const key of ['a', 'b']) cache.store(key, responseOf(key), made());
    cache.find('a');
    cache.store('c', responseOf('c'), made());
    expect(['a', 'b', 'c'].map((key) => cache.find(key)?.body)).toEqual(['a', undefined, 'c']);
  });

  it('stores neither a response above the total size nor its labels', () => {
    const response = responseOf('x'.repeat(1_000));
    const cache = createResponseCache({ maxEntries: 10, maxBytes: bytesOfResponse(response) - 1 });
    cache.store('a', response, made(labelOfType('Book')));
    expect(cache.find('a')).toBeUndefined();
    expect(cache.invalidate([labelOfType('Book')])).toBe(0);
  });

  it('distinguishes a type and a tag of the same name', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    cache.store('a', responseOf('a'), made(labelOfType('Book')));
    cache.store('b', responseOf('b'), made(labelOfTag('Book')));
    expect(cache.invalidate([labelOfType('Book')])).toBe(1);
    expect(['a', 'b'].map((key) => cache.find(key)?.body)).toEqual([undefined, 'b']);
  });

  it('counts a response with several invalidated labels once', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    cache.store('a', responseOf('a'), made(labelOfType('Book'), labelOfTag('sale')));
    expect(cache.invalidate([labelOfType('Book'), labelOfTag('sale')])).toBe(1);
  });

  it('does not store a response that was begun before an invalidation', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    cache.invalidate([labelOfType('Author')]);
    cache.store('a', responseOf('a'), made(labelOfType('Book')));
    expect(cache.find('a')).toBeUndefined();
  });
});

describe('cached responses', () => {
  it('have different tags for two callers even when they are equal', () => {
    const policy = { maxAgeSeconds: 60, scope: 'PRIVATE' } as const;
    const [ada, bob] = ['ada', 'bob'].map((partition) => createCachedResponse({ body: '{}', policy, madeAt: 0, partition }).tag);
    expect(ada).not.toBe(bob);
  });
});
