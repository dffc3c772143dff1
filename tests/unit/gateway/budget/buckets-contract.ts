import { describe, expect, it } from '@jest/globals';
import type { BucketRate, Buckets } from '../../../../gateway/budget/buckets.ts';

export interface BucketsUnderTest extends AsyncDisposable {
  readonly buckets: Buckets;
  /** Advances the time of a bucket without waiting. */
  pass(key: string, ms: number): Promise<void>;
}

/** Rate that is slow enough to refill less than one point while a test runs. */
const SLOW: BucketRate = { capacity: 100, refillPerSecond: 1 };

/** Contract that every implementation of buckets fulfills. */
export function bucketsContract(name: string, open: () => Promise<BucketsUnderTest>): void {
  describe(`buckets: ${name}`, () => {
    it('rejects more points than remain, takes none, and returns the wait time', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      await buckets.take('alice', SLOW, 95);
      const rejected = await buckets.take('alice', SLOW, 20);
      expect(rejected).toMatchObject({ isGranted: false, remaining: 5 });
      expect(rejected.retryAfterMs).toBeGreaterThan(14_000);
      expect(rejected.retryAfterMs).toBeLessThanOrEqual(15_000);
      expect(await buckets.take('alice', SLOW, 5)).toMatchObject({ isGranted: true, remaining: 0, retryAfterMs: 0 });
    });

    it('a new bucket is full', async () => {
      await using underTest = await open();
      expect(await underTest.buckets.take('alice', SLOW, 100)).toMatchObject({ isGranted: true, remaining: 0 });
      expect(await underTest.buckets.take('alice', SLOW, 1)).toMatchObject({ isGranted: false });
    });

    it('refills an empty bucket over time up to its capacity', async () => {
      await using underTest = await open();
      const { buckets, pass } = underTest;
      await buckets.take('alice', SLOW, 100);
      await pass('alice', 30_000);
      expect(await buckets.take('alice', SLOW, 30)).toMatchObject({ isGranted: true, remaining: 0 });
      await pass('alice', 3_600_000);
      expect(await buckets.take('alice', SLOW, 0)).toMatchObject({ remaining: 100 });
    });

    it('fills a bucket only up to its capacity when too many points are returned', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      await buckets.take('alice', SLOW, 40);
      expect(await buckets.take('alice', SLOW, -30)).toMatchObject({ isGranted: true, remaining: 90 });
      expect(await buckets.take('alice', SLOW, -30)).toMatchObject({ isGranted: true, remaining: 100 });
      expect(await buckets.take('alice', SLOW, 101)).toMatchObject({ isGranted: false });
    });

    it('separates the buckets of different keys', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      await buckets.take('alice', SLOW, 100);
      expect(await buckets.take('bob', SLOW, 100)).toMatchObject({ isGranted: true });
    });

    it('counts single points in a bucket of the maximum size', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      const vast: BucketRate = { capacity: 1_000_000_000_000, refillPerSecond: 1 };
      await buckets.take('alice', vast, 999_999_999_990);
      for (let count = 0; count < 9; count += 1) await buckets.take('alice', vast, 1);
      expect(await buckets.take('alice', vast, 2)).toMatchObject({ isGranted: false, remaining: 1 });
    });

    it('grants concurrent requests exactly as long as points remain', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      const taken = await Promise.all(Array.from({ length: 50 }, async () => buckets.take('alice', SLOW, 7)));
      expect(taken.filter(({ isGranted }) => isGranted)).toHaveLength(14);
    });
  });
}
