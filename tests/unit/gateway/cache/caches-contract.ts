import { describe, expect, it } from '@jest/globals';
import { createCachedResponse } from '../../../../gateway/cache/cached-response.ts';
import type { CachedEntity } from '../../../../gateway/cache/entity-cache.ts';
import { labelOfTag, labelOfType } from '../../../../gateway/cache/labeled-entries.ts';
import type { Caches } from '../../../../gateway/cache/open-caches.ts';
import type { Beginning, ResponseCache } from '../../../../gateway/cache/response-cache.ts';
import { type CacheConfig, cache as section } from '../../../../gateway/config/sections/cache.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';

export interface CachesUnderTest extends AsyncDisposable {
  readonly caches: Caches;
  /** Caches that serve other callers: those of another gateway when the cache is shared, otherwise the same. */
  readonly others: Caches;
  /** Resolves when all stored entries have arrived. */
  settle(): Promise<void>;
}

/** Capacity for ten short responses and ten entities. */
export const CONFIG: CacheConfig = section.parse({
  entities: true,
  maxEntries: 10,
  maxEntities: 10,
  maxSharedEntries: 160,
  maxSharedBytes: 160 * 4_000,
  maxSharedEntryBytes: 20_000,
  sharedIntervalMs: 20,
});

/** Batch of entities, in hexadecimal digits. */
const GROUP = '00ff';

export const responseOf = (body: string, partition = 'anon') =>
  createCachedResponse({ body, policy: { maxAgeSeconds: 60, scope: 'PUBLIC' }, madeAt: systemClock.monotonic(), partition });

const entityOf = (name: string, ...labels: readonly string[]): CachedEntity => ({
  text: JSON.stringify({ name }),
  policy: { maxAgeSeconds: 60, scope: 'PRIVATE' },
  labels,
  madeAt: systemClock.monotonic(),
  needsNoEscape: true,
});

export function responsesOf({ responses }: Caches): ResponseCache {
  if (responses === undefined) throw new Error('Responses are not cached.');
  return responses;
}

/** Stores a response that is created now. */
export function storeResponse(caches: Caches, key: string, labels: readonly string[] = [], begun?: Beginning): void {
  const cache = responsesOf(caches);
  cache.store(key, responseOf(`{"data":"${key} ä"}`), { begun: begun ?? cache.begin(), labels });
}

export async function readResponse(caches: Caches, key: string): Promise<string | undefined> {
  const cache = responsesOf(caches);
  return (cache.find(key) ?? (await cache.lookUp?.(key, 'anon')))?.body;
}

export function storeEntity(caches: Caches, key: string, labels: readonly string[] = [], begun?: Beginning): void {
  caches.entities?.store(GROUP, key, entityOf(`${key} ä`, ...labels), begun ?? caches.entities.begin());
}

export async function readEntities(caches: Caches, ...keys: readonly string[]): Promise<readonly (string | undefined)[]> {
  return (await caches.entities?.find(GROUP, keys))?.map((entity) => entity?.text) ?? [];
}

/** Contract for caches of one process and for caches that several gateways share. */
export function cachesContract(name: string, open: () => Promise<CachesUnderTest>): void {
  describe(`caches: ${name}`, () => {
    it('returns no response and no entity from an empty cache', async () => {
      await using underTest = await open();
      expect(await readResponse(underTest.others, 'a')).toBeUndefined();
      expect(await readEntities(underTest.others, 'a', 'b')).toEqual([undefined, undefined]);
    });

    it('returns a stored response everywhere with its policy and tag, then from memory', async () => {
      await using underTest = await open();
      storeResponse(underTest.caches, 'a');
      await underTest.settle();
      expect(await readResponse(underTest.others, 'a')).toBe('{"data":"a ä"}');
      const [found, made] = [underTest.others, underTest.caches].map((caches) => responsesOf(caches).find('a'));
      expect(found?.policy).toEqual({ maxAgeSeconds: 60, scope: 'PUBLIC' });
      expect(found?.tag).toBe(made?.tag);
      expect(Math.abs((found?.madeAt ?? 0) - (made?.madeAt ?? 0))).toBeLessThan(10_000);
    });

    it('returns the stored entities of a batch at their positions', async () => {
      await using underTest = await open();
      storeEntity(underTest.caches, 'b');
      storeEntity(underTest.caches, 'd');
      await underTest.settle();
      const expected = [undefined, '{"name":"b ä"}', undefined, '{"name":"d ä"}'];
      expect(await readEntities(underTest.others, 'a', 'b', 'c', 'd')).toEqual(expected);
      expect(await readEntities(underTest.others, 'a', 'b', 'c', 'd')).toEqual(expected);
    });

    it('invalidates all entries with a label everywhere, and no others', async () => {
      await using underTest = await open();
      const { caches, others, settle } = underTest;
      for (const store of [storeResponse, storeEntity]) {
        store(caches, 'book', [labelOfType('Book')]);
        store(caches, 'tagged', [labelOfType('Author'), labelOfTag('Book')]);
        store(caches, 'both', [labelOfType('Author'), labelOfType('Book')]);
      }
      await settle();
      expect(await caches.invalidate([labelOfType('Book')])).toEqual({ count: 4, isShared: true });
      expect(await readEntities(others, 'book', 'tagged', 'both')).toEqual([undefined, '{"name":"tagged ä"}', undefined]);
      for (const key of ['book', 'both']) expect(await readResponse(others, key)).toBeUndefined();
      expect(await readResponse(others, 'tagged')).toBe('{"data":"tagged ä"}');
    });

    it('does not return entries that were begun before an invalidation', async () => {
      await using underTest = await open();
      const { caches, others, settle } = underTest;
      await settle();
      const begun = responsesOf(caches).begin();
      const entityBegun = caches.entities?.begin();
      await others.invalidate([labelOfType('Book')]);
      storeResponse(caches, 'a', [labelOfType('Book')], begun);
      storeEntity(caches, 'a', [labelOfType('Book')], entityBegun);
      await settle();
      expect(await readResponse(others, 'a')).toBeUndefined();
      expect(await readEntities(others, 'a')).toEqual([undefined]);
    });

    it('returns entries that were begun after an invalidation', async () => {
      await using underTest = await open();
      const { caches, others, settle } = underTest;
      await caches.invalidate([labelOfType('Book'), labelOfTag('sale')]);
      storeResponse(caches, 'a', [labelOfType('Book')]);
      storeEntity(caches, 'a', [labelOfTag('sale')]);
      await settle();
      expect(await readResponse(others, 'a')).toBe('{"data":"a ä"}');
      expect(await readEntities(others, 'a')).toEqual(['{"name":"a ä"}']);
    });

    it('does not store a response above the size limit, and retains the others', async () => {
      await using underTest = await open();
      const { caches, others, settle } = underTest;
      storeResponse(caches, 'a');
      const huge = responseOf('x'.repeat(CONFIG.maxBytes));
      responsesOf(caches).store('huge', huge, { begun: responsesOf(caches).begin(), labels: [] });
      await settle();
      expect(await readResponse(others, 'a')).toBe('{"data":"a ä"}');
      expect(await readResponse(others, 'huge')).toBeUndefined();
    });
  });
}
