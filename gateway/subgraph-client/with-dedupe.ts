import type { Pending, PendingList } from '../platform/deadline-watcher.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { createSingleFlight } from '../platform/single-flight.ts';
import { subgraphInvalidResponse } from './failures.ts';

/**
 * Deepest value that is copied. @unit levels
 */
const MAX_DEPTH = 500;

/**
 * A copy of what was parsed from JSON, sharing nothing with it that could be changed.
 *
 * @throws RangeError when it is nested too deeply
 */
function copyJson<T>(value: T): T {
  return copy(value, MAX_DEPTH) as T;
}

function copy(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) throw new RangeError('A value is nested too deeply.');
  if (Array.isArray(value)) return value.map((item) => copy(item, levels - 1));
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) result[key] = copy(item, levels - 1);
  return result;
}

/**
 * Sends equal queries that are under way at the same time once. Each caller gets a response of its own, because responses are
 * merged in place; a caller that disconnects does so alone, and the last one stops the request.
 *
 * @param keyOf everything by which the response could differ: the body, the caller, and every header taken over from the client
 */
export function withDedupe(next: SubgraphExecutor, keyOf: (request: SubgraphRequest) => string, pending: PendingList): SubgraphExecutor {
  const flights = createSingleFlight<SubgraphResponse>({
    now: () => 0, // the deadline of the request stands for all
    watch(signal, onAbort) {
      const watched: Pending = { dueAt: Infinity, signal, place: undefined, expire() {}, abort: onAbort };
      pending.watch(watched);
      return () => void pending.release(watched);
    },
    share,
  });
  return (request, signal) =>
    request.kind === 'query' ? flights.run(keyOf(request), signal, (ending) => next(request, ending)) : next(request, signal);
}

/** Copies the response for each caller but the first. */
function share(response: SubgraphResponse, callers: number): readonly SubgraphResponse[] {
  const { data } = response;
  try {
    return Array.from({ length: callers }, (_, index) =>
      index === 0 || data === undefined ? response : { ...response, data: copyJson(data) },
    );
  } catch (cause) {
    throw subgraphInvalidResponse(cause);
  }
}
