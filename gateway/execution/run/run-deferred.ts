import type { CompiledPlan } from '../plan/compiled-plan.ts';
import { runPlan } from './run-plan.ts';
import type { RunState } from './run-state.ts';

/** A running plan whose results can be used before all fetches are complete. */
export interface RunningPlan {
  /** Whether all of these fetches are complete, by their indices in the plan. */
  isOver(fetches: ReadonlySet<number>): boolean;
  /** Waits until these fetches are complete. @throws the same errors as `runPlan` */
  until(fetches: ReadonlySet<number>): Promise<void>;
  /** Waits until the next fetch completes. @throws the same errors as `runPlan` */
  next(): Promise<void>;
}

/** Starts a plan. */
export function startPlan(plan: CompiledPlan, state: RunState): RunningPlan {
  const over = new Set<number>();
  let waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = [];
  let defect: { readonly reason: unknown } | undefined;
  const settle = (): void => {
    const reported = waiting;
    waiting = [];
    for (const { resolve, reject } of reported)
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
