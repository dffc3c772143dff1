import type { QueryPlannerOptions } from '../create-query-planner.ts';
import type { OperationPlan } from '../operation-plan.ts';
import type { PlanInput } from '../query-planner.ts';
import type { PlanFailure } from './plan-failure.ts';

/** What the planner's thread is started with. */
export interface ThreadData {
  readonly sdl: string;
  readonly plannerOptions: QueryPlannerOptions;
  /** Address of the module with `createQueryPlanner`. */
  readonly plannerModule: string;
}

/** One operation at a time: the next is sent when the one before was answered. */
export type ThreadRequest = PlanInput;

export type ThreadAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'not-started'; readonly failure: PlanFailure }
  | { readonly kind: 'planned'; readonly plan: OperationPlan }
  | { readonly kind: 'failed'; readonly failure: PlanFailure };
