import { describe, expect, it } from '@jest/globals';
import { bytesOfAnswer, createCachedAnswer } from '../../../../gateway/cache/cached-response.ts';
import { labelOfTag, labelOfType } from '../../../../gateway/cache/labelled-entries.ts';
import { createResponseCache } from '../../../../gateway/cache/response-cache.ts';

const answerOf = (body: string) =>
  createCachedAnswer({ body, policy: { maxAgeSeconds: 60, scope: 'PUBLIC' }, madeAt: 0, partition: 'anon' });

const made = (...labels: readonly string[]) => ({ begun: { epoch: 0, position: undefined }, labels });

describe('createResponseCache', () => {
  it('evicts the least recently used responses at the limit', () => {
    const cache = createResponseCache({ maxEntries: 2, maxBytes: 1_000_000 });
    for (const key of ['a', 'b']) cache.store(key, answerOf(key), made());
    cache.find('a');
    cache.store('c', answerOf('c'), made());
    expect(['a', 'b', 'c'].map((key) => cache.find(key)?.body)).toEqual(['a', undefined, 'c']);
  });

  it('stores neither a response above the total size nor its labels', () => {
    const answer = answerOf('x'.repeat(1_000));
    const cache = createResponseCache({ maxEntries: 10, maxBytes: bytesOfAnswer(answer) - 1 });
    cache.store('a', answer, made(labelOfType('Book')));
    expect(cache.find('a')).toBeUndefined();
    expect(cache.invalidate([labelOfType('Book')])).toBe(0);
  });

  it('distinguishes a type and a tag of the same name', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    cache.store('a', answerOf('a'), made(labelOfType('Book')));
    cache.store('b', answerOf('b'), made(labelOfTag('Book')));
    expect(cache.invalidate([labelOfType('Book')])).toBe(1);
    expect(['a', 'b'].map((key) => cache.find(key)?.body)).toEqual([undefined, 'b']);
  });

  it('counts a response with several invalidated labels once', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    cache.store('a', answerOf('a'), made(labelOfType('Book'), labelOfTag('sale')));
    expect(cache.invalidate([labelOfType('Book'), labelOfTag('sale')])).toBe(1);
  });

  it('does not store a response that was begun before an invalidation', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    cache.invalidate([labelOfType('Author')]);
    cache.store('a', answerOf('a'), made(labelOfType('Book')));
    expect(cache.find('a')).toBeUndefined();
  });
});

describe('cached responses', () => {
  it('have different tags for two callers even when they are equal', () => {
    const policy = { maxAgeSeconds: 60, scope: 'PRIVATE' } as const;
    const [ada, bob] = ['ada', 'bob'].map((partition) => createCachedAnswer({ body: '{}', policy, madeAt: 0, partition }).tag);
    expect(ada).not.toBe(bob);
  });
});
