import type { Pending, DeadlineWatcher } from '../platform/deadline-watcher.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { responseRejected, subgraphBusy, subgraphTimeout } from './failures.ts';
import type { LargeResponse, LargeResponses } from './large-responses.ts';
import type { ResponseLengths } from './response-lengths.ts';
import type { QueuedRequest } from './with-bulkhead.ts';

export interface ExpectedLengthOptions {
  readonly lengths: ResponseLengths;
  /** Queue of this subgraph alone, so that a hanging subgraph does not delay the others. */
  readonly turns: LargeResponses;
  /** Maximum number of operations with queued queries. A query of any further operation fails at once. */
  readonly maxQueued: number;
  /** Timeout for the complete response, including the time in the queue. @unit milliseconds */
  readonly timeoutMs: number;
  readonly pending: DeadlineWatcher;
  /** Monotonic system clock, because queues wait in real time. @unit milliseconds */
  readonly now: () => number;
}

/**
 * Queues a query before it is sent when the last response to an equal query was large. While it waits, it holds neither a connection nor a
 * slot of the subgraph.
 *
 * @throws GatewayError `OVERLOADED` when the caller has too many unread responses, `SUBGRAPH_UNAVAILABLE` when too many operations wait,
 * `SUBGRAPH_TIMEOUT` when the wait takes too long
 */
export function withExpectedLength(next: SubgraphExecutor, options: ExpectedLengthOptions): SubgraphExecutor {
  const { lengths, turns, maxQueued, timeoutMs, pending, now } = options;
  /** Number of queued queries and of queries in progress, by operation. */
  const waiting = createTally<SubgraphContext>();
  const running = createTally<SubgraphContext>();

  function inTurn(request: QueuedRequest, bytes: number, signal: AbortSignal): Promise<SubgraphResponse> {
    return new Promise((resolve, reject) => {
      const { context } = request;
      const isOfKnownOperation = waiting.has(context) || running.has(context);
      const dueAt = request.dueAt ?? now() + timeoutMs;
      let isWaiting = true;
      const stopWaiting = (): void => {
        isWaiting = false;
        pending.release(waiter);
        waiting.remove(context);
      };
      const end = (reason: unknown): void => {
        stopWaiting();
        turns.leave(response);
        reject(reason);
      };
      const waiter: Pending = {
        dueAt,
        signal,
        index: undefined,
        expire: () => end(subgraphTimeout(new Error('The query was still queued at its deadline.'), { isOutage: false, isUnsent: true })),
        abort: end,
      };
      const response: LargeResponse = {
        request,
        bytes,
        begin() {
          stopWaiting();
          running.add(context);
          const sent: QueuedRequest = { ...request, dueAt, isExpectedLarge: true };
          const over = (): void => {
            running.remove(context);
            turns.leave(response);
          };
          resolve(next(sent, signal).finally(over));
        },
        refuse: () => end(responseRejected()),
      };
      waiting.add(context);
      pending.watch(waiter);
      turns.enter(response);
      if (isWaiting && waiting.size > maxQueued && !isOfKnownOperation) {
        end(subgraphBusy(new Error(`The limit is reached: ${maxQueued} operations have queued queries with large responses.`)));
      }
    });
  }

  return (request, signal) => {
    const bytes = lengths.expectedBytes(request);
    return bytes === undefined ? next(request, signal) : inTurn(request, bytes, signal);
  };
}

interface Tally<T> {
  /** Number of distinct entries. */
  readonly size: number;
  has(one: T): boolean;
  add(one: T): void;
  remove(one: T): void;
}

function createTally<T>(): Tally<T> {
  const counts = new Map<T, number>();
  return {
    get size() {
      return counts.size;
    },
    has: (one) => counts.has(one),
    add: (one) => void counts.set(one, (counts.get(one) ?? 0) + 1),
    remove(one) {
      const left = (counts.get(one) ?? 0) - 1;
      if (left > 0) counts.set(one, left);
      else counts.delete(one);
    },
  };
}
