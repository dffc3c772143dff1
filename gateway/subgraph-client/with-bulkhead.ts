import { type SwapRemoveItem, createSwapRemoveList } from '../platform/swap-remove-list.ts';
import type { Pending, DeadlineWatcher } from '../platform/deadline-watcher.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { type CircuitBreaker, circuitOpen, reportFailure } from './circuit-breaker.ts';
import { subgraphBusy, subgraphTimeout } from './failures.ts';

/** A request that may have waited in a queue. */
export interface QueuedRequest extends SubgraphRequest {
  /** Deadline for the complete response, if it was fixed before the request was sent. Monotonic time. @unit milliseconds */
  readonly dueAt?: number;
  /** Whether the last response to an equal request was large. @defaultValue false */
  readonly isExpectedLarge?: boolean;
  /** Called when the head of the response shows that it is large. @defaultValue No callback. */
  readonly onLarge?: () => void;
}

export interface BulkheadOptions {
  /** Maximum number of requests in progress. */
  readonly maxConcurrent: number;
  /** Maximum number of operations with queued requests. A request of any further operation fails at once. */
  readonly maxQueued: number;
  /** Timeout for the complete response, including the time in the queue. @unit milliseconds */
  readonly timeoutMs: number;
  /**
   * Circuit breaker. The bulkhead admits requests and records results in one step, because each additional promise around a request has a
   * cost.
   */
  readonly breaker: CircuitBreaker | undefined;
  /** Returns the caller of an operation. Callers take turns. */
  readonly callerOf: (operation: SubgraphContext) => string;
  readonly pending: DeadlineWatcher;
  /** Monotonic system clock, because queues wait in real time. @unit milliseconds */
  readonly now: () => number;
}

interface Waiter extends Pending {
  start(): void;
}

/** Queued requests by operation, in the order of the operations' turns. Operations without queued requests are not included. */
type OperationQueues = Map<SubgraphContext, Set<Waiter>>;

/** A request in progress. */
interface Running extends SwapRemoveItem {
  readonly operation: SubgraphContext;
}

/**
 * Limits the requests in progress for one subgraph, so that a hanging subgraph blocks only its own slots. Callers take turns, and so do the
 * operations of a caller. Each operation has a separate queue for requests that wait for a slot, so it is never rejected because of the
 * number of its requests. Neither an operation with many requests nor a caller with many operations delays all others.
 *
 * @throws GatewayError `CIRCUIT_OPEN` when the breaker does not admit the request at its turn
 * @throws GatewayError `SUBGRAPH_UNAVAILABLE` at once when too many operations wait, `SUBGRAPH_TIMEOUT` when the wait takes too long
 */
export function withBulkhead(next: SubgraphExecutor, options: BulkheadOptions): SubgraphExecutor {
  const { maxConcurrent, maxQueued, timeoutMs, breaker, callerOf, pending, now } = options;
  /** Queued operations by caller, in the order of the callers' turns. */
  const callers = new Map<string, OperationQueues>();
  /** The caller of each queued operation. */
  const waiting = new Map<SubgraphContext, string>();
  const running = createSwapRemoveList<Running>();

  function isHere(operation: SubgraphContext): boolean {
    if (waiting.has(operation)) return true;
    for (let index = 0; index < running.size; index += 1) if (running.at(index)?.operation === operation) return true;
    return false;
  }

  function leave(ended: Running): void {
    running.remove(ended);
    if (waiting.size === 0) return; // Checked before an iterator is created, because most requests end while the queue is empty.
    for (const [caller, queues] of callers) {
      if (!startOneOf(queues)) continue;
      // The next turn of this caller comes after those of all other callers.
      if (queues.size > 0 && callers.delete(caller)) callers.set(caller, queues);
      return;
    }
  }

  /** @returns Whether a request was started whose client still waits. */
  function startOneOf(queues: OperationQueues): boolean {
    for (const [operation, queue] of queues) {
      for (const waiter of queue) {
        if (waiter.signal.aborted) {
          waiter.abort(waiter.signal.reason);
          continue;
        }
        waiter.start();
        // The next turn of this operation comes after those of the caller's other operations.
        if (queue.size > 0 && queues.delete(operation)) queues.set(operation, queue);
        return true;
      }
    }
    return false;
  }

  function run(request: QueuedRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    const own: Running = { operation: request.context, index: undefined };
    running.add(own);
    const ticket = breaker?.admit();
    if (breaker !== undefined && ticket === undefined) return Promise.reject(circuitOpen(breaker)).finally(() => leave(own));
    return next(request, signal).then(
      (response) => {
        if (ticket !== undefined) breaker?.succeeded(ticket);
        leave(own); // The breaker must know the result before the next request is admitted.
        return response;
      },
      (error: unknown) => {
        if (breaker !== undefined && ticket !== undefined) reportFailure(breaker, ticket, error);
        leave(own);
        throw error;
      },
    );
  }

  function wait(request: QueuedRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    return new Promise((resolve, reject) => {
      const { context } = request;
      const caller = waiting.get(context) ?? callerOf(context);
      const queues: OperationQueues = callers.get(caller) ?? new Map();
      const queue = queues.get(context) ?? new Set();
      callers.set(caller, queues.set(context, queue));
      waiting.set(context, caller);
      const end = (): void => {
        pending.release(waiter);
        queue.delete(waiter);
        if (queue.size > 0) return;
        queues.delete(context);
        waiting.delete(context);
        if (queues.size === 0) callers.delete(caller);
      };
      const waiter: Waiter = {
        dueAt: request.dueAt ?? now() + timeoutMs,
        signal,
        index: undefined,
        start() {
          end();
          resolve(run({ ...request, dueAt: waiter.dueAt } satisfies QueuedRequest, signal));
        },
        expire() {
          end();
          reject(subgraphTimeout(new Error('The request was still queued at its deadline.'), { isOutage: false, isUnsent: true }));
        },
        abort(reason) {
          end();
          reject(reason);
        },
      };
      queue.add(waiter);
      pending.watch(waiter);
    });
  }

  return (request, signal) => {
    if (running.size < maxConcurrent) return run(request, signal);
    if (waiting.size < maxQueued || isHere(request.context)) return wait(request, signal);
    return Promise.reject(
      subgraphBusy(new Error(`The limits are reached: ${maxConcurrent} requests are in progress and ${maxQueued} operations are queued.`)),
    );
  };
}
