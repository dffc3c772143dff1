import type { Generation } from '../../generation/generation.ts';
import type { PreparedOperation } from '../../generation/prepared-operation.ts';
import type { ExpensiveList } from '../../operation/cost/most-expensive-list.ts';
import { OperationRejected } from '../../operation/operation-rejected.ts';
import type { LogSampler } from '../../platform/log-sampler.ts';
import { countJsonObjects } from '../../platform/count-json-objects.ts';
import type { Logger } from '../../platform/logger.ts';
import { JsonText } from '../../platform/json-source.ts';
import { parseInSlices } from '../../platform/parse-in-slices.ts';
import { inSteps, runInTurn } from '../../platform/run-in-turn.ts';
import type { IncrementalResult } from '../execution/incremental.ts';
import type { CachedResult } from '../operation-result.ts';
import type { OperationRun } from '../operation-run.ts';

export interface CostLimitOptions {
  /** @unit points */
  readonly maxCost: number;
  /** Whether the operator has set the mode `measure`. Each operation that exceeds the limit is then logged once. */
  readonly isMeasuredByOperator: () => boolean;
  readonly logger: Logger;
  /** Logs operations that exceed a limit which is measured only because the supergraph defines no costs. */
  readonly sampler: LogSampler;
}

/**
 * Estimates the cost of an operation with its variables. The generation decides whether the limit is enforced.
 *
 * @unit points
 * @throws OperationRejected `COST_LIMIT_EXCEEDED` when the estimate exceeds the limit; `BAD_USER_INPUT` for page sizes that are not allowed
 */
export type CostLimit = (prepared: EstimatedRequest, variables: Readonly<Record<string, unknown>>) => number;

/** A request whose cost is estimated. */
export interface EstimatedRequest {
  readonly operation: Pick<PreparedOperation, 'cost' | 'mostExpensiveList' | 'name'>;
  readonly generation: Pick<Generation, 'costMode' | 'maxCost'>;
}

export function createCostLimit({ maxCost, isMeasuredByOperator, logger, sampler }: CostLimitOptions): CostLimit {
  const reported = new WeakSet<EstimatedRequest['operation']>();

  function report({ operation, generation }: EstimatedRequest, estimated: number, variables: Readonly<Record<string, unknown>>): void {
    if (reported.has(operation)) return;
    reported.add(operation);
    const facts = (): object => {
      const { coordinate: list, items } = operation.mostExpensiveList(variables) ?? {};
      const { name } = operation;
      return {
        estimated,
        limit: generation.maxCost ?? maxCost,
        ...(name !== undefined && { operation: name }),
        ...(list !== undefined && { list, items }),
      };
    };
    const message = 'The operation exceeds limits.maxCost. It is executed, because the limit is only measured (limits.modes.cost).';
    if (isMeasuredByOperator()) logger.warn(facts(), message);
    else sampler.warn('limits.maxCost measured', message, facts);
  }

  return (prepared, variables) => {
    const { operation, generation } = prepared;
    const estimated = operation.cost(variables);
    const limit = generation.maxCost ?? maxCost;
    if (estimated <= limit) return estimated;
    if (generation.costMode === 'enforce') throw explainCost(tooExpensive(estimated, limit), operation, variables);
    report(prepared, estimated, variables);
    return estimated;
  };
}

function tooExpensive(estimated: number, limit: number): OperationRejected {
  const message = `The estimated cost of the operation is ${estimated} points; at most ${limit} are allowed.`;
  return new OperationRejected('COST_LIMIT_EXCEEDED', [{ message, cost: { estimated, limit } }], { setting: 'limits.maxCost' });
}

/**
 * Adds the most expensive list, and what the client and the operator can do, to the rejection of an expensive operation. Other errors are
 * returned unchanged.
 */
export function explainCost(
  error: unknown,
  operation: Pick<PreparedOperation, 'mostExpensiveList'>,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  if (!(error instanceof OperationRejected) || error.code !== 'COST_LIMIT_EXCEEDED') return error;
  const { setting } = error;
  const remedies = remediesFor(operation.mostExpensiveList(variables), setting);
  const errors = error.errors.map((requestError) => ({ ...requestError, message: `${requestError.message} ${remedies}` }));
  return new OperationRejected(error.code, errors, { setting });
}

function remediesFor(list: ExpensiveList | undefined, setting = 'limits.maxCost'): string {
  if (list === undefined) return `Request fewer fields. The operator of the gateway can increase ${setting}.`;
  const { coordinate, items, slicingArguments } = list;
  const names = slicingArguments.map((name) => `"${name}"`).join(' or ');
  const client =
    names === '' ? 'Request fewer nested lists or fewer fields.' : `Request fewer items with its argument ${names}, or fewer nested lists.`;
  return (
    `The most expensive list is "${coordinate}" with an estimated ${items} items. ${client} ` +
    `The operator of the gateway can define the size of this list with @listSize on "${coordinate}", or increase ${setting}.`
  );
}

/** An operation that was charged for its estimated cost. */
export type ChargedOperation = Pick<OperationRun, 'operation' | 'variables' | 'budget' | 'estimated'>;

/** Minimum estimate that is settled. Below it, computing the actual cost is more expensive than the refund is worth. @unit points */
const MIN_SETTLED = 10;

/**
 * Refunds the difference between the estimated and the actual cost. The cost of an incremental response is not known yet, so it gets no
 * refund. Where the execution has not counted the objects, braces in strings make the refund smaller.
 */
export function settle({ operation, variables, budget, estimated }: ChargedOperation, { data, objects, stream }: IncrementalResult): void {
  if (!budget.isLimited || estimated < MIN_SETTLED || stream !== undefined) return;
  const isPlain = operation.kind === 'query' && operation.isCounted !== true;
  const refund = (actual: number): void => budget.settle(operation.kind, estimated, actual);
  if (isPlain) refund(objects ?? countJsonObjects(data) - 1);
  else if (data.length < LONG_DATA) refund(operation.actualCost(JSON.parse(data), variables));
  else {
    // Parsing long data at once would delay other requests. The response is sent before the refund.
    runInTurn(
      inSteps(parseInSlices(new JsonText(data)), {
        onDone: (parsed) => refund(operation.actualCost(parsed, variables)),
        onFailed: noRefund,
      }),
    );
  }
}

/** Length from which data is parsed in several turns of the event loop. @unit characters */
const LONG_DATA = 262_144;

function noRefund(): void {
  // The caller has paid the estimated cost.
}

/** Settles a response that may be cached. A cache hit gets the maximum refund. */
export function settleCached(charged: ChargedOperation, { executed }: CachedResult): void {
  if (executed === undefined) charged.budget.settle(charged.operation.kind, charged.estimated, 0);
  else settle(charged, executed);
}
