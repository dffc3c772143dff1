import type { EncodedIndexes } from '../indexing/encode-indexes.ts';
import type { OperationPlan } from '../operation-plan.ts';
import type { PlanInput } from '../query-planner.ts';

/** Plans operations for one supergraph, in this thread or in another. */
export interface PlannerHost extends AsyncDisposable {
  /**
   * Fulfilled when operations can be planned, with the indexes of the supergraph if they were requested and the supergraph can have them.
   * Calls of `plan` need not wait for it.
   *
   * @throws Error when the planner cannot load the supergraph
   */
  readonly ready: Promise<EncodedIndexes | undefined>;
  /**
   * Plans an operation.
   *
   * @param signal stops waiting; a plan in progress is completed
   * @param callers names of the callers that wait for the plan. Others can be added to the set while it waits.
   * @defaultValue one caller without a name
   * @throws OperationRejected when the operation is too complex, or takes too long to plan
   * @throws OperationUnplannable when the operation cannot be planned, which is never the caller's mistake
   * @throws GatewayError `OVERLOADED` when too many operations are queued, in total or by the first of these callers
   * @throws Error when planning failed temporarily; the reason of `signal` when it is aborted
   */
  plan(input: PlanInput, signal?: AbortSignal, callers?: ReadonlySet<string>): Promise<OperationPlan>;
}
