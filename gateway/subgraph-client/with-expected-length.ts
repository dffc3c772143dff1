import type { Pending, PendingList } from '../platform/pending.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { responseRefused, subgraphBusy, subgraphTimeout } from './failures.ts';
import type { LargeResponse, LargeResponses } from './large-responses.ts';
import type { ResponseLengths } from './response-lengths.ts';
import type { QueuedRequest } from './with-bulkhead.ts';

export interface ExpectedLengthOptions {
  readonly lengths: ResponseLengths;
  /** Turns of this subgraph alone: one that hangs keeps nothing from the others. */
  readonly turns: LargeResponses;
  /** Operations whose queries wait; a query of any further operation fails at once. */
  readonly maxQueued: number;
  /** Until a query must be answered, its wait included. @unit milliseconds */
  readonly timeoutMs: number;
  readonly pending: PendingList;
  /** Monotonic, of the system: real time passes in a queue. @unit milliseconds */
  readonly now: () => number;
}

/**
 * Lets a query wait for its turn before it is sent, where the last response to an equal query was large: so it keeps neither a connection nor
 * one of the subgraph's places while it waits.
 *
 * @throws GatewayError `OVERLOADED` when the caller has left too many responses unread, `SUBGRAPH_UNAVAILABLE` when too many operations wait,
 * `SUBGRAPH_TIMEOUT` when the wait takes too long
 */
export function withExpectedLength(next: SubgraphExecutor, options: ExpectedLengthOptions): SubgraphExecutor {
  const { lengths, turns, maxQueued, timeoutMs, pending, now } = options;
  /** Numbers of queries that wait, by operation. */
  const waiting = new Map<SubgraphContext, number>();

  function count(operation: SubgraphContext, difference: 1 | -1): void {
    const queries = (waiting.get(operation) ?? 0) + difference;
    if (queries > 0) waiting.set(operation, queries);
    else waiting.delete(operation);
  }

  function inTurn(request: QueuedRequest, bytes: number, signal: AbortSignal): Promise<SubgraphResponse> {
    return new Promise((resolve, reject) => {
      const dueAt = request.dueAt ?? now() + timeoutMs;
      const stopWaiting = (): void => {
        pending.release(waiter);
        count(request.context, -1);
      };
      const end = (reason: unknown): void => {
        stopWaiting();
        turns.leave(response);
        reject(reason);
      };
      const waiter: Pending = {
        dueAt,
        signal,
        place: undefined,
        expire: () =>
          end(subgraphTimeout(new Error('The response did not get its turn by the deadline.'), { isOutage: false, isUnsent: true })),
        abort: end,
      };
      const response: LargeResponse = {
        request,
        bytes,
        begin() {
          stopWaiting();
          const sent: QueuedRequest = { ...request, dueAt };
          resolve(next(sent, signal).finally(() => turns.leave(response)));
        },
        refuse: () => end(responseRefused()),
      };
      count(request.context, 1);
      pending.watch(waiter);
      turns.enter(response);
    });
  }

  return (request, signal) => {
    const bytes = lengths.expectedBytes(request);
    if (bytes === undefined) return next(request, signal);
    if (waiting.size < maxQueued || waiting.has(request.context)) return inTurn(request, bytes, signal);
    return Promise.reject(subgraphBusy(new Error(`Queries of ${maxQueued} operations wait for large responses.`)));
  };
}
