import type { OperationPlan } from '../operation-plan.ts';
import type { PlanInput } from '../query-planner.ts';

/** Plans operations over one supergraph, wherever that happens. */
export interface PlannerHost extends AsyncDisposable {
  /**
   * Fulfilled once operations can be planned. `plan` need not wait for it.
   *
   * @throws Error when the supergraph cannot be planned over
   */
  readonly ready: Promise<void>;
  /**
   * @param signal gives up waiting; what has begun is planned to its end
   * @param callers names of those who wait for the plan. Others can be added to the set while it waits. @defaultValue one without a name
   * @throws OperationRefused when the operation asks for more than is planned, or takes too long to plan
   * @throws OperationUnplannable when it cannot be planned, which is never the caller's mistake
   * @throws GatewayError `OVERLOADED` when too many operations wait to be planned, of all callers or of the first of these
   * @throws Error when planning failed this time, and may not the next; the reason of `signal` when it is aborted
   */
  plan(input: PlanInput, signal?: AbortSignal, callers?: ReadonlySet<string>): Promise<OperationPlan>;
}
