import type { QueryPlanner } from '../query-planner.ts';
import { fromPlanFailure, toPlanFailure } from './thread-messages.ts';
import type { PlannerHost } from './planner-host.ts';

/** A planner in this thread: no deadline, and nobody is served while it plans. For tests, and for tools that plan one operation. */
export function createInProcessPlanner(planner: QueryPlanner): PlannerHost {
  return {
    ready: Promise.resolve(),
    async plan(input, signal) {
      signal?.throwIfAborted();
      try {
        return planner.plan(input);
      } catch (error) {
        throw fromPlanFailure(toPlanFailure(error));
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}
