import type { Clock } from '../platform/clock.ts';
import type { LeaseNotice, PrimaryState } from '../platform/primary-state.ts';
import { type BucketRate, type Buckets, type MemoryBuckets, takeLocally, type Withdrawal } from './buckets.ts';
import { LEASE_MS, type Taken } from './primary-lease-book.ts';

export interface PrimaryBucketsOptions {
  readonly primary: PrimaryState;
  /** Buckets that are used while the primary does not respond. */
  readonly local: MemoryBuckets;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Calls a function later. @defaultValue a timer that does not keep the process running */
  readonly schedule?: (run: () => void, delayMs: number) => void;
}

/** Buckets in the primary. Disposing them returns all leases. */
export interface PrimaryBuckets extends Buckets, Disposable {}

/** Points that this worker may grant without the primary. */
interface OwnLease extends BucketRate {
  readonly endsAt: number;
  /** Points that remain in the bucket, including those of this lease. */
  remaining: number;
  /** Points of the lease that are not granted. */
  unspent: number;
  spent: number;
}

/**
 * Creates buckets in the primary process, which all workers of this machine share. A key that this worker uses frequently is granted from a
 * lease of points, without a call.
 */
export function createPrimaryBuckets({ primary, local, clock, schedule = startTimer }: PrimaryBucketsOptions): PrimaryBuckets {
  const leases = new Map<string, OwnLease>();
  let isSweeping = false;
  let isDisposed = false;

  primary.onNotice((notice) => {
    const [name, key] = notice;
    if (name === 'lease') accept(notice);
    else surrender(key);
  });

  function accept([, key, unspent, remaining, capacity, refillPerSecond]: LeaseNotice): void {
    leases.set(key, { capacity, refillPerSecond, endsAt: clock.monotonic() + LEASE_MS, remaining, unspent, spent: 0 });
    if (isDisposed) surrender(key);
    else if (!isSweeping) {
      isSweeping = true;
      schedule(sweep, LEASE_MS);
    }
  }

  /** Returns the lease of a key, if there is one. */
  function surrender(key: string): void {
    const lease = leases.get(key);
    if (lease === undefined) return;
    leases.delete(key);
    primary.report('surrender', [key, lease.spent]);
  }

  /** Returns expired leases, so that their points are available to other workers. */
  function sweep(): void {
    const now = clock.monotonic();
    for (const [key, { endsAt }] of leases) if (endsAt <= now) surrender(key);
    isSweeping = leases.size > 0;
    if (isSweeping) schedule(sweep, LEASE_MS);
  }

  async function call(key: string, rate: BucketRate, points: number): Promise<Withdrawal> {
    const taken = await primary.call('take', [key, rate.capacity, rate.refillPerSecond, points]);
    if (taken === undefined) return takeLocally(local, { key, rate, points, instances: primary.workers });
    const [granted, remaining, retryAfterMs] = taken as Taken;
    return { isGranted: granted === 1, remaining, retryAfterMs };
  }

  /** Refunds a lease up to the points that were spent of it. The bucket receives the others, because it may be full meanwhile. */
  function refund(key: string, lease: OwnLease, points: number): Withdrawal | Promise<Withdrawal> {
    const own = Math.max(points, -lease.spent);
    const withdrawal = takeFrom(lease, own);
    return own === points ? withdrawal : call(key, lease, points - own);
  }

  return {
    take(key, rate, points) {
      const lease = leases.get(key);
      if (lease === undefined) return call(key, rate, points);
      if (isValid(lease, rate, clock.monotonic())) {
        if (points < 0) return refund(key, lease, points);
        if (points <= lease.unspent) return takeFrom(lease, points);
      }
      surrender(key);
      return call(key, rate, points);
    },
    [Symbol.dispose]() {
      isDisposed = true;
      for (const key of leases.keys()) surrender(key);
    },
  };
}

function isValid({ capacity, refillPerSecond, endsAt }: OwnLease, rate: BucketRate, now: number): boolean {
  return now < endsAt && rate.capacity === capacity && rate.refillPerSecond === refillPerSecond;
}

function takeFrom(lease: OwnLease, points: number): Withdrawal {
  lease.unspent -= points;
  lease.spent += points;
  lease.remaining -= points;
  return { isGranted: true, remaining: lease.remaining, retryAfterMs: 0 };
}

function startTimer(run: () => void, delayMs: number): void {
  setTimeout(run, delayMs).unref();
}
