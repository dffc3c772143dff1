import { systemClock } from '../platform/clock.ts';
import type { Pending, PendingList } from '../platform/pending.ts';

/**
 * Lets time pass.
 *
 * @throws the reason of the signal when that comes first
 */
export type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

/** Delays that end at the list's next look after their time. */
export function createDelay(pending: PendingList): Delay {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      const waiting: Pending = { dueAt: systemClock.monotonic() + ms, signal, place: undefined, expire: resolve, abort: reject };
      pending.watch(waiting);
    });
}
