import { createFairQueue } from '../../platform/fair-queue.ts';

/** Lets callers take turns with preparing documents that are not known yet. */
export interface PreparationTurns {
  /**
   * Prepares a document: at once while this iteration of the event loop has time for it, otherwise when it is the caller's turn.
   *
   * @param callerOf names the caller who sent the document. Called only where the document has to wait
   * @param prepare runs without waiting for anything
   * @returns a promise only where the document has to wait
   * @throws what `prepare` throws, also as a rejection
   */
  run<T>(callerOf: () => string, prepare: () => T): Promise<T> | T;
}

interface Turn {
  readonly callers: ReadonlySet<string>;
  start(): void;
}

/** Time for preparing documents in one iteration of the event loop. The last one of an iteration may take longer. @unit milliseconds */
const ITERATION_MS = 2;

/**
 * Bounds the time of preparing documents in one iteration of the event loop, and lets the caller go first who has used least. To parse,
 * validate and compile a document can take milliseconds: twenty that arrive together would otherwise be prepared one after another before
 * anything else is served.
 *
 * @param now clock for durations. @unit milliseconds @defaultValue `performance.now`
 */
export function createPreparationTurns(now: () => number = () => performance.now()): PreparationTurns {
  const waiting = createFairQueue<Turn>();
  let spent = 0;
  let isArmed = false;

  function timed<T>(prepare: () => T): T {
    if (!isArmed) {
      isArmed = true;
      setImmediate(nextIteration);
    }
    const start = now();
    try {
      return prepare();
    } finally {
      spent += now() - start;
    }
  }

  function nextIteration(): void {
    spent = 0;
    isArmed = false;
    while (spent < ITERATION_MS) {
      const turn = waiting.shift();
      if (turn === undefined) return;
      const before = spent;
      timed(turn.start);
      waiting.charge(turn, spent - before);
    }
  }

  return {
    run(callerOf, prepare) {
      if (spent < ITERATION_MS && waiting.size === 0) return timed(prepare);
      return new Promise((resolve, reject) => {
        function start(): void {
          try {
            resolve(prepare());
          } catch (error) {
            reject(error);
          }
        }
        waiting.push({ callers: new Set([callerOf()]), start });
      });
    },
  };
}
