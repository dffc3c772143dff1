import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import type { OperationPlan } from './operation-plan.ts';

/**
 * A valid operation that cannot be planned, or whose plan cannot be run: a defect on our side, and the same each time,
 * because it follows from the operation and the supergraph alone. Its cause is for the log.
 */
export class OperationUnplannable extends GatewayError {
  /** Schema coordinate of the selected field that no fetch brings, which the message names; undefined where another cause is known. */
  readonly coordinate: string | undefined;

  constructor(cause: unknown, coordinate?: string) {
    const reason = coordinate === undefined ? '' : `The gateway has no plan that brings ${coordinate}. `;
    super('INTERNAL_SERVER_ERROR', reason + INTERNAL_ERROR_MESSAGE, { cause });
    this.name = 'OperationUnplannable';
    this.coordinate = coordinate;
  }
}

/** Plans operations over one supergraph. Pure and synchronous: it runs in the planner's thread. */
export interface QueryPlanner {
  /**
   * @throws OperationRefused when the operation asks for more than is planned
   * @throws UnfilledField when the plan has no fetch that brings a selected field: a defect
   * @throws Error when it cannot be planned: a defect, or a supergraph that composition would have refused
   */
  plan(input: PlanInput): OperationPlan;
}

/** One operation with everything decided that the plan depends on. Plain data. */
export interface PlanInput {
  /** Text of a document that is valid against the public schema. */
  readonly document: string;
  /** Absent where the document has one operation. */
  readonly operationName?: string;
  /** Values of the variables in `@skip` and `@include`, and in `@defer` where it counts, by name. */
  readonly conditions: Readonly<Record<string, boolean>>;
  /** Labels of `@override` that are on for this request. */
  readonly labels: readonly string[];
  /**
   * Whether what stands under `@defer` may come later than the rest.
   *
   * @defaultValue false: it comes with the rest
   */
  readonly isDeferring?: boolean;
}
