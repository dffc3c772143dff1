import { type Member, createMembers } from '../platform/members.ts';
import type { Pending, PendingList } from '../platform/pending.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { subgraphBusy, subgraphTimeout } from './failures.ts';
import { circuitOpen, tellFailure } from './with-circuit-breaker.ts';

/** A request that may have waited for its turn. */
export interface QueuedRequest extends SubgraphRequest {
  /** When it must be answered in full, if that was fixed before it could be sent. Monotonic. @unit milliseconds */
  readonly dueAt?: number;
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
  readonly pending: PendingList;
  /** Monotonic, of the system: real time passes in a queue. @unit milliseconds */
  readonly now: () => number;
}

interface Waiter extends Pending {
  start(): void;
}

/** A request that is under way. */
interface Running extends Member {
  readonly operation: SubgraphContext;
}

/**
 * Bounds what one subgraph can hold of the gateway: a subgraph that hangs fills its own places, and nobody else's. Operations
 * take turns: each has a queue of its own for the requests that the subgraph has no place for, so that an operation is never
 * refused for the number of its own requests, and one with many requests does not delay all others.
 *
 * @throws GatewayError `CIRCUIT_OPEN` when the breaker does not let the request pass by the time of its turn
 * @throws GatewayError `SUBGRAPH_UNAVAILABLE` at once when too many operations wait, `SUBGRAPH_TIMEOUT` when the wait takes too long
 */
export function withBulkhead(next: SubgraphExecutor, options: BulkheadOptions): SubgraphExecutor {
  const { maxConcurrent, maxQueued, timeoutMs, breaker, pending, now } = options;
  /** Requests that wait, by operation, in the order of the operations' turns. An operation without any is not in it. */
  const queues = new Map<SubgraphContext, Set<Waiter>>();
  const running = createMembers<Running>();

  function isHere(operation: SubgraphContext): boolean {
    if (queues.has(operation)) return true;
    for (let place = 0; place < running.size; place += 1) if (running.at(place)?.operation === operation) return true;
    return false;
  }

  function leave(ended: Running): void {
    running.remove(ended);
    if (queues.size === 0) return; // before an iterator is made: most requests end while none waits
    for (const [operation, queue] of queues) {
      for (const waiter of queue) {
        if (waiter.signal.aborted) {
          waiter.abort(waiter.signal.reason);
          continue;
        }
        waiter.start();
        // The next turn of the operation comes after those of all others.
        if (queue.size > 0 && queues.delete(operation)) queues.set(operation, queue);
        return;
      }
    }
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

  function wait(request: SubgraphRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    return new Promise((resolve, reject) => {
      const { context } = request;
      const queue = queues.get(context) ?? new Set();
      queues.set(context, queue);
      const end = (): void => {
        queue.delete(waiter);
        if (queue.size === 0 && queues.get(context) === queue) queues.delete(context);
        pending.release(waiter);
      };
      const waiter: Waiter = {
        dueAt: now() + timeoutMs,
        signal,
        place: undefined,
        start() {
          end();
          resolve(run({ ...request, dueAt: waiter.dueAt } satisfies QueuedRequest, signal));
        },
        expire() {
          end();
          reject(subgraphTimeout(new Error('The request did not get its turn by the deadline.'), false));
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
    if (queues.size < maxQueued || isHere(request.context)) return wait(request, signal);
    return Promise.reject(subgraphBusy(new Error(`${maxConcurrent} requests are under way and ${maxQueued} operations wait.`)));
  };
}
