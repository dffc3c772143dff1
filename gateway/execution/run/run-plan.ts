import type { CompiledFetch, CompiledPlan } from '../plan/compiled-plan.ts';
import { runFetch } from './run-fetch.ts';
import type { RunState } from './run-state.ts';

/**
 * Runs the fetches of a plan. Each fetch starts as soon as its dependencies are complete. The promise is rejected with the first defect,
 * and no fetch starts after it.
 *
 * @param onOver Called with the index of each completed fetch.
 */
export function runPlan({ fetches }: CompiledPlan, state: RunState, onOver?: (index: number) => void): Promise<void> {
  const [only] = fetches;
  return only !== undefined && fetches.length === 1 && onOver === undefined ? runOnly(only, state) : runAll(fetches, state, onOver);
}

/** Runs a plan with a single fetch. Most small operations have one, and it needs no scheduling. */
function runOnly(fetch: CompiledFetch, state: RunState): Promise<void> {
  try {
    return runFetch(fetch, state) ?? Promise.resolve();
  } catch (error) {
    return Promise.reject(error);
  }
}

function runAll(fetches: readonly CompiledFetch[], state: RunState, onOver: ((index: number) => void) | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiting = fetches.map(({ waitsFor }) => waitsFor);
    let open = fetches.length;
    let isStopped = false;
    const stop = (reason: unknown): void => {
      isStopped = true;
      reject(reason);
    };
    const end = (fetch: CompiledFetch): void => {
      open -= 1;
      onOver?.(fetch.index);
      if (open === 0) return resolve();
      for (const index of fetch.dependents) {
        waiting[index] = (waiting[index] ?? 0) - 1;
        const dependent = fetches[index];
        if (waiting[index] === 0 && dependent !== undefined) begin(dependent);
      }
    };
    const begin = (fetch: CompiledFetch): void => {
      if (isStopped) return;
      const sent = runFetch(fetch, state);
      if (sent === undefined) end(fetch);
      else sent.then(() => goOn(fetch), stop);
    };
    const goOn = (fetch: CompiledFetch): void => {
      try {
        end(fetch);
      } catch (error) {
        stop(error);
      }
    };
    if (open === 0) return resolve();
    for (const fetch of fetches) if (fetch.waitsFor === 0) begin(fetch);
  });
}
