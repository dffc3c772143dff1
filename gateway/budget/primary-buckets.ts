import type { PrimaryState } from '../platform/primary-state.ts';
import { type Buckets, type MemoryBuckets, takeLocally, type Withdrawal } from './buckets.ts';

export interface PrimaryBucketsOptions {
  readonly primary: PrimaryState;
  /** Buckets that are used while the primary does not respond. */
  readonly local: MemoryBuckets;
}

/** Creates buckets in the primary process, which all workers of this machine share. */
export function createPrimaryBuckets({ primary, local }: PrimaryBucketsOptions): Buckets {
  return {
    async take(key, rate, points) {
      const taken = await primary.call('take', [key, rate.capacity, rate.refillPerSecond, points]);
      if (taken === undefined) return takeLocally(local, { key, rate, points, instances: primary.workers });
      const [granted, remaining, retryAfterMs] = taken as Taken;
      return { isGranted: granted === 1, remaining, retryAfterMs };
    },
  };
}

type Taken = readonly [granted: 0 | 1, remaining: number, retryAfterMs: number];

/** Takes points in the primary, for a call of `createPrimaryBuckets`. */
export function takeForWorker(buckets: MemoryBuckets, args: readonly unknown[]): Taken {
  const [key, capacity, refillPerSecond, points] = args as readonly [string, number, number, number];
  const { isGranted, remaining, retryAfterMs }: Withdrawal = buckets.take(key, { capacity, refillPerSecond }, points);
  return [isGranted ? 1 : 0, remaining, retryAfterMs];
}
