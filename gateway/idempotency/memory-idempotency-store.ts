import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { lazy } from '../platform/lazy.ts';
import type { Claim, IdempotencyLimits, IdempotencyStore, Standing } from './idempotency-store.ts';

export interface MemoryIdempotencyStoreOptions extends IdempotencyLimits {
  /** Keys that are known; of those that are done, the ones that were asked for longest ago give way. @unit keys */
  readonly maxEntries: number;
  /** What is kept of those that are done. @unit bytes */
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** A key whose request is under way, or was abandoned. */
interface Pending {
  readonly owner: string;
  readonly fingerprint: string;
  token: string;
  /** @unit milliseconds, monotonic */
  leasedUntil: number;
}

/** A key whose request is done. */
interface Done {
  readonly owner: string;
  readonly fingerprint: string;
  readonly record: string;
}

/** Beside the record: keys, and places in the tables. @unit bytes */
const BYTES_PER_ENTRY = 512;
/** A text with one character beyond Latin-1 takes two bytes for each. */
const BYTES_PER_CHARACTER = 2;

/** In this process alone. What is under way does not give way to what is done: it would be done twice. */
export function createMemoryIdempotencyStore(options: MemoryIdempotencyStoreOptions): IdempotencyStore {
  const { leaseMs, timeToLiveMs, maxKeys, maxEntries, maxBytes, clock } = options;
  const pending = new Map<string, Pending>();
  const counts = new Map<string, number>();
  const done = lazy(
    () =>
      new LRUCache<string, Done>({
        max: maxEntries,
        maxSize: maxBytes,
        sizeCalculation: ({ owner, fingerprint, record }, place) =>
          BYTES_PER_ENTRY + BYTES_PER_CHARACTER * (owner.length + fingerprint.length + place.length + record.length),
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

  /** Of an attempt that has the key still. */
  function take(claim: Claim): boolean {
    const place = placeOf(claim);
    if (pending.get(place)?.token !== claim.token) return false;
    pending.delete(place);
    count(claim.owner, -1);
    return true;
  }

  function resume(known: Pending, { fingerprint, token }: Claim): Standing {
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
      const place = placeOf(claim);
      const known = pending.get(place);
      if (known !== undefined) return resume(known, claim);
      const found = done().get(place);
      if (found !== undefined) return found.fingerprint === fingerprint ? { state: 'done', record: found.record } : { state: 'reused' };
      if (isFull(owner)) return { state: 'full', retryAfterMs: timeToLiveMs };
      pending.set(place, { owner, fingerprint, token, leasedUntil: clock.monotonic() + leaseMs });
      count(owner, 1);
      return { state: 'new' };
    },
    complete(claim, record) {
      const { owner, fingerprint } = claim;
      if (!take(claim)) return false;
      count(owner, 1);
      done().set(placeOf(claim), { owner, fingerprint, record });
      if (!done().has(placeOf(claim))) count(owner, -1); // larger than all room there is
      return true;
    },
    release: take,
  };
}

function placeOf({ owner, key }: Claim): string {
  return `${owner}:${key}`;
}
