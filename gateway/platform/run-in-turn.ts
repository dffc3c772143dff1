import { systemClock } from './clock.ts';

/** Work that takes the event loop for long. @returns the rest of it, which runs in the turn after it, before all other work */
export type LongWork = () => LongWork | void;

/** Work that waits for its turn, in the order in which it came. */
const waiting: LongWork[] = [];

/** Work that took the event loop for less is followed by the next at once. @unit milliseconds */
const LONG_MS = 5;

/** How often it is looked whether anybody else waits. @unit milliseconds */
const LOOK_MS = 4;

/** How long others are served at most, in relation to what the work before took. */
const MAX_PAUSE = 2;

/** Whether work runs, or will run. */
let isRunning = false;

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
export function runInTurn(work: LongWork): void {
  waiting.push(work);
  start();
}

/**
 * Waits for an iteration of the loop without other long work, and comes before work that waits: for what ends a request, whose memory is free
 * after it. What is awaited next runs in the same iteration.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.unshift(() => resolve());
    start();
  });
}

function start(): void {
  if (isRunning) return;
  isRunning = true;
  setImmediate(runNext);
}

/** Steps run one after another in an iteration of the loop for so long. @unit milliseconds */
const STEPS_MS = 4;

/** Functions that are called when work in steps has ended. */
export interface StepsEnd<T> {
  readonly onDone: (result: T) => LongWork | void;
  /** Called with the error that a step ended with. */
  readonly onFailed: (error: unknown) => void;
}

/** Makes long work of steps. In each iteration of the loop, as many of them run as fit into some milliseconds. */
export function inSteps<T>(steps: Generator<undefined, T, undefined>, { onDone, onFailed }: StepsEnd<T>): LongWork {
  const work: LongWork = () => {
    const until = systemClock.monotonic() + STEPS_MS;
    try {
      do {
        const { done, value } = steps.next();
        if (done === true) return onDone(value);
      } while (systemClock.monotonic() < until);
    } catch (error) {
      onFailed(error);
      return;
    }
    return work;
  };
  return work;
}

function runNext(): void {
  const work = waiting.shift();
  const startedAt = systemClock.monotonic();
  try {
    const rest = work?.();
    if (rest !== undefined) waiting.unshift(rest);
  } finally {
    // What follows from the work, as promises are settled, has run by then.
    setImmediate(goOn, startedAt);
  }
}

function goOn(startedAt: number): void {
  if (waiting.length === 0) {
    isRunning = false;
    return;
  }
  const now = systemClock.monotonic();
  const elapsedMs = now - startedAt;
  if (elapsedMs < LONG_MS) runNext();
  else wait(now + MAX_PAUSE * elapsedMs);
}

function wait(until: number): void {
  if (!isAnybodyElseServed() || systemClock.monotonic() >= until) runNext();
  else setTimeout(wait, LOOK_MS, until);
}
