import { describe, expect, it } from '@jest/globals';
import { createCachedAnswer } from '../../../../gateway/cache/cached-response.ts';
import type { KeptEntity } from '../../../../gateway/cache/entity-cache.ts';
import { labelOfTag, labelOfType } from '../../../../gateway/cache/labelled-entries.ts';
import type { Caches } from '../../../../gateway/cache/open-caches.ts';
import type { Beginning, ResponseCache } from '../../../../gateway/cache/response-cache.ts';
import { type CacheConfig, cache as section } from '../../../../gateway/config/sections/cache.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';

export interface CachesUnderTest extends AsyncDisposable {
  readonly caches: Caches;
  /** What else answers callers of the graph: another gateway where several share, else the same. */
  readonly others: Caches;
  /** Resolves when all that was stored has arrived. */
  settle(): Promise<void>;
}

/** Room for ten answers of some length, and as many entities. */
export const CONFIG: CacheConfig = section.parse({
  entities: true,
  maxEntries: 10,
  maxEntities: 10,
  maxSharedEntries: 160,
  maxSharedBytes: 160 * 4_000,
  maxSharedEntryBytes: 20_000,
  sharedIntervalMs: 20,
});

/** A group of entities, in hexadecimal digits. */
const GROUP = '00ff';

export const answerOf = (body: string, partition = 'anon') =>
  createCachedAnswer({ body, policy: { maxAgeSeconds: 60, scope: 'PUBLIC' }, madeAt: systemClock.monotonic(), partition });

const entityOf = (name: string, ...labels: readonly string[]): KeptEntity => ({
  text: JSON.stringify({ name }),
  policy: { maxAgeSeconds: 60, scope: 'PRIVATE' },
  labels,
  madeAt: systemClock.monotonic(),
  needsNoEscape: true,
});

export function responsesOf({ responses }: Caches): ResponseCache {
  if (responses === undefined) throw new Error('Answers are not kept.');
  return responses;
}

/** Stores an answer as one that is made now. */
export function storeAnswer(caches: Caches, key: string, labels: readonly string[] = [], begun?: Beginning): void {
  const cache = responsesOf(caches);
  cache.store(key, answerOf(`{"data":"${key} ä"}`), { begun: begun ?? cache.begin(), labels });
}

export async function readAnswer(caches: Caches, key: string): Promise<string | undefined> {
  const cache = responsesOf(caches);
  return (cache.find(key) ?? (await cache.lookUp?.(key, 'anon')))?.body;
}

export function storeEntity(caches: Caches, key: string, labels: readonly string[] = [], begun?: Beginning): void {
  caches.entities?.store(GROUP, key, entityOf(`${key} ä`, ...labels), begun ?? caches.entities.begin());
}

export async function readEntities(caches: Caches, ...keys: readonly string[]): Promise<readonly (string | undefined)[]> {
  return (await caches.entities?.find(GROUP, keys))?.map((entity) => entity?.text) ?? [];
}

/** What holds for caches of one process and for those that gateways share. */
export function cachesContract(name: string, open: () => Promise<CachesUnderTest>): void {
  describe(`caches: ${name}`, () => {
    it('given nothing, when an answer and an entity are asked for, then there is none', async () => {
      await using underTest = await open();
      expect(await readAnswer(underTest.others, 'a')).toBeUndefined();
      expect(await readEntities(underTest.others, 'a', 'b')).toEqual([undefined, undefined]);
    });

    it('given an answer, when it is asked for anywhere, then it is the same, with its policy and its tag, and at once from then on', async () => {
      await using underTest = await open();
      storeAnswer(underTest.caches, 'a');
      await underTest.settle();
      expect(await readAnswer(underTest.others, 'a')).toBe('{"data":"a ä"}');
      const [found, made] = [underTest.others, underTest.caches].map((caches) => responsesOf(caches).find('a'));
      expect(found?.policy).toEqual({ maxAgeSeconds: 60, scope: 'PUBLIC' });
      expect(found?.tag).toBe(made?.tag);
      expect(Math.abs((found?.madeAt ?? 0) - (made?.madeAt ?? 0))).toBeLessThan(10_000);
    });

    it('given some entities of a group, when more are asked for, then those are found, in their places', async () => {
      await using underTest = await open();
      storeEntity(underTest.caches, 'b');
      storeEntity(underTest.caches, 'd');
      await underTest.settle();
      const expected = [undefined, '{"name":"b ä"}', undefined, '{"name":"d ä"}'];
      expect(await readEntities(underTest.others, 'a', 'b', 'c', 'd')).toEqual(expected);
      expect(await readEntities(underTest.others, 'a', 'b', 'c', 'd')).toEqual(expected);
    });

    it('given labels, when one is invalidated, then what has it is gone everywhere, and what has it not stays', async () => {
      await using underTest = await open();
      const { caches, others, settle } = underTest;
      for (const store of [storeAnswer, storeEntity]) {
        store(caches, 'book', [labelOfType('Book')]);
        store(caches, 'tagged', [labelOfType('Author'), labelOfTag('Book')]);
        store(caches, 'both', [labelOfType('Author'), labelOfType('Book')]);
      }
      await settle();
      expect(await caches.invalidate([labelOfType('Book')])).toEqual({ count: 4, isShared: true });
      expect(await readEntities(others, 'book', 'tagged', 'both')).toEqual([undefined, '{"name":"tagged ä"}', undefined]);
      for (const key of ['book', 'both']) expect(await readAnswer(others, key)).toBeUndefined();
      expect(await readAnswer(others, 'tagged')).toBe('{"data":"tagged ä"}');
    });

    it('given what was begun before an invalidation, when it is stored after it, then nobody finds it', async () => {
      await using underTest = await open();
      const { caches, others, settle } = underTest;
      await settle();
      const begun = responsesOf(caches).begin();
      const entityBegun = caches.entities?.begin();
      await others.invalidate([labelOfType('Book')]);
      storeAnswer(caches, 'a', [labelOfType('Book')], begun);
      storeEntity(caches, 'a', [labelOfType('Book')], entityBegun);
      await settle();
      expect(await readAnswer(others, 'a')).toBeUndefined();
      expect(await readEntities(others, 'a')).toEqual([undefined]);
    });

    it('given what was begun after an invalidation, when it is stored, then all find it', async () => {
      await using underTest = await open();
      const { caches, others, settle } = underTest;
      await caches.invalidate([labelOfType('Book'), labelOfTag('sale')]);
      storeAnswer(caches, 'a', [labelOfType('Book')]);
      storeEntity(caches, 'a', [labelOfTag('sale')]);
      await settle();
      expect(await readAnswer(others, 'a')).toBe('{"data":"a ä"}');
      expect(await readEntities(others, 'a')).toEqual(['{"name":"a ä"}']);
    });

    it('given an answer that is longer than may be kept anywhere, when it is stored, then the others stay', async () => {
      await using underTest = await open();
      const { caches, others, settle } = underTest;
      storeAnswer(caches, 'a');
      const huge = answerOf('x'.repeat(CONFIG.maxBytes));
      responsesOf(caches).store('huge', huge, { begun: responsesOf(caches).begin(), labels: [] });
      await settle();
      expect(await readAnswer(others, 'a')).toBe('{"data":"a ä"}');
      expect(await readAnswer(others, 'huge')).toBeUndefined();
    });
  });
}
