import { createFairQueue } from '../../platform/fair-queue.ts';

/** Schedules the preparation of documents that are not cached, fairly between callers. */
export interface PreparationTurns {
  /**
   * Prepares a document: immediately while this iteration of the event loop has time for it, otherwise when it is the caller's turn.
   *
   * @param callerOf identifies the caller that sent the document. Called only when the document must wait
   * @param prepare synchronous function that prepares the document
   * @returns a promise only when the document must wait
   * @throws the error of `prepare`, also as a rejection
   */
  run<T>(callerOf: () => string, prepare: () => T): Promise<T> | T;
}

interface Turn {
  readonly callers: ReadonlySet<string>;
  start(): void;
}

/** Time for preparing documents in one iteration of the event loop. The last document of an iteration may exceed it. @unit milliseconds */
const ITERATION_MS = 2;

/**
 * Limits the time for preparing documents in one iteration of the event loop, and prefers the caller that has used the least time. Parsing,
 * validating and compiling a document can take milliseconds. Without this limit, twenty documents that arrive together would delay all
 * other work until the last is prepared.
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
