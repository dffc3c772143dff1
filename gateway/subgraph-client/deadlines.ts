import { systemClock } from '../platform/clock.ts';

/** Something that must end by a certain time. */
export interface Expiring {
  /** By the monotonic clock. @unit milliseconds */
  readonly dueAt: number;
  /** Called when it is late, and not after `release`. */
  expire(): void;
}

/** The deadlines of all requests, under one timer. */
export interface Deadlines extends Disposable {
  watch(one: Expiring): void;
  release(one: Expiring): void;
}

/**
 * Watches deadlines. A timer for each request would be made and unmade thousands of times a second and hardly ever fire;
 * here a request costs an entry in a set, and the one timer stands until the earliest deadline it knows of.
 *
 * A deadline that has passed is confirmed after one more turn of the event loop: after a stall timers run before sockets
 * are read, and answers that have long arrived would all count as late.
 */
export function createDeadlines(): Deadlines {
  const watched = new Set<Expiring>();
  let timer: NodeJS.Timeout | undefined;
  let armedFor = Infinity;

  function arm(dueAt: number): void {
    clearTimeout(timer);
    armedFor = dueAt;
    timer = setTimeout(sweep, Math.max(1, Math.ceil(dueAt - systemClock.monotonic())));
    timer.unref(); // what is waited for keeps the process alive, if anything should
  }

  function sweep(): void {
    const now = systemClock.monotonic();
    let next = Infinity;
    armedFor = Infinity;
    for (const one of watched) {
      if (one.dueAt <= now) setImmediate(confirm, one);
      else next = Math.min(next, one.dueAt);
    }
    if (next < Infinity) arm(next);
  }

  function confirm(one: Expiring): void {
    if (watched.delete(one)) one.expire();
  }

  return {
    watch(one) {
      watched.add(one);
      if (one.dueAt < armedFor) arm(one.dueAt);
    },
    release(one) {
      watched.delete(one);
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      watched.clear();
    },
  };
}
