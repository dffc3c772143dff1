import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import type { OperationPlan } from './operation-plan.ts';

/**
 * Thrown for a valid operation that cannot be planned, or whose plan cannot be executed. It is a defect of the gateway, and occurs each
 * time, because it depends only on the operation and the supergraph. The cause is intended for the log.
 */
export class OperationUnplannable extends GatewayError {
  /** Schema coordinate of the selected field that no fetch provides, which the message contains; undefined for another cause. */
  readonly coordinate: string | undefined;

  constructor(cause: unknown, coordinate?: string) {
    const reason = coordinate === undefined ? '' : `The gateway cannot plan a request for ${coordinate}. `;
    super('INTERNAL_SERVER_ERROR', reason + INTERNAL_ERROR_MESSAGE, { cause });
    this.name = 'OperationUnplannable';
    this.coordinate = coordinate;
  }
}

/** Plans operations for one supergraph. Deterministic and synchronous: it runs in the planner's thread. */
export interface QueryPlanner {
  /**
   * Plans an operation.
   *
   * @throws OperationRejected when the operation is too complex
   * @throws UnfilledField when no fetch provides a selected field: a defect
   * @throws Error when the operation cannot be planned: a defect, or a supergraph that composition would have rejected
   */
  plan(input: PlanInput): OperationPlan;
}

/** An operation, with all values that the plan depends on. Plain data. */
export interface PlanInput {
  /** Text of a document that is valid against the public schema. */
  readonly document: string;
  /** Name of the operation; absent if the document has only one. */
  readonly operationName?: string;
  /** Values of the variables in `@skip` and `@include`, and in active `@defer` directives, by name. */
  readonly conditions: Readonly<Record<string, boolean>>;
  /** Active labels of `@override` for this request. */
  readonly labels: readonly string[];
  /** Whether selections under `@defer` may be delivered later than the rest. @defaultValue false: they are part of the initial result */
  readonly isDeferring?: boolean;
}
