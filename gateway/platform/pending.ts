import { systemClock } from './clock.ts';

/** Something that is waited for, and must end when it is late or when nobody waits any more. */
export interface Pending {
  /** By the monotonic clock; `Infinity` for no deadline. @unit milliseconds */
  readonly dueAt: number;
  /** Whose waiting it is. */
  readonly signal: AbortSignal;
  /** Kept by the list; begins as undefined. */
  place: number | undefined;
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
  // Not a Set: one that lives long and sees thousands of short lives a second costs more than the rest of a request's book-keeping.
  const watched: Pending[] = [];
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now = systemClock.monotonic();
    // From the end, because what takes a free place comes from there.
    for (let place = watched.length - 1; place >= 0; place -= 1) {
      const one = watched[place];
      if (one === undefined) continue;
      if (one.signal.aborted) {
        remove(one);
        one.abort(one.signal.reason);
      } else if (one.dueAt <= now) setImmediate(confirm, one);
    }
    if (watched.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function confirm(one: Pending): void {
    if (remove(one)) one.expire();
  }

  /** The last one takes the place that becomes free. */
  function remove(one: Pending): boolean {
    const { place } = one;
    if (place === undefined) return false;
    one.place = undefined;
    const last = watched.pop();
    if (last === undefined || last === one) return true;
    watched[place] = last;
    last.place = place;
    return true;
  }

  return {
    watch(one) {
      one.place = watched.length;
      watched.push(one);
      // What is waited for keeps the process alive, if anything should.
      timer ??= setInterval(look, TICK_MS).unref();
    },
    release: remove,
    [Symbol.dispose]() {
      clearInterval(timer);
      timer = undefined;
      while (watched[0] !== undefined) confirm(watched[0]);
    },
  };
}
