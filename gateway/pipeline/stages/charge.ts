import type { PreparedOperation } from '../../generation/prepared-operation.ts';
import { OperationRejected } from '../../operation/operation-rejected.ts';
import type { Logger } from '../../platform/logger.ts';
import type { IncrementalResult } from '../execution/incremental.ts';
import type { CachedResult } from '../operation-result.ts';
import type { OperationRun } from '../operation-run.ts';

export interface CostLimitOptions {
  /** @unit points */
  readonly maxCost: number;
  /** Mode of the limit. `measure` logs an operation that exceeds the limit once, and executes it. */
  readonly mode: 'enforce' | 'measure';
  readonly logger: Logger;
}

/**
 * Estimates the cost of an operation with its variables.
 *
 * @unit points
 * @throws OperationRejected `COST_LIMIT_EXCEEDED` when the estimate exceeds the limit; `BAD_USER_INPUT` for page sizes that are not allowed
 */
export type CostLimit = (prepared: PreparedOperation, variables: Readonly<Record<string, unknown>>) => number;

export function createCostLimit({ maxCost, mode, logger }: CostLimitOptions): CostLimit {
  const reported = new WeakSet<PreparedOperation>();

  function exceed(prepared: PreparedOperation, estimated: number): void {
    if (mode === 'enforce') throw tooExpensive(estimated, maxCost);
    if (reported.has(prepared)) return;
    reported.add(prepared);
    logger.warn(
      { estimated, limit: maxCost },
      'The operation exceeds the cost limit. It is executed, because the mode of the limit is "measure".',
    );
  }

  return (prepared, variables) => {
    const estimated = prepared.cost(variables);
    if (estimated > maxCost) exceed(prepared, estimated);
    return estimated;
  };
}

function tooExpensive(estimated: number, limit: number): OperationRejected {
  const message = `The estimated cost of the operation is ${estimated} points; at most ${limit} are allowed. Request fewer items or fewer fields.`;
  return new OperationRejected('COST_LIMIT_EXCEEDED', [{ message, cost: { estimated, limit } }]);
}

/** An operation that was charged for its estimated cost. */
export type ChargedOperation = Pick<OperationRun, 'operation' | 'variables' | 'budget' | 'estimated'>;

/** Minimum estimate that is settled. Below it, computing the actual cost is more expensive than the refund is worth. @unit points */
const MIN_SETTLED = 10;

/**
 * Refunds the difference between the estimated and the actual cost. The cost of an incremental response is not known yet, so it gets no
 * refund.
 *
 * @param body printed response, when it has only `data`. Counting in it is cheaper than in `data`: V8 joins the pieces of a text when it is
 * first read, which takes milliseconds for megabytes, and the body is read again for sending. @defaultValue objects are counted in `data`
 */
export function settle(
  { operation, variables, budget, estimated }: ChargedOperation,
  { data, stream }: IncrementalResult,
  body?: string,
): void {
  if (!budget.isLimited || estimated < MIN_SETTLED || stream !== undefined) return;
  const isPlain = operation.kind === 'query' && operation.isCounted !== true;
  const actual = isPlain ? countObjects(data, body) : operation.actualCost(JSON.parse(data), variables);
  budget.settle(operation.kind, estimated, actual);
}

/** Settles a response that may be cached. A cache hit gets the maximum refund. */
export function settleCached(charged: ChargedOperation, { executed }: CachedResult): void {
  if (executed === undefined) charged.budget.settle(charged.operation.kind, charged.estimated, 0);
  else settle(charged, executed);
}

/** Counts objects below the root without parsing. A brace in a string is counted too, which makes the refund smaller, never larger. */
function countObjects(data: string, body: string | undefined): number {
  const text = body ?? data;
  let count = body === undefined ? -1 : -2;
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) count += 1;
  return count;
}
