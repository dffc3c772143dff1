import type { CompiledHooks } from '../../hooks/compile-hooks.ts';
import type { PlannerHost } from './planner-host.ts';

/** Runs `onPlan` for each plan before it is compiled. An error of the hook is an error of the plan, and the next request plans again. */
export function withPlanHook(planner: PlannerHost, onPlan: NonNullable<CompiledHooks['onPlan']>): PlannerHost {
  return {
    ready: planner.ready,
    async plan(input, signal, callers) {
      const plan = await planner.plan(input, signal, callers);
      const fetches = plan.fetches.map(({ subgraph, kind, dependsOn }) => ({ subgraph, kind, dependsOn: [...dependsOn] }));
      await onPlan({ kind: plan.kind, document: input.document, fetches }, () => undefined);
      return plan;
    },
    [Symbol.asyncDispose]: () => planner[Symbol.asyncDispose](),
  };
}
