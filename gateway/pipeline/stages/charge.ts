import type { PreparedOperation } from '../../generation/prepared-operation.ts';
import { OperationRefused } from '../../operation/operation-refused.ts';
import type { Logger } from '../../platform/logger.ts';
import type { OutcomeInParts } from '../execution/incremental.ts';
import type { CachedOutcome } from '../operation-result.ts';
import type { OperationRun } from '../operation-run.ts';

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

/** Context of an operation that was charged by its estimate. */
export type ChargedOperation = Pick<OperationRun, 'operation' | 'variables' | 'budget' | 'estimated'>;

/** Least estimate that is settled: below it, computing the actual cost is more expensive than the refund is worth. @unit points */
const MIN_SETTLED = 10;

/**
 * Returns to the caller what an operation was charged beyond its actual cost. The cost of an incremental response is not known yet: nothing is
 * returned.
 *
 * @param body printed response, where it has `data` and nothing else. Counting in it is cheaper than in `data`: V8 joins the pieces of a text
 *   when it is first read, which takes milliseconds for megabytes, and the body is read once more to be sent. @defaultValue objects are counted
 *   in `data`
 */
export function settle(
  { operation, variables, budget, estimated }: ChargedOperation,
  { data, stream }: OutcomeInParts,
  body?: string,
): void {
  if (!budget.isLimited || estimated < MIN_SETTLED || stream !== undefined) return;
  const isPlain = operation.kind === 'query' && operation.isWeighted !== true;
  const actual = isPlain ? countObjects(data, body) : operation.actualCost(JSON.parse(data), variables);
  budget.settle(operation.kind, estimated, actual);
}

/** Does the same for a response that may be cached: a cache hit costs as little as anything can. */
export function settleCached(charged: ChargedOperation, { executed }: CachedOutcome): void {
  if (executed === undefined) charged.budget.settle(charged.operation.kind, charged.estimated, 0);
  else settle(charged, executed);
}

/** Counts objects below the root without parsing. A brace within a string counts too: less is given back then, never more. */
function countObjects(data: string, body: string | undefined): number {
  const text = body ?? data;
  let count = body === undefined ? -1 : -2;
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) count += 1;
  return count;
}
