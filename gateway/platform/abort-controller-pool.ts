import { getEventListeners } from 'node:events';

/** Abort controller of the pool. */
export interface PooledController {
  readonly controller: AbortController;
  /** Number of requests that have used it. */
  uses: number;
}

/** Reuses abort controllers whose signals were never aborted. */
export interface AbortControllerPool {
  take(): PooledController;
  /** Returns a controller to the pool after its work, including everything that the work started, has succeeded. */
  release(pooled: PooledController): void;
}

/** Maximum size of the pool, which exceeds the number of concurrent requests. @unit controllers */
const MAX_POOLED = 1_000;

/**
 * Maximum number of uses. It limits dependent signals, which follow a signal without a listener and are invisible to the pool.
 *
 * @unit requests
 */
const MAX_USES = 500;

/**
 * Creates a pool. A new signal costs more than everything else that the pipeline does for a request, and signals are rarely aborted. A
 * signal that was not aborted and has no listeners is reused for another request (`npm run bench pipeline`).
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
