import type { QueryPlanner } from '../query-planner.ts';
import { fromPlanFailure, toPlanFailure } from './thread-messages.ts';
import type { PlannerHost } from './planner-host.ts';

/**
 * Creates a planner that runs in the current thread. It has no timeout and blocks the thread while it plans. For tests, and for tools that
 * plan a single operation.
 */
export function createInProcessPlanner(planner: QueryPlanner): PlannerHost {
  return {
    ready: Promise.resolve(undefined),
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
