import type { PreparedOperation } from '../generation/prepared-operation.ts';
import { OperationRefused } from '../operation/errors.ts';
import type { Logger } from '../platform/logger.ts';

export interface CostLimitOptions {
  /** @unit points */
  readonly maxCost: number;
  /** `measure` reports an operation beyond the limit in the log, once, and runs it. */
  readonly mode: 'enforce' | 'measure';
  readonly logger: Logger;
}

/**
 * What an operation is estimated to cost with its variables.
 *
 * @unit points
 * @throws OperationRefused `COST_LIMIT_EXCEEDED` where that is more than an operation may; `BAD_USER_INPUT` for page sizes that are not
 *   allowed
 */
export type CostLimit = (prepared: PreparedOperation, variables: Readonly<Record<string, unknown>>) => number;

export function createCostLimit({ maxCost, mode, logger }: CostLimitOptions): CostLimit {
  const reported = new WeakSet<PreparedOperation>();

  function exceed(prepared: PreparedOperation, estimated: number): void {
    if (mode === 'enforce') throw tooExpensive(estimated, maxCost);
    if (reported.has(prepared)) return;
    reported.add(prepared);
    logger.warn({ estimated, limit: maxCost }, 'An operation costs more than the limit, which is measured and not enforced.');
  }

  return (prepared, variables) => {
    const estimated = prepared.cost(variables);
    if (estimated > maxCost) exceed(prepared, estimated);
    return estimated;
  };
}

function tooExpensive(estimated: number, limit: number): OperationRefused {
  const message = `The operation costs ${estimated} points by estimate; ${limit} are allowed. Ask for fewer items, or for less of each.`;
  return new OperationRefused('COST_LIMIT_EXCEEDED', [{ message, cost: { estimated, limit } }]);
}
