import { getEventListeners } from 'node:events';

/** An abort controller of the pool. */
export interface PooledController {
  readonly controller: AbortController;
  /** Requests that have used it. */
  uses: number;
}

/** Reuses abort controllers whose signals were never aborted. */
export interface AbortControllerPool {
  take(): PooledController;
  /** Takes a controller back after work that ended well, with all that it had begun. */
  release(pooled: PooledController): void;
}

/** More than requests that run at one time. @unit controllers */
const MAX_POOLED = 1_000;

/** Bounds what follows a signal without listening to it, which the pool cannot see. @unit requests */
const MAX_USES = 500;

/**
 * Creates a pool. A new signal costs more than all else that the pipeline does for a request, and hardly one is ever aborted: one that was not,
 * and that nothing listens to any more, serves another request (`npm run bench pipeline`).
 */
export function createAbortControllerPool(): AbortControllerPool {
  const pooled: PooledController[] = [];
  return {
    take: () => pooled.pop() ?? { controller: new AbortController(), uses: 0 },
    release(used) {
      const { signal } = used.controller;
      used.uses += 1;
      if (signal.aborted || used.uses >= MAX_USES || pooled.length >= MAX_POOLED || getEventListeners(signal, 'abort').length > 0) return;
      pooled.push(used);
    },
  };
}
