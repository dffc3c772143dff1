import type { Clock } from '../platform/clock.ts';

/** How often clients may make us ask. @unit questions */
const MAX_REFRESHES = 3;
/** Until one more is granted. @unit milliseconds */
const REFILL_MS = 30_000;

/**
 * What clients may cause with keys that nobody knows: three questions, and one more every thirty seconds. Questions that fail
 * count as well, or tokens made up by anybody would storm an identity provider that is down.
 *
 * @returns whether one is granted; then it counts
 */
export function createRefreshBudget(clock: Clock): () => boolean {
  let left = MAX_REFRESHES;
  let refilledAt = clock.monotonic();
  return () => {
    const refills = Math.floor((clock.monotonic() - refilledAt) / REFILL_MS);
    left = Math.min(MAX_REFRESHES, left + refills);
    refilledAt += refills * REFILL_MS;
    if (left === 0) return false;
    left -= 1;
    return true;
  };
}
