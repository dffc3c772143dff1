import type { CompiledPlan } from '../plan/compiled-plan.ts';
import { runPlan } from './run-plan.ts';
import type { RunState } from './run-state.ts';

/** A plan that runs, of which something may be used before all is over. */
export interface RunningPlan {
  /** Whether all of these fetches are over, by their places in the plan. */
  isOver(fetches: ReadonlySet<number>): boolean;
  /** @throws what `runPlan` throws */
  until(fetches: ReadonlySet<number>): Promise<void>;
  /** Until a fetch has ended after the call. @throws what `runPlan` throws */
  next(): Promise<void>;
}

/** Runs a plan. */
export function startPlan(plan: CompiledPlan, state: RunState): RunningPlan {
  const over = new Set<number>();
  let waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = [];
  let defect: { readonly reason: unknown } | undefined;
  const settle = (): void => {
    const told = waiting;
    waiting = [];
    for (const { resolve, reject } of told)
      if (defect === undefined) resolve();
      else reject(defect.reason);
  };
  const whole = runPlan(plan, state, (index) => {
    over.add(index);
    settle();
  });
  whole.catch((reason: unknown) => {
    defect = { reason };
    settle();
  });
  const isOver = (fetches: ReadonlySet<number>): boolean => [...fetches].every((index) => over.has(index));
  const next = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      if (defect !== undefined) settle();
    });
  return {
    isOver,
    next,
    async until(fetches) {
      while (!isOver(fetches)) await next();
    },
  };
}
