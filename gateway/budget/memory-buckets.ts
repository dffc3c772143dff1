import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { lazy } from '../platform/lazy.ts';
import { type BucketRate, type Buckets, THOUSANDTHS, toWithdrawal, type Withdrawal } from './buckets.ts';

export interface MemoryBuckets extends Buckets {
  take(key: string, rate: BucketRate, points: number): Withdrawal;
}

interface Bucket {
  /** @unit thousandths of a point */
  missing: number;
  /** When that was so. @unit milliseconds, whole ones */
  at: number;
}

/**
 * Buckets of this process alone.
 *
 * @param maxEntries the one that was asked longest ago gives way, and is full when it is asked again
 */
export function createMemoryBuckets({ maxEntries, clock }: { readonly maxEntries: number; readonly clock: Clock }): MemoryBuckets {
  const buckets = lazy(() => new LRUCache<string, Bucket>({ max: maxEntries }));
  return {
    take(key, rate, points) {
      const now = Math.floor(clock.monotonic());
      let bucket = buckets().get(key);
      if (bucket === undefined) {
        bucket = { missing: 0, at: now };
        buckets().set(key, bucket);
      }
      const missing = Math.max(0, bucket.missing - (now - bucket.at) * rate.refillPerSecond);
      const after = Math.max(0, missing + points * THOUSANDTHS);
      const isGranted = points <= 0 || after <= rate.capacity * THOUSANDTHS;
      bucket.missing = isGranted ? after : missing;
      bucket.at = now;
      return toWithdrawal(rate, points, isGranted, bucket.missing);
    },
  };
}
