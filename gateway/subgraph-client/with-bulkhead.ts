import { type Member, createMembers } from '../platform/swap-remove-list.ts';
import type { Pending, PendingList } from '../platform/deadline-watcher.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { type CircuitBreaker, circuitOpen, tellFailure } from './circuit-breaker.ts';
import { subgraphBusy, subgraphTimeout } from './failures.ts';

/** A request that may have waited for its turn. */
export interface QueuedRequest extends SubgraphRequest {
  /** When it must be answered in full, if that was fixed before it could be sent. Monotonic. @unit milliseconds */
  readonly dueAt?: number;
  /** Whether it is known that the response was large the last time. @defaultValue false */
  readonly isExpectedLarge?: boolean;
  /** Called when the head of the response tells that it is large. @defaultValue nobody waits for it */
  readonly onLarge?: () => void;
}

export interface BulkheadOptions {
  /** Requests under way at once. */
  readonly maxConcurrent: number;
  /** Operations whose requests wait; a request of any further operation fails at once. */
  readonly maxQueued: number;
  /** Until a request must be answered, its wait included. @unit milliseconds */
  readonly timeoutMs: number;
  /** Asked when a request gets its turn, and told how it went: in one place, because each promise around a request costs. */
  readonly breaker: CircuitBreaker | undefined;
  /** Names the caller of an operation: callers take turns. */
  readonly callerOf: (operation: SubgraphContext) => string;
  readonly pending: PendingList;
  /** Monotonic, of the system: real time passes in a queue. @unit milliseconds */
  readonly now: () => number;
}

interface Waiter extends Pending {
  start(): void;
}

/** Requests that wait, by operation, in the order of the operations' turns. An operation without any is not in it. */
type OperationQueues = Map<SubgraphContext, Set<Waiter>>;

/** A request that is under way. */
interface Running extends Member {
  readonly operation: SubgraphContext;
}

/**
 * Bounds what one subgraph can hold of the gateway: a subgraph that hangs fills its own places, and nobody else's. Callers take turns, and so
 * do the operations of a caller: each has a queue of its own for the requests that the subgraph has no place for, so that an operation is
 * never refused for the number of its own requests, and neither one with many requests nor a caller with many operations delays all others.
 *
 * @throws GatewayError `CIRCUIT_OPEN` when the breaker does not let the request pass by the time of its turn
 * @throws GatewayError `SUBGRAPH_UNAVAILABLE` at once when too many operations wait, `SUBGRAPH_TIMEOUT` when the wait takes too long
 */
export function withBulkhead(next: SubgraphExecutor, options: BulkheadOptions): SubgraphExecutor {
  const { maxConcurrent, maxQueued, timeoutMs, breaker, callerOf, pending, now } = options;
  /** Operations that wait, by caller, in the order of the callers' turns. */
  const callers = new Map<string, OperationQueues>();
  /** The caller of each operation that waits. */
  const waiting = new Map<SubgraphContext, string>();
  const running = createMembers<Running>();

  function isHere(operation: SubgraphContext): boolean {
    if (waiting.has(operation)) return true;
    for (let place = 0; place < running.size; place += 1) if (running.at(place)?.operation === operation) return true;
    return false;
  }

  function leave(ended: Running): void {
    running.remove(ended);
    if (waiting.size === 0) return; // before an iterator is made: most requests end while none waits
    for (const [caller, queues] of callers) {
      if (!startOneOf(queues)) continue;
      // The next turn of the caller comes after those of all others.
      if (queues.size > 0 && callers.delete(caller)) callers.set(caller, queues);
      return;
    }
  }

  /** @returns whether there was one whose client still waits */
  function startOneOf(queues: OperationQueues): boolean {
    for (const [operation, queue] of queues) {
      for (const waiter of queue) {
        if (waiter.signal.aborted) {
          waiter.abort(waiter.signal.reason);
          continue;
        }
        waiter.start();
        // The next turn of the operation comes after those of the caller's others.
        if (queue.size > 0 && queues.delete(operation)) queues.set(operation, queue);
        return true;
      }
    }
    return false;
  }

  function run(request: QueuedRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    const own: Running = { operation: request.context, place: undefined };
    running.add(own);
    const ticket = breaker?.admit();
    if (breaker !== undefined && ticket === undefined) return Promise.reject(circuitOpen(breaker)).finally(() => leave(own));
    return next(request, signal).then(
      (response) => {
        if (ticket !== undefined) breaker?.succeeded(ticket);
        leave(own); // after the breaker knows: whoever is next asks it
        return response;
      },
      (error: unknown) => {
        if (breaker !== undefined && ticket !== undefined) tellFailure(breaker, ticket, error);
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
        place: undefined,
        start() {
          end();
          resolve(run({ ...request, dueAt: waiter.dueAt } satisfies QueuedRequest, signal));
        },
        expire() {
          end();
          reject(subgraphTimeout(new Error('The request did not get its turn by the deadline.'), { isOutage: false, isUnsent: true }));
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
    return Promise.reject(subgraphBusy(new Error(`${maxConcurrent} requests are under way and ${maxQueued} operations wait.`)));
  };
}
