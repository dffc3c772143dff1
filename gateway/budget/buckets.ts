import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { lazy } from '../platform/lazy.ts';

/** Capacity and refill rate of a bucket. */
export interface BucketRate {
  /** Maximum number of points. @unit points */
  readonly capacity: number;
  /** Points that are added per second. @unit points per second */
  readonly refillPerSecond: number;
}

/** Result of an attempt to take points. */
export interface Withdrawal {
  /** Whether all points were taken. Otherwise none were taken. */
  readonly isGranted: boolean;
  /** Points that remain. @unit whole points */
  readonly remaining: number;
  /** Time until the requested points are available; 0 if they were taken. @unit milliseconds */
  readonly retryAfterMs: number;
}

/** Token buckets by key. Each bucket starts full and refills continuously. */
export interface Buckets {
  /**
   * Takes all of the points, or none.
   *
   * @param points whole number; negative points are returned to the bucket, up to the capacity
   * @returns a promise only if the buckets are not in this process; the promise never rejects
   */
  take(key: string, rate: BucketRate, points: number): Withdrawal | Promise<Withdrawal>;
}

/**
 * A bucket stores the points that are missing to its capacity, in thousandths of a point. The refill per millisecond in thousandths equals
 * the refill per second in points, so all numbers remain integers.
 */
export const THOUSANDTHS = 1_000;

/**
 * Converts the state of a bucket to a withdrawal.
 *
 * @param missing points that are missing after the attempt.
 * @unit thousandths of a point
 */
export function toWithdrawal({ capacity, refillPerSecond }: BucketRate, points: number, isGranted: boolean, missing: number): Withdrawal {
  const remaining = Math.floor(capacity - missing / THOUSANDTHS);
  const lacking = missing - (capacity - points) * THOUSANDTHS;
  return { isGranted, remaining, retryAfterMs: isGranted ? 0 : Math.ceil(lacking / refillPerSecond) };
}

export interface MemoryBuckets extends Buckets {
  take(key: string, rate: BucketRate, points: number): Withdrawal;
}

/** Attempt to take points while the shared buckets are unavailable. */
export interface LocalAttempt {
  readonly key: string;
  readonly rate: BucketRate;
  readonly points: number;
  /** Number of processes that share the buckets. */
  readonly instances: number;
}

/**
 * Takes points from the bucket of this process while the shared one is unavailable. Each process uses its share of the bucket. Points
 * beyond the share are limited to it, so that waiting always helps.
 */
export function takeLocally(local: MemoryBuckets, { key, rate, points, instances }: LocalAttempt): Withdrawal {
  const capacity = Math.ceil(rate.capacity / instances);
  return local.take(key, { capacity, refillPerSecond: rate.refillPerSecond / instances }, Math.min(points, capacity));
}

interface Bucket {
  /** Points that are missing to the capacity. @unit thousandths of a point */
  missing: number;
  /** Time at which `missing` was computed. @unit whole milliseconds */
  at: number;
}

/**
 * Creates buckets in the memory of this process.
 *
 * @param maxEntries maximum number of buckets; the least recently used bucket is evicted and is full when it is used again
 */
export function createMemoryBuckets({ maxEntries, clock }: { readonly maxEntries: number; readonly clock: Clock }): MemoryBuckets {
  // With a number of entries as `max`, the cache would allocate its lists at once, which takes 10 ms for the default.
  const buckets = lazy(() => new LRUCache<string, Bucket>({ maxSize: maxEntries, sizeCalculation: () => 1 }));
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
