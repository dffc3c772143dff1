import { systemClock } from './clock.ts';

/** Work that waits for its turn, in the order in which it came. */
const waiting: (() => void)[] = [];

/** Work that took the event loop for less is followed by the next at once. @unit milliseconds */
const LONG_MS = 10;

/** How often it is looked whether anybody else waits. @unit milliseconds */
const LOOK_MS = 4;

/** How long others are served at most, in relation to what the work before took. */
const MAX_PAUSE = 2;

let isAnybodyElseServed: () => boolean = () => false;

/** Tells how to find out if requests are served beside the work that takes turns. @param isServed called between two pieces of long work */
export function serveBetweenTurns(isServed: () => boolean): void {
  isAnybodyElseServed = isServed;
}

/**
 * Runs work that takes the event loop for long, such as parsing megabytes, in an iteration of the loop without other such work. Between two
 * pieces the loop takes in and sends what others wait for. After long work the next waits until others are served, for twice as long as that
 * work took at most: a request of another caller takes several iterations, and shall not meet such work in each of them.
 */
export function runInTurn(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(runNext);
}

function runNext(): void {
  const work = waiting[0];
  const startedAt = systemClock.monotonic();
  try {
    work?.();
  } finally {
    // What follows from the work, as promises are settled, has run by then.
    setImmediate(goOn, startedAt);
  }
}

function goOn(startedAt: number): void {
  waiting.shift();
  if (waiting.length === 0) return;
  const now = systemClock.monotonic();
  const elapsedMs = now - startedAt;
  if (elapsedMs < LONG_MS) runNext();
  else wait(now + MAX_PAUSE * elapsedMs);
}

function wait(until: number): void {
  if (!isAnybodyElseServed() || systemClock.monotonic() >= until) runNext();
  else setTimeout(wait, LOOK_MS, until);
}
