import { systemClock } from './clock.ts';

/** Work that waits, with the time since which it waits. */
interface WaitingWork {
  readonly run: () => void;
  readonly since: number;
}

/** Queued work that runs first, in order of arrival. */
const urgent: WaitingWork[] = [];

/** Other queued work, in order of arrival. */
const ordinary: WaitingWork[] = [];

/** Maximum number of pieces of work in one iteration of the event loop. */
const MAX_PIECES = 32;

/** Time after which no further work begins in an iteration; undefined without a limit. @unit milliseconds */
let limitMs: number | undefined;

/** Time at which work began in the current iteration. */
let startedAt: number | undefined;

/** Time at which the last piece of the current iteration began. */
let pieceStartedAt: number | undefined;

/** Mean duration of a piece, of which the last ones count most. @unit milliseconds */
let pieceMs = 0;

/** Weight of one piece in the mean. */
const PIECE_WEIGHT = 0.2;

/** Number of callbacks that have not run. */
let scheduled = 0;

/**
 * Limits the duration of work in one iteration of the event loop. Without a limit, an iteration handles everything that has arrived. During
 * overload that can take hundreds of milliseconds, in which no request can be rejected and no health check gets a response.
 *
 * @param ms Time after which no further work begins in an iteration. Undefined removes the limit. @unit milliseconds
 */
export function limitWorkPerIteration(ms: number | undefined): void {
  limitMs = ms;
}

/** Whether work must be passed to `runWithinLimit`. */
export function isWorkLimited(): boolean {
  return limitMs !== undefined;
}

/**
 * Runs work in one of the next iterations, after the work of the same urgency that already waits.
 *
 * @param work It must not throw.
 * @param isUrgent Whether it runs before work that is not urgent. @defaultValue false
 */
export function runWithinLimit(work: () => void, isUrgent = false): void {
  (isUrgent ? urgent : ordinary).push({ run: work, since: systemClock.monotonic() });
  schedule();
}

/**
 * Returns the longer of two times: that for which the first work in the queue has waited, and that for which new work would have to wait. 0 if
 * no work waits.
 *
 * @param now monotonic time. @unit milliseconds
 */
export function waitOfWork(now: number): number {
  const firstSince = Math.min(urgent[0]?.since ?? now, ordinary[0]?.since ?? now);
  return Math.max(now - firstSince, countWaiting() * pieceMs);
}

function countWaiting(): number {
  return urgent.length + ordinary.length;
}

/** Schedules a callback for each piece, because Node.js runs the promise callbacks of a piece after it. */
function schedule(): void {
  if (scheduled >= Math.min(countWaiting(), MAX_PIECES)) return;
  scheduled += 1;
  setImmediate(runNext);
}

function runNext(): void {
  const now = systemClock.monotonic();
  if (pieceStartedAt !== undefined) pieceMs += (now - pieceStartedAt - pieceMs) * PIECE_WEIGHT;
  pieceStartedAt = undefined;
  startedAt ??= now;
  scheduled -= 1;
  if (now - startedAt < (limitMs ?? Number.POSITIVE_INFINITY)) {
    pieceStartedAt = now;
    (urgent.shift() ?? ordinary.shift())?.run();
  }
  if (scheduled > 0) return;
  startedAt = undefined;
  pieceStartedAt = undefined;
  for (let piece = Math.min(countWaiting(), MAX_PIECES); piece > 0; piece -= 1) schedule();
}
