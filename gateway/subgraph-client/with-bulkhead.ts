import type { Pending, PendingList } from '../platform/pending.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
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
  /** Requests that wait; any further one fails at once. */
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

/**
 * Bounds what one subgraph can hold of the gateway: a subgraph that hangs fills its own places, and nobody else's.
 *
 * @throws GatewayError `CIRCUIT_OPEN` when the breaker does not let the request pass by the time of its turn
 * @throws GatewayError `SUBGRAPH_UNAVAILABLE` at once when too many wait, `SUBGRAPH_TIMEOUT` when the wait takes too long
 */
export function withBulkhead(next: SubgraphExecutor, options: BulkheadOptions): SubgraphExecutor {
  const { maxConcurrent, maxQueued, timeoutMs, breaker, pending, now } = options;
  const queue = new Set<Waiter>(); // in the order of arrival
  let running = 0;

  function leave(): void {
    running -= 1;
    if (queue.size === 0) return;
    for (const waiter of queue) {
      if (waiter.signal.aborted) waiter.abort(waiter.signal.reason);
      else return waiter.start();
    }
  }

  function run(request: QueuedRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    running += 1;
    const ticket = breaker?.admit();
    if (breaker !== undefined && ticket === undefined) return Promise.reject(circuitOpen(breaker)).finally(leave);
    return next(request, signal).then(
      (response) => {
        if (ticket !== undefined) breaker?.succeeded(ticket);
        leave(); // after the breaker knows: whoever is next asks it
        return response;
      },
      (error: unknown) => {
        if (breaker !== undefined && ticket !== undefined) tellFailure(breaker, ticket, error);
        leave();
        throw error;
      },
    );
  }

  function wait(request: SubgraphRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        queue.delete(waiter);
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
    if (running < maxConcurrent) return run(request, signal);
    if (queue.size < maxQueued) return wait(request, signal);
    return Promise.reject(subgraphBusy(new Error(`${maxConcurrent} requests are under way and ${maxQueued} wait.`)));
  };
}
