import { systemClock } from '../platform/clock.ts';
import type { Pending, PendingList } from '../platform/deadline-watcher.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { SubgraphFailure } from './failures.ts';

/**
 * Lets time pass.
 *
 * @throws the reason of the signal when that comes first
 */
type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

/** Delays that end at the list's next look after their time. */
export function createDelay(pending: PendingList): Delay {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      const waiting: Pending = { dueAt: systemClock.monotonic() + ms, signal, place: undefined, expire: resolve, abort: reject };
      pending.watch(waiting);
    });
}

/** Allows retries in proportion to requests. */
interface RetryBudget {
  /** A request is sent for the first time. */
  deposit(): void;
  /** Whether a request may be sent again; if so, that has been paid for. */
  withdraw(): boolean;
}

/** Retries that are possible without any requests before, so that a quiet subgraph has them too; more are never saved up. */
const RESERVE = 10;

/**
 * A budget of retries. Where a subgraph fails at everything it gets `percent` more requests than without retries, and not
 * twice as many when it can bear them least.
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

export interface RetryOptions {
  readonly maxRetries: number;
  /** Longest wait before the first retry; it doubles each time. @unit milliseconds */
  readonly baseDelayMs: number;
  /** Longest wait before any. @unit milliseconds */
  readonly maxDelayMs: number;
  readonly budget: RetryBudget;
  readonly delay: Delay;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Throws what a request failed with in the end; here, because each promise around a request costs. */
  readonly giveUp: (request: SubgraphRequest, signal: AbortSignal, failure: unknown) => never;
}

/**
 * Sends queries again of whose answer nothing had come, or that the subgraph said it had not taken. Mutations are sent
 * exactly once. The wait is drawn at random below a bound that doubles, so that callers who failed together do not come
 * back together; a `Retry-After` is waited for, and is a no when it is longer than any wait.
 *
 * @throws what `giveUp` throws for the failure of the last attempt that reached the subgraph
 */
export function withRetry(next: SubgraphExecutor, options: RetryOptions): SubgraphExecutor {
  const { maxRetries, baseDelayMs, maxDelayMs, budget, delay, random, giveUp } = options;

  /** How long to wait before sending again, or undefined for not at all. */
  function waitBefore(retry: number, failure: unknown): number | undefined {
    if (!(failure instanceof SubgraphFailure) || !failure.facts.mayRepeat) return undefined;
    const waitMs = failure.facts.retryAfterMs ?? random() * Math.min(maxDelayMs, baseDelayMs * 2 ** retry);
    return waitMs <= maxDelayMs && budget.withdraw() ? waitMs : undefined;
  }

  async function again(request: SubgraphRequest, signal: AbortSignal, first: unknown): Promise<SubgraphResponse> {
    let failure = first;
    for (let retry = 0; retry < maxRetries; retry += 1) {
      const waitMs = waitBefore(retry, failure);
      if (waitMs === undefined) break;
      await delay(waitMs, signal);
      try {
        return await next(request, signal);
      } catch (error) {
        if (signal.aborted) giveUp(request, signal, error);
        // Whoever holds the retry back, the breaker or a full queue, is not what went wrong.
        const hasAsked = error instanceof SubgraphFailure && (error.facts.isOutage || error.code === 'SUBGRAPH_INVALID_RESPONSE');
        if (!hasAsked) break;
        failure = error;
      }
    }
    return giveUp(request, signal, failure);
  }

  return (request, signal) => {
    const repeats = request.kind === 'query' && maxRetries > 0;
    if (!repeats) return next(request, signal).then(undefined, (error: unknown) => giveUp(request, signal, error));
    budget.deposit();
    return next(request, signal).then(undefined, (error: unknown) => again(request, signal, error));
  };
}
