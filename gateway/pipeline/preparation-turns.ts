import { createFairQueue } from '../platform/fair-queue.ts';

/** Lets callers take turns with preparing documents that are not known yet. */
export interface PreparationTurns {
  /** Waits for a turn. @param caller name of who sent the document @returns undefined where the turn is now */
  take(caller: string): Promise<void> | undefined;
}

interface Turn {
  readonly callers: ReadonlySet<string>;
  start(): void;
}

/**
 * Gives one turn in each iteration of the event loop, to the caller who has had fewest. To parse, validate and compile a document takes
 * milliseconds: twenty that arrive together would otherwise be prepared one after another before anything else is served.
 */
export function createPreparationTurns(): PreparationTurns {
  const waiting = createFairQueue<Turn>();
  let isTaken = false;

  function next(): void {
    const turn = waiting.shift();
    if (turn === undefined) {
      isTaken = false;
      return;
    }
    waiting.charge(turn, 1);
    turn.start();
    setImmediate(next);
  }

  return {
    take(caller) {
      if (isTaken) return new Promise((start) => waiting.push({ callers: new Set([caller]), start }));
      isTaken = true;
      setImmediate(next);
      return undefined;
    },
  };
}
