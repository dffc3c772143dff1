import { describe, expect, it } from '@jest/globals';
import type { BucketRate, Buckets } from '../../../../gateway/budget/buckets.ts';

export interface BucketsUnderTest extends AsyncDisposable {
  readonly buckets: Buckets;
  /** Lets time go by for a bucket, without waiting. */
  pass(key: string, ms: number): Promise<void>;
}

/** A point in ten seconds: what comes back while a test runs is less than one. */
const SLOW: BucketRate = { capacity: 100, refillPerSecond: 1 };

/** What every keeper of buckets does. */
export function bucketsContract(name: string, open: () => Promise<BucketsUnderTest>): void {
  describe(`buckets: ${name}`, () => {
    it('given less in the bucket than is asked for, when taken, then nothing is taken and the wait is told', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      await buckets.take('alice', SLOW, 95);
      const refused = await buckets.take('alice', SLOW, 20);
      expect(refused).toMatchObject({ isGranted: false, remaining: 5 });
      expect(refused.retryAfterMs).toBeGreaterThan(14_000);
      expect(refused.retryAfterMs).toBeLessThanOrEqual(15_000);
      expect(await buckets.take('alice', SLOW, 5)).toMatchObject({ isGranted: true, remaining: 0, retryAfterMs: 0 });
    });

    it('given a bucket that nobody has asked, when all of it is taken, then it was full', async () => {
      await using underTest = await open();
      expect(await underTest.buckets.take('alice', SLOW, 100)).toMatchObject({ isGranted: true, remaining: 0 });
      expect(await underTest.buckets.take('alice', SLOW, 1)).toMatchObject({ isGranted: false });
    });

    it('given an empty bucket, when time goes by, then it refills, and never beyond its capacity', async () => {
      await using underTest = await open();
      const { buckets, pass } = underTest;
      await buckets.take('alice', SLOW, 100);
      await pass('alice', 30_000);
      expect(await buckets.take('alice', SLOW, 30)).toMatchObject({ isGranted: true, remaining: 0 });
      await pass('alice', 3_600_000);
      expect(await buckets.take('alice', SLOW, 0)).toMatchObject({ remaining: 100 });
    });

    it('given points are given back, when more than were taken, then the bucket is full and no more', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      await buckets.take('alice', SLOW, 40);
      expect(await buckets.take('alice', SLOW, -30)).toMatchObject({ isGranted: true, remaining: 90 });
      expect(await buckets.take('alice', SLOW, -30)).toMatchObject({ isGranted: true, remaining: 100 });
      expect(await buckets.take('alice', SLOW, 101)).toMatchObject({ isGranted: false });
    });

    it('given two keys, when one is used up, then the other is not', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      await buckets.take('alice', SLOW, 100);
      expect(await buckets.take('bob', SLOW, 100)).toMatchObject({ isGranted: true });
    });

    it('given the largest bucket there can be, when points are taken one by one, then every one of them counts', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      const vast: BucketRate = { capacity: 1_000_000_000_000, refillPerSecond: 1 };
      await buckets.take('alice', vast, 999_999_999_990);
      for (let count = 0; count < 9; count += 1) await buckets.take('alice', vast, 1);
      expect(await buckets.take('alice', vast, 2)).toMatchObject({ isGranted: false, remaining: 1 });
    });

    it('given many ask at once, when there is enough for some of them, then exactly so many are granted', async () => {
      await using underTest = await open();
      const { buckets } = underTest;
      const taken = await Promise.all(Array.from({ length: 50 }, async () => buckets.take('alice', SLOW, 7)));
      expect(taken.filter(({ isGranted }) => isGranted)).toHaveLength(14);
    });
  });
}
