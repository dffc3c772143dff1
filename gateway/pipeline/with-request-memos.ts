import type { CallerBudget, PaidOperation } from '../budget/caller-budget.ts';
import type { Budgets } from '../budget/budgets.ts';
import type { Generations } from '../generation/generations.ts';
import { OperationRejected } from '../operation/operation-rejected.ts';
import { isPromise, type MaybePromise } from '../platform/maybe-promise.ts';
import type { CacheableRuns } from './execution/cached-responses.ts';
import type { OperationRequest } from './operation-request.ts';
import type { BytesResult, CachedResult, ObjectResult } from './operation-result.ts';
import type { Pipeline } from './pipeline.ts';
import type { RequestMemo, RequestMemos } from './request-memo.ts';
import { type DescribeOptions, NO_ERRORS, toStorable } from './response.ts';
import type { RequestedDocuments } from './stages/resolve-document.ts';
import type { WriteTracking } from './stages/track-writes.ts';

/** An operation that is served from a memo. */
const MEMOIZED: PaidOperation = { kind: 'query' };

export interface RequestMemosDependencies {
  readonly generations: Pick<Generations, 'pin'>;
  readonly documents: RequestedDocuments;
  readonly budgets: Budgets;
  readonly writes: WriteTracking;
  /** Finds cached responses. */
  readonly cached: CacheableRuns;
  /** Whether the response to a request may be cached. */
  readonly isCacheable: (request: OperationRequest) => boolean;
  readonly described: DescribeOptions;
}

/**
 * Serves a request that has memos from the response cache, without preparing it. A request without a valid memo goes through all stages of
 * the pipeline.
 */
export function withRequestMemos(pipeline: Pipeline, dependencies: RequestMemosDependencies): Pipeline {
  const { generations, documents, budgets, writes, cached: runs, isCacheable, described } = dependencies;

  /** Returns the cached response of a memo. The memo of another generation is not used. */
  function findCached(memo: RequestMemo | undefined, document: string, request: OperationRequest): CachedResult | undefined {
    if (memo === undefined || memo.text !== document || memo.generation !== generationOf(request)) return undefined;
    const cached = runs.findFresh(memo.key, writes.beforeRead(request).writes);
    return cached && { cached, cacheLocation: memo };
  }

  function generationOf(request: OperationRequest): string {
    const pin = generations.pin(request.generation);
    const { id } = pin.generation;
    pin[Symbol.dispose]();
    return id;
  }

  /** Charges the caller for a cached response. Returns a promise only if budgets are not in this process, or the caller is rejected. */
  function payFor(memo: RequestMemo, request: OperationRequest, budget: CallerBudget): MaybePromise<void> {
    request.recorder?.operation({ kind: 'query', name: memo.name });
    try {
      const payment = budget.spend(MEMOIZED, memo.estimated);
      if (payment !== undefined) {
        return payment.then(
          () => settle(memo, request, budget),
          (error: unknown) => chargeRejected(error, budget),
        );
      }
    } catch (error) {
      return chargeRejected(error, budget);
    }
    settle(memo, request, budget);
  }

  function settle({ estimated }: RequestMemo, request: OperationRequest, budget: CallerBudget): void {
    documents.register(request);
    budget.settle('query', estimated, 0);
  }

  async function executeWithMemos(request: OperationRequest, memos: RequestMemos): Promise<BytesResult> {
    const budget = request.budget ?? budgets.of(request);
    const resolving = documents.resolve(request, budget);
    const document = isPromise(resolving) ? await resolving : resolving;
    if (typeof document !== 'string') return pipeline.execute(request);
    const memo = memos.get(runs.partitionOf(request));
    const cached = findCached(memo, document, request);
    if (memo === undefined || cached === undefined) {
      const { original = request.document } = request;
      return pipeline.execute({ ...request, budget, document: { text: document, isTrusted: true }, original });
    }
    const paying = payFor(memo, request, budget);
    if (isPromise(paying)) await paying;
    return { body: cached.cached.body, facts: NO_ERRORS, cached };
  }

  /** Serves a request whose document is prepared. */
  async function executeToObjectWithMemos(request: OperationRequest, memos: RequestMemos): Promise<ObjectResult> {
    const { document } = request;
    if (!('prepared' in document)) return pipeline.executeToObject(request);
    const memo = memos.get(runs.partitionOf(request));
    const cached = findCached(memo, document.prepared.text, request);
    if (memo === undefined || cached === undefined) return pipeline.executeToObject(request);
    const paying = payFor(memo, request, request.budget ?? budgets.of(request));
    if (isPromise(paying)) await paying;
    return toStorable(cached, described);
  }

  return {
    ...pipeline,
    execute(request) {
      const { memos } = request;
      return memos === undefined || !isCacheable(request) ? pipeline.execute(request) : executeWithMemos(request, memos);
    },
    executeToObject(request) {
      const { memos } = request;
      return memos === undefined || !isCacheable(request) ? pipeline.executeToObject(request) : executeToObjectWithMemos(request, memos);
    },
  };
}

async function chargeRejected(error: unknown, budget: CallerBudget): Promise<never> {
  if (error instanceof OperationRejected) await budget.chargeRejection();
  throw error;
}
