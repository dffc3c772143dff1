import type { Clock } from '../platform/clock.ts';
import type { PrimaryNotice } from '../platform/primary-state.ts';
import type { BucketRate, MemoryBuckets, Withdrawal } from './buckets.ts';
import { createRecentUse, type RecentUse } from './recent-use.ts';

/** Time for which a worker may grant the points of a lease. @unit milliseconds */
export const LEASE_MS = 100;
/** Time after which a take is decided although a worker has not returned its lease. @unit milliseconds */
const REVOCATION_TIMEOUT_MS = 300;
/** Size of a lease as a multiple of the points that the worker took lately. */
const HEADROOM = 2;
/** Number of leases of each worker that would use up the remaining points. With it, leases become smaller as a bucket becomes empty. */
const SHARES = 4;

/** Result of a take, as it is sent to a worker. */
export type Taken = readonly [granted: 0 | 1, remaining: number, retryAfterMs: number];

/** Budgets of all workers in the primary. */
export interface PrimaryLeaseBook {
  /** Opens the budgets for a new worker. @param notify sends a message to the worker */
  open(notify: (notice: PrimaryNotice) => void): LeaseAccount;
}

/** Budgets in the primary, for one worker. */
export interface LeaseAccount {
  /** Takes points. Returns a promise if other workers must first return their leases of this key. */
  take(args: readonly unknown[]): Taken | Promise<Taken>;
  /** Ends the lease of a key. The arguments are the key and the points that were granted from it. */
  surrender(args: readonly unknown[]): void;
  /** Charges all leases of a worker that has ended, because it may have granted their points. */
  end(): void;
}

export interface LeaseBookOptions {
  readonly buckets: MemoryBuckets;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Calls a function later. Returns a function that cancels the call. */
  readonly schedule: (run: () => void, delayMs: number) => () => void;
}

interface TakeRequest {
  readonly key: string;
  readonly rate: BucketRate;
  readonly points: number;
}

interface LeasingWorker {
  readonly notify: (notice: PrimaryNotice) => void;
  readonly use: RecentUse;
}

interface Lease {
  readonly points: number;
  readonly refillPerSecond: number;
  /** Whether the worker did not return it in time. Further takes do not wait for it. */
  isLate: boolean;
}

interface WaitingTake {
  readonly worker: LeasingWorker;
  readonly request: TakeRequest;
  readonly resolve: (taken: Taken) => void;
}

/** A key with leases. */
interface LeasedKey {
  readonly key: string;
  readonly leases: Map<LeasingWorker, Lease>;
  /** Sum of the points of all leases. */
  reserved: number;
  /** Takes that wait for leases to be returned, in their order. */
  waiting: WaitingTake[];
  cancelTimeout: () => void;
}

/**
 * Creates the book. A lease reserves points of the bucket: they are neither missing nor available. When the worker returns the lease, the
 * points that it granted become missing, and the others are available again. A bucket therefore never grants more than without leases. It
 * grants less only if it refills completely while a lease lasts: points that are granted from the lease before that are charged after it.
 */
export function createPrimaryLeaseBook({ buckets, clock, schedule }: LeaseBookOptions): PrimaryLeaseBook {
  const workers = new Set<LeasingWorker>();
  const leased = new Map<string, LeasedKey>();

  function attempt({ key, rate, points }: TakeRequest, reserved: number): Withdrawal {
    return buckets.take(key, { capacity: rate.capacity - reserved, refillPerSecond: rate.refillPerSecond }, points);
  }

  function take(worker: LeasingWorker, request: TakeRequest): Taken | Promise<Taken> {
    const { key, points } = request;
    const held = leased.get(key);
    if (held !== undefined && held.waiting.length > 0 && points > 0) return wait(held, worker, request);
    const withdrawal = attempt(request, held?.reserved ?? 0);
    if (points <= 0) {
      if (held !== undefined) decideWaiting(held); // Returned points may be enough for them.
    } else if (withdrawal.isGranted) lend(worker, request, withdrawal.remaining);
    else if (held !== undefined && revoke(held)) return wait(held, worker, request);
    return toTaken(withdrawal);
  }

  /** Grants a lease if the worker uses the key frequently, has no lease of it, and enough points remain. */
  function lend(worker: LeasingWorker, { key, rate, points }: TakeRequest, remaining: number): void {
    const recent = worker.use.add(key, points);
    const size = Math.min(HEADROOM * (recent + points), Math.floor(remaining / (SHARES * workers.size)));
    if (recent === 0 || size < points) return;
    const held = leased.get(key) ?? { key, leases: new Map(), reserved: 0, waiting: [], cancelTimeout() {} };
    if (held.leases.has(worker)) return;
    const { capacity, refillPerSecond } = rate;
    held.leases.set(worker, { points: size, refillPerSecond, isLate: false });
    held.reserved += size;
    leased.set(key, held);
    worker.notify(['lease', key, size, remaining, capacity, refillPerSecond]);
  }

  /** Requests all leases of a key. Returns whether there is one that can be returned in time. */
  function revoke(held: LeasedKey): boolean {
    const { key, leases } = held;
    const revoked = [...leases].filter(([, { isLate }]) => !isLate);
    if (revoked.length === 0) return false;
    for (const [worker] of revoked) worker.notify(['revoke', key]);
    held.cancelTimeout = schedule(() => {
      for (const lease of leases.values()) lease.isLate = true;
      decideWaiting(held);
    }, REVOCATION_TIMEOUT_MS);
    return true;
  }

  function wait(held: LeasedKey, worker: LeasingWorker, request: TakeRequest): Promise<Taken> {
    return new Promise((resolve) => {
      held.waiting.push({ worker, request, resolve });
    });
  }

  /** Decides takes in their order, up to the first one that needs points of a lease which can still be returned. */
  function decideWaiting(held: LeasedKey): void {
    const { leases, waiting } = held;
    const isFinal = [...leases.values()].every(({ isLate }) => isLate);
    let decided = 0;
    for (const { request, resolve } of waiting) {
      const withdrawal = attempt(request, held.reserved);
      if (!withdrawal.isGranted && !isFinal) break;
      resolve(toTaken(withdrawal));
      decided += 1;
    }
    waiting.splice(0, decided);
    if (waiting.length === 0) held.cancelTimeout();
    if (waiting.length === 0 && leases.size === 0) leased.delete(held.key);
  }

  /** Ends a lease, of which these points were granted. */
  function endLease(held: LeasedKey, worker: LeasingWorker, spent: number): void {
    const lease = held.leases.get(worker);
    if (lease === undefined) return;
    held.leases.delete(worker);
    held.reserved -= lease.points;
    // The points were granted already, so the charge has no limit.
    if (spent > 0) buckets.take(held.key, { capacity: Infinity, refillPerSecond: lease.refillPerSecond }, spent);
  }

  function endWorker(worker: LeasingWorker): void {
    workers.delete(worker);
    for (const held of leased.values()) {
      endLease(held, worker, held.leases.get(worker)?.points ?? 0);
      held.waiting = held.waiting.filter((one) => one.worker !== worker);
      decideWaiting(held);
    }
  }

  return {
    open(notify) {
      const worker: LeasingWorker = { notify, use: createRecentUse(clock, LEASE_MS) };
      workers.add(worker);
      return {
        take(args) {
          const [key, capacity, refillPerSecond, points] = args as readonly [string, number, number, number];
          return take(worker, { key, rate: { capacity, refillPerSecond }, points });
        },
        surrender(args) {
          const [key, spent] = args as readonly [string, number];
          const held = leased.get(key);
          if (held === undefined) return;
          endLease(held, worker, spent);
          if (spent > 0) worker.use.add(key, spent);
          decideWaiting(held);
        },
        end: () => endWorker(worker),
      };
    },
  };
}

function toTaken({ isGranted, remaining, retryAfterMs }: Withdrawal): Taken {
  return [isGranted ? 1 : 0, Math.max(0, remaining), retryAfterMs];
}
