import { getEventListeners } from 'node:events';

/** What stops the work of one request. */
export interface Stop {
  readonly controller: AbortController;
  /** Requests that had it. */
  uses: number;
}

/** Signals that were made and not used up. */
export interface Stops {
  take(): Stop;
  /** Gives it back after work that ended well, with all that it had begun. */
  giveBack(stop: Stop): void;
}

/** Requests that run at one time, and more than will. @unit signals */
const MAX_KEPT = 1_000;

/** What follows a signal without listening to it is not seen, and is not to grow for ever. @unit requests */
const MAX_USES = 500;

/**
 * A signal costs more than all else that the pipeline does for a request, and hardly one is ever aborted: one that was not,
 * and that nobody listens to any more, does for another request.
 */
export function createStops(): Stops {
  const kept: Stop[] = [];
  return {
    take: () => kept.pop() ?? { controller: new AbortController(), uses: 0 },
    giveBack(stop) {
      const { signal } = stop.controller;
      stop.uses += 1;
      if (signal.aborted || stop.uses >= MAX_USES || kept.length >= MAX_KEPT || getEventListeners(signal, 'abort').length > 0) return;
      kept.push(stop);
    },
  };
}
