import type { Pending, PendingList } from '../platform/pending.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { responseRefused, subgraphTimeout } from './failures.ts';
import type { LargeResponse, LargeResponses } from './large-responses.ts';

/** A request that may have had its turn before it is sent. */
export interface ReservedRequest extends SubgraphRequest {
  /** Whether the memory for its response is reserved. @defaultValue false */
  readonly isReserved?: boolean;
}

export interface ExpectedLengthOptions {
  readonly largeResponses: LargeResponses;
  /** How long a request waits for its turn. @unit milliseconds */
  readonly timeoutMs: number;
  readonly pending: PendingList;
  /** Monotonic, of the system: real time passes in a queue. @unit milliseconds */
  readonly now: () => number;
}

/**
 * Lets a query wait for its turn before it is sent, where the last response to an equal query was large: so it keeps neither a connection nor
 * one of the subgraph's places while it waits.
 *
 * @throws GatewayError `OVERLOADED` when the caller has left too many responses unread, `SUBGRAPH_TIMEOUT` when the wait takes too long
 */
export function withExpectedLength(next: SubgraphExecutor, options: ExpectedLengthOptions): SubgraphExecutor {
  const { largeResponses, timeoutMs, pending, now } = options;

  function inTurn(request: SubgraphRequest, bytes: number, signal: AbortSignal): Promise<SubgraphResponse> {
    return new Promise((resolve, reject) => {
      const end = (reason: unknown): void => {
        pending.release(waiter);
        largeResponses.leave(response);
        reject(reason);
      };
      const waiter: Pending = {
        dueAt: now() + timeoutMs,
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
          pending.release(waiter);
          const reserved: ReservedRequest = { ...request, isReserved: true };
          resolve(next(reserved, signal).finally(() => largeResponses.leave(response)));
        },
        refuse: () => end(responseRefused()),
      };
      pending.watch(waiter);
      largeResponses.enter(response);
    });
  }

  return (request, signal) => {
    const bytes = largeResponses.expectedBytes(request);
    return bytes === undefined ? next(request, signal) : inTurn(request, bytes, signal);
  };
}
