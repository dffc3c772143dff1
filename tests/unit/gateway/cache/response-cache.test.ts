import { describe, expect, it } from '@jest/globals';
import { bytesOfAnswer, createCachedAnswer } from '../../../../gateway/cache/cached-response.ts';
import { labelOfTag, labelOfType } from '../../../../gateway/cache/labelled-entries.ts';
import { createResponseCache } from '../../../../gateway/cache/response-cache.ts';

const answerOf = (body: string) =>
  createCachedAnswer({ body, policy: { maxAgeSeconds: 60, scope: 'PUBLIC' }, madeAt: 0, partition: 'anon' });

const made = (...labels: readonly string[]) => ({ begun: { epoch: 0, position: undefined }, labels });

describe('createResponseCache', () => {
  it('given more answers than may be kept, when stored, then those used longest ago are let go of', () => {
    const cache = createResponseCache({ maxEntries: 2, maxBytes: 1_000_000 });
    for (const key of ['a', 'b']) cache.store(key, answerOf(key), made());
    cache.find('a');
    cache.store('c', answerOf('c'), made());
    expect(['a', 'b', 'c'].map((key) => cache.find(key)?.body)).toEqual(['a', undefined, 'c']);
  });

  it('given an answer that is larger than all that may be kept, when stored, then it is not, and nothing of it stays', () => {
    const answer = answerOf('x'.repeat(1_000));
    const cache = createResponseCache({ maxEntries: 10, maxBytes: bytesOfAnswer(answer) - 1 });
    cache.store('a', answer, made(labelOfType('Book')));
    expect(cache.find('a')).toBeUndefined();
    expect(cache.invalidate([labelOfType('Book')])).toBe(0);
  });

  it('given a type and a tag of one name, when one is invalidated, then the other stays', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    cache.store('a', answerOf('a'), made(labelOfType('Book')));
    cache.store('b', answerOf('b'), made(labelOfTag('Book')));
    expect(cache.invalidate([labelOfType('Book')])).toBe(1);
    expect(['a', 'b'].map((key) => cache.find(key)?.body)).toEqual([undefined, 'b']);
  });

  it('given an answer with several labels, when all of them are invalidated, then it counts once', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    cache.store('a', answerOf('a'), made(labelOfType('Book'), labelOfTag('sale')));
    expect(cache.invalidate([labelOfType('Book'), labelOfTag('sale')])).toBe(1);
  });

  it('given an answer that was begun before an invalidation, when stored, then it is not kept', () => {
    const cache = createResponseCache({ maxEntries: 10, maxBytes: 1_000_000 });
    cache.invalidate([labelOfType('Author')]);
    cache.store('a', answerOf('a'), made(labelOfType('Book')));
    expect(cache.find('a')).toBeUndefined();
  });
});

describe('createCachedAnswer', () => {
  it('given equal answers to two callers, when made, then the tag of one is not that of the other', () => {
    const policy = { maxAgeSeconds: 60, scope: 'PRIVATE' } as const;
    const [ada, bob] = ['ada', 'bob'].map((partition) => createCachedAnswer({ body: '{}', policy, madeAt: 0, partition }).tag);
    expect(ada).not.toBe(bob);
  });
});
