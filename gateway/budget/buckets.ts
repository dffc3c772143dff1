import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { lazy } from '../platform/lazy.ts';

/** How large a bucket is, and how fast it fills. */
export interface BucketRate {
  /** @unit points */
  readonly capacity: number;
  /** @unit points per second */
  readonly refillPerSecond: number;
}

/** What became of an attempt to take points. */
export interface Withdrawal {
  /** Whether all points were there; otherwise none was taken. */
  readonly isGranted: boolean;
  /** What is left now. @unit points, whole ones */
  readonly remaining: number;
  /** Until as many as were asked for are there; 0 where they were. @unit milliseconds */
  readonly retryAfterMs: number;
}

/** Buckets of points by key: each is full at first, and refills steadily. */
export interface Buckets {
  /**
   * Takes all of the points, or none.
   *
   * @param points whole; below 0 they are given back, up to the capacity
   * @returns a promise only where the buckets are not in this process. It is never rejected
   */
  take(key: string, rate: BucketRate, points: number): Withdrawal | Promise<Withdrawal>;
}

/**
 * Buckets are kept as what is missing from a full one, in thousandths of a point: so many come back each millisecond as points do each
 * second, and all numbers stay whole.
 */
export const THOUSANDTHS = 1_000;

/** @param missing what is missing from the bucket now, after points were taken or not. @unit thousandths of a point */
export function toWithdrawal({ capacity, refillPerSecond }: BucketRate, points: number, isGranted: boolean, missing: number): Withdrawal {
  const remaining = Math.floor(capacity - missing / THOUSANDTHS);
  const lacking = missing - (capacity - points) * THOUSANDTHS;
  return { isGranted, remaining, retryAfterMs: isGranted ? 0 : Math.ceil(lacking / refillPerSecond) };
}

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
