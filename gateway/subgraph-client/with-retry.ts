import { systemClock } from '../platform/clock.ts';
import type { Pending, DeadlineWatcher } from '../platform/deadline-watcher.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { SubgraphFailure, wasNeverSent } from './failures.ts';

/**
 * Waits for a duration.
 *
 * @throws the reason of the signal when it is aborted first
 */
type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

/** Creates delays that end when the pending list is next checked after the duration. */
export function createDelay(pending: DeadlineWatcher): Delay {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      const waiting: Pending = { dueAt: systemClock.monotonic() + ms, signal, index: undefined, expire: resolve, abort: reject };
      pending.watch(waiting);
    });
}

/** Limits retries in proportion to requests. */
interface RetryBudget {
  /** Counts a request that is sent for the first time. */
  deposit(): void;
  /** Whether a request can be sent again. If so, the retry is deducted from the budget. */
  withdraw(): boolean;
}

/** Maximum number of saved retries. They are available without earlier requests, so that a subgraph with little traffic has retries too. */
const RESERVE = 10;

/**
 * Creates a retry budget. A subgraph that fails every request receives `percent` more requests than without retries. Without a budget, it
 * would receive twice as many when it is least able to handle them.
 */
export function createRetryBudget(percent: number): RetryBudget {
  let hundredths = percent === 0 ? 0 : RESERVE * 100;
  return {
    deposit() {
      hundredths = Math.min(RESERVE * 100, hundredths + percent);
    },
    withdraw() {
      if (hundredths < 100) return false;
      hundredths -= 100;
      return true;
    },
  };
}

/** Rule for GraphQL: a query changes nothing, and a mutation must not take effect twice. */
export function repeatsQueries({ kind }: SubgraphRequest): 'always' | 'never' {
  return kind === 'query' ? 'always' : 'never';
}

export interface RetryOptions {
  readonly maxRetries: number;
  /** Maximum delay before the first retry. It doubles with each retry. @unit milliseconds */
  readonly baseDelayMs: number;
  /** Maximum delay before any retry. @unit milliseconds */
  readonly maxDelayMs: number;
  readonly budget: RetryBudget;
  readonly delay: Delay;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Returns whether a request may be sent again. `unsent` allows that only if it was certainly not received. */
  readonly repeats: (request: SubgraphRequest) => 'always' | 'unsent' | 'never';
  /** Throws the final failure of a request. It is called here, because each additional promise around a request has a cost. */
  readonly giveUp: (request: SubgraphRequest, signal: AbortSignal, failure: unknown) => never;
}

/**
 * Resends requests that received no part of a response or that the subgraph did not accept, if `repeats` allows it. The delay is drawn at
 * random below a limit that doubles, so that callers that failed together do not retry together. A `Retry-After` is honored. When
 * it exceeds the maximum delay, the query is not sent again.
 *
 * @throws the error that `giveUp` throws for the failure of the last attempt that reached the subgraph
 */
export function withRetry(next: SubgraphExecutor, options: RetryOptions): SubgraphExecutor {
  const { maxRetries, baseDelayMs, maxDelayMs, budget, delay, random, repeats, giveUp } = options;

  /** Returns the delay before the next attempt; undefined when the request must not be sent again. */
  function waitBefore(retry: number, request: SubgraphRequest, failure: unknown): number | undefined {
    if (!(failure instanceof SubgraphFailure) || !failure.facts.mayRepeat) return undefined;
    if (repeats(request) === 'unsent' && !wasNeverSent(failure)) return undefined;
    const waitMs = failure.facts.retryAfterMs ?? random() * Math.min(maxDelayMs, baseDelayMs * 2 ** retry);
    return waitMs <= maxDelayMs && budget.withdraw() ? waitMs : undefined;
  }

  async function again(request: SubgraphRequest, signal: AbortSignal, first: unknown): Promise<SubgraphResponse> {
    let failure = first;
    for (let retry = 0; retry < maxRetries; retry += 1) {
      const waitMs = waitBefore(retry, request, failure);
      if (waitMs === undefined) break;
      await delay(waitMs, signal);
      try {
        return await next(request, signal);
      } catch (error) {
        if (signal.aborted) giveUp(request, signal, error);
        // When the breaker or a full queue blocks the retry, the first failure is reported instead.
        const hasRequested = error instanceof SubgraphFailure && (error.facts.isOutage || error.code === 'SUBGRAPH_INVALID_RESPONSE');
        if (!hasRequested) break;
        failure = error;
      }
    }
    return giveUp(request, signal, failure);
  }

  return (request, signal) => {
    if (maxRetries === 0 || repeats(request) === 'never')
      return next(request, signal).then(undefined, (error: unknown) => giveUp(request, signal, error));
    budget.deposit();
    return next(request, signal).then(undefined, (error: unknown) => again(request, signal, error));
  };
}
