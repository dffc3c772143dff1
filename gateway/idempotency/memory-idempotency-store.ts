import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { lazy } from '../platform/lazy.ts';
import type { Claim, IdempotencyLimits, IdempotencyStore, KeyState } from './idempotency-store.ts';

export interface MemoryIdempotencyStoreOptions extends IdempotencyLimits {
  /** Maximum number of stored keys. Completed keys are evicted, least recently used first. @unit keys */
  readonly maxEntries: number;
  /** Maximum memory for completed keys. @unit bytes */
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** Key whose request is in progress or was abandoned. */
interface Pending {
  readonly owner: string;
  readonly fingerprint: string;
  token: string;
  /** End of the lease, by the monotonic clock. @unit milliseconds */
  leasedUntil: number;
}

/** Key whose request is completed. */
interface Done {
  readonly owner: string;
  readonly fingerprint: string;
  readonly record: string;
}

/** Size of the keys and table slots in addition to the record. @unit bytes */
const BYTES_PER_ENTRY = 512;
/** A string with one character beyond Latin-1 takes two bytes per character. */
const BYTES_PER_CHARACTER = 2;

/**
 * Creates a store in the memory of this process. Pending keys are never evicted for completed ones, because their requests would be
 * executed twice.
 */
export function createMemoryIdempotencyStore(options: MemoryIdempotencyStoreOptions): IdempotencyStore {
  const { leaseMs, timeToLiveMs, maxKeys, maxEntries, maxBytes, clock } = options;
  const pending = new Map<string, Pending>();
  const counts = new Map<string, number>();
  const done = lazy(
    () =>
      new LRUCache<string, Done>({
        max: maxEntries,
        maxSize: maxBytes,
        sizeCalculation: ({ owner, fingerprint, record }, storageKey) =>
          BYTES_PER_ENTRY + BYTES_PER_CHARACTER * (owner.length + fingerprint.length + storageKey.length + record.length),
        ttl: timeToLiveMs,
        ttlResolution: 0,
        perf: { now: () => clock.monotonic() },
        dispose: ({ owner }) => count(owner, -1),
      }),
  );

  function count(owner: string, step: number): void {
    const after = (counts.get(owner) ?? 0) + step;
    if (after > 0) counts.set(owner, after);
    else counts.delete(owner);
  }

  function isFull(owner: string): boolean {
    if ((counts.get(owner) ?? 0) < maxKeys && pending.size < maxEntries) return false;
    done().purgeStale();
    return (counts.get(owner) ?? 0) >= maxKeys || pending.size >= maxEntries;
  }

  /** Removes the pending key if the attempt still holds it. */
  function take(claim: Claim): boolean {
    const storageKey = storageKeyOf(claim);
    if (pending.get(storageKey)?.token !== claim.token) return false;
    pending.delete(storageKey);
    count(claim.owner, -1);
    return true;
  }

  function resume(known: Pending, { fingerprint, token }: Claim): KeyState {
    if (known.fingerprint !== fingerprint) return { state: 'reused' };
    const left = known.leasedUntil - clock.monotonic();
    if (left > 0) return { state: 'busy', retryAfterMs: Math.ceil(left) };
    known.token = token;
    known.leasedUntil = clock.monotonic() + leaseMs;
    return { state: 'abandoned' };
  }

  return {
    begin(claim) {
      const { owner, fingerprint, token } = claim;
      const storageKey = storageKeyOf(claim);
      const known = pending.get(storageKey);
      if (known !== undefined) return resume(known, claim);
      const found = done().get(storageKey);
      if (found !== undefined) return found.fingerprint === fingerprint ? { state: 'done', record: found.record } : { state: 'reused' };
      if (isFull(owner)) return { state: 'full', retryAfterMs: timeToLiveMs };
      pending.set(storageKey, { owner, fingerprint, token, leasedUntil: clock.monotonic() + leaseMs });
      count(owner, 1);
      return { state: 'new' };
    },
    complete(claim, record) {
      const { owner, fingerprint } = claim;
      if (!take(claim)) return false;
      count(owner, 1);
      done().set(storageKeyOf(claim), { owner, fingerprint, record });
      if (!done().has(storageKeyOf(claim))) count(owner, -1); // The entry exceeds the capacity of the whole cache.
      return true;
    },
    release: take,
  };
}

function storageKeyOf({ owner, key }: Claim): string {
  return `${owner}:${key}`;
}
