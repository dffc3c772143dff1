import { systemClock } from './clock.ts';
import { createMembers, type Member } from './swap-remove-list.ts';

/** Something that is waited for, and must end when it is late or when nobody waits any more. */
export interface Pending extends Member {
  /** By the monotonic clock; `Infinity` for no deadline. @unit milliseconds */
  readonly dueAt: number;
  /** Whose waiting it is. */
  readonly signal: AbortSignal;
  /** Called once when it is late, and not after `release`. */
  expire(): void;
  /** Called once when the signal has been aborted, and not after `release`. */
  abort(reason: unknown): void;
}

/** Everything that is waited for, under one timer. Disposed of, it lets nobody wait: all that is left expires. */
export interface PendingList extends Disposable {
  watch(one: Pending): void;
  /** @returns whether it was watched still */
  release(one: Pending): boolean;
}

/** How often the list is looked through: far below what anybody notices of an abort or a deadline. @unit milliseconds */
const TICK_MS = 25;

/**
 * Watches deadlines and signals by looking at them at short intervals while there are any. Most requests have ended before
 * the first look: a timer and a listener for each would cost a third of what else a request costs, for nothing.
 *
 * A deadline that has passed is confirmed after one more turn of the event loop: after a stall timers run before sockets
 * are read, and answers that have long arrived would all count as late.
 */
export function createPendingList(): PendingList {
  const watched = createMembers<Pending>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now = systemClock.monotonic();
    // From the end, because what takes a free place comes from there.
    for (let place = watched.size - 1; place >= 0; place -= 1) {
      const one = watched.at(place);
      if (one === undefined) continue;
      if (one.signal.aborted) {
        watched.remove(one);
        one.abort(one.signal.reason);
      } else if (one.dueAt <= now) setImmediate(confirm, one);
    }
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function confirm(one: Pending): void {
    if (watched.remove(one)) one.expire();
  }

  return {
    watch(one) {
      watched.add(one);
      // What is waited for keeps the process alive, if anything should.
      timer ??= setInterval(look, TICK_MS).unref();
    },
    release: watched.remove,
    [Symbol.dispose]() {
      clearInterval(timer);
      timer = undefined;
      for (let one = watched.at(0); one !== undefined; one = watched.at(0)) confirm(one);
    },
  };
}
