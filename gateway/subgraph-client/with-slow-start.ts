import type { Pending, DeadlineWatcher } from '../platform/deadline-watcher.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { ResponseLengths } from './response-lengths.ts';
import type { QueuedRequest } from './with-bulkhead.ts';

export interface SlowStartOptions {
  readonly lengths: ResponseLengths;
  /** Returns the caller of an operation. Queries of one caller do not delay those of another. */
  readonly callerOf: (context: SubgraphContext) => string;
  readonly pending: DeadlineWatcher;
  /** Monotonic system clock, because queues wait in real time. @unit milliseconds */
  readonly now: () => number;
}

/** Number of queries of one caller for one fetch that are sent before a response shows whether the responses are large. */
const FIRST_QUERIES = 8;

/** Maximum time that a further query waits, so that a slow subgraph delays no query for longer. @unit milliseconds */
const MAX_WAIT_MS = 250;

/** Queries of one caller for one fetch whose responses can be large. */
interface Start {
  /** Number of queries in progress. */
  running: number;
  /** Waiting queries, in order of arrival. */
  readonly waiting: Set<Waiter>;
}

interface Waiter extends Pending {
  readonly request: SubgraphRequest;
  proceed(): void;
}

/**
 * Limits the concurrent queries of a fetch until a response shows that its responses are small. Otherwise, a caller that sends a hundred
 * queries for the same large response would take all slots and connections of the subgraph. The length is known only when the first
 * response arrives. After that, the waiting queries continue, and `withExpectedLength` queues those with an equal body.
 */
export function withSlowStart(next: SubgraphExecutor, { lengths, callerOf, pending, now }: SlowStartOptions): SubgraphExecutor {
  const starts = new Map<object, Map<string, Start>>();

  function startOf(fetch: object, caller: string): Start {
    const callers = starts.get(fetch) ?? new Map<string, Start>();
    starts.set(fetch, callers);
    const start = callers.get(caller) ?? { running: 0, waiting: new Set() };
    callers.set(caller, start);
    return start;
  }

  /** Removes the state of a caller without queries in progress. */
  function forget(fetch: object, caller: string): void {
    const callers = starts.get(fetch);
    callers?.delete(caller);
    if (callers?.size === 0) starts.delete(fetch);
  }

  function proceedKnown(fetch: object): void {
    for (const { waiting } of starts.get(fetch)?.values() ?? []) {
      for (const waiter of waiting) if (isKnown(waiter.request, fetch)) waiter.proceed();
    }
  }

  async function send(request: QueuedRequest, fetch: object, caller: string, signal: AbortSignal): Promise<SubgraphResponse> {
    const start = startOf(fetch, caller);
    start.running += 1;
    let isLarge = false;
    const onLarge = (): void => {
      isLarge = true;
      proceedKnown(fetch);
    };
    try {
      const sent: QueuedRequest = { ...request, onLarge };
      const response = await next(sent, signal);
      if (!isLarge) lengths.noteSmall(fetch);
      return response;
    } finally {
      start.running -= 1;
      proceedKnown(fetch);
      start.waiting.values().next().value?.proceed();
      if (start.running === 0) forget(fetch, caller);
    }
  }

  function wait(request: QueuedRequest, fetch: object, caller: string, signal: AbortSignal): Promise<SubgraphResponse> {
    return new Promise((resolve, reject) => {
      const { waiting } = startOf(fetch, caller);
      const end = (): void => {
        pending.release(waiter);
        waiting.delete(waiter);
      };
      const proceed = (): void => {
        end();
        resolve(isKnown(request, fetch) ? next(request, signal) : send(request, fetch, caller, signal));
      };
      const waiter: Waiter = {
        request,
        dueAt: now() + MAX_WAIT_MS,
        signal,
        index: undefined,
        proceed,
        expire: proceed,
        abort(reason) {
          end();
          reject(reason);
        },
      };
      waiting.add(waiter);
      pending.watch(waiter);
    });
  }

  function isKnown(request: SubgraphRequest, fetch: object): boolean {
    return lengths.isSmall(fetch) || lengths.expectedBytes(request) !== undefined;
  }

  return (request, signal) => {
    const { fetch, kind, context } = request;
    if (fetch === undefined || kind !== 'query' || isKnown(request, fetch)) return next(request, signal);
    const caller = callerOf(context);
    const running = starts.get(fetch)?.get(caller)?.running ?? 0;
    return running < FIRST_QUERIES ? send(request, fetch, caller, signal) : wait(request, fetch, caller, signal);
  };
}
