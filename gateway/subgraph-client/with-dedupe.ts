import type { Pending, DeadlineWatcher } from '../platform/deadline-watcher.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { createSingleFlight } from '../platform/single-flight.ts';
import { subgraphInvalidResponse } from './failures.ts';

/**
 * Maximum nesting of a copied value.
 *
 * @unit levels
 */
const MAX_DEPTH = 500;

/**
 * Copies a parsed JSON value deeply.
 *
 * @throws RangeError when the value is nested too deeply
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
 * Sends equal queries that are in progress at the same time only once. Each caller gets a separate copy of the response, because responses
 * are merged in place. When a caller disconnects, the others are not affected. The request stops when the last caller disconnects.
 *
 * @param keyOf Returns everything that the response depends on: the body, the caller and every header propagated from the client.
 */
export function withDedupe(
  next: SubgraphExecutor,
  keyOf: (request: SubgraphRequest) => string,
  pending: DeadlineWatcher,
): SubgraphExecutor {
  const flights = createSingleFlight<SubgraphResponse>({
    now: () => 0, // The deadline of the shared request applies to all callers.
    watch(signal, onAbort) {
      const watched: Pending = { dueAt: Infinity, signal, index: undefined, expire() {}, abort: onAbort };
      pending.watch(watched);
      return () => void pending.release(watched);
    },
    share,
  });
  return (request, signal) =>
    request.kind === 'query' ? flights.run(keyOf(request), signal, (ending) => next(request, ending)) : next(request, signal);
}

/** Copies the response for each caller except the first. */
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
