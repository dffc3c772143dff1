import { systemClock } from './clock.ts';

/** Work that occupies the event loop for a long time. @returns the remaining work, which runs in the next turn, before all other work */
export type LongWork = () => LongWork | void;

/** Queued work, in order of arrival. */
const waiting: LongWork[] = [];

/** Work that took less time is followed by the next work immediately. @unit milliseconds */
const LONG_MS = 5;

/** Interval at which the other requests are checked. @unit milliseconds */
const LOOK_MS = 4;

/** Maximum time for other requests after long work, as a multiple of the duration of that work. */
const MAX_PAUSE = 2;

/** Whether work is running or scheduled. */
let isRunning = false;

let areOthersServed: () => boolean = () => false;

/** Sets the function that reports whether other requests are being served. @param isServed called between two pieces of long work */
export function serveBetweenTurns(isServed: () => boolean): void {
  areOthersServed = isServed;
}

/**
 * Runs work that occupies the event loop for a long time, such as parsing megabytes, in an iteration of the loop without other such work.
 * Between two pieces, the loop handles the I/O of other requests. After long work, the next work waits until other requests are served, for
 * at most twice the duration of that work. A request of another caller takes several iterations, and should not be delayed by such work in
 * each of them.
 */
export function runInTurn(work: LongWork): void {
  waiting.push(work);
  start();
}

/**
 * Waits for an iteration of the loop without other long work, with priority over queued work. It is meant for work that completes a request
 * and frees its memory. Code after `await` runs in the same iteration.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.unshift(() => resolve());
    start();
  });
}

/** Runs steps in several iterations of the loop. @throws any error of a step */
export function runInTurns<T>(steps: Generator<undefined, T, undefined>): Promise<T> {
  return new Promise((resolve, reject) => runInTurn(inSteps(steps, { onDone: (result) => resolve(result), onFailed: reject })));
}

/**
 * Runs steps that complete a request and free its memory in several iterations of the loop, with priority over queued work.
 *
 * @throws any error of a step
 */
export function finishInTurns<T>(steps: Generator<undefined, T, undefined>): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting.unshift(inSteps(steps, { onDone: (result) => resolve(result), onFailed: reject }));
    start();
  });
}

function start(): void {
  if (isRunning) return;
  isRunning = true;
  setImmediate(runNext);
}

/** Maximum time for which steps run in one iteration of the loop. @unit milliseconds */
const STEPS_MS = 4;

/** Callbacks for the end of work in steps. */
export interface StepsEnd<T> {
  readonly onDone: (result: T) => LongWork | void;
  /** Called with the error that a step has thrown. */
  readonly onFailed: (error: unknown) => void;
}

/** Converts steps to long work. Each iteration of the loop runs as many steps as fit into some milliseconds. */
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
    // Promise callbacks of the work have run by then.
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
  if (!areOthersServed() || systemClock.monotonic() >= until) runNext();
  else setTimeout(wait, LOOK_MS, until);
}
