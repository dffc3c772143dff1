import { systemClock } from './clock.ts';
import { createSwapRemoveList, type SwapRemoveItem } from './swap-remove-list.ts';

/** Pending operation that must end when its deadline passes or its caller aborts it. */
export interface Pending extends SwapRemoveItem {
  /** Deadline by the monotonic clock; `Infinity` for no deadline. @unit milliseconds */
  readonly dueAt: number;
  /** Signal of the caller that waits for it. */
  readonly signal: AbortSignal;
  /** Called once when the deadline has passed, but not after `release`. */
  expire(): void;
  /** Called once when the signal has been aborted, but not after `release`. */
  abort(reason: unknown): void;
}

/** List of pending operations with one timer. When it is disposed, all remaining operations expire. */
export interface DeadlineWatcher extends Disposable {
  watch(one: Pending): void;
  /** Removes an operation. @returns whether it was still watched */
  release(one: Pending): boolean;
}

/** Interval between two checks, which is too short to be noticeable for an abort or a deadline. @unit milliseconds */
const TICK_MS = 25;

/**
 * Creates a list whose deadlines and signals are checked at short intervals while it is not empty. Most requests end before the first
 * check. A timer and a listener for each request would cost a third of its other costs.
 *
 * A passed deadline is confirmed after one more turn of the event loop. After a stall, timers run before sockets are read, and responses
 * that have already arrived would count as late.
 */
export function createDeadlineWatcher(): DeadlineWatcher {
  const watched = createSwapRemoveList<Pending>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now = systemClock.monotonic();
    // The iteration is backwards, because the last element fills the slot of a removed one.
    for (let index = watched.size - 1; index >= 0; index -= 1) {
      const one = watched.at(index);
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
      // The timer does not keep the process alive; pending operations do that if necessary.
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
