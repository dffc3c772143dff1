import type { Pending, PendingList } from '../platform/deadline-watcher.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
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

/** One request on its way, and all who wait for it. */
interface Flight {
  readonly callers: Set<Caller>;
  readonly ending: AbortController;
}

interface Caller extends Pending {
  resolve(response: SubgraphResponse): void;
  reject(error: unknown): void;
}

/**
 * Sends equal queries that are under way at the same time once. Each caller gets an answer of its own, because answers are
 * merged in place; a caller that leaves leaves alone, and the last one takes the request along.
 *
 * @param keyOf everything by which the answer could differ: the body, who asks, and every header taken over from the client
 */
export function withDedupe(next: SubgraphExecutor, keyOf: (request: SubgraphRequest) => string, pending: PendingList): SubgraphExecutor {
  const flights = new Map<string, Flight>();

  function take(key: string, request: SubgraphRequest): Flight {
    const known = flights.get(key);
    if (known !== undefined) return known;
    const flight: Flight = { callers: new Set(), ending: new AbortController() };
    flights.set(key, flight);
    next(request, flight.ending.signal).then(
      (response) => land(key, flight, (callers) => share(response, callers)),
      (error: unknown) => land(key, flight, (callers) => callers.forEach((caller) => caller.reject(error))),
    );
    return flight;
  }

  function land(key: string, flight: Flight, answer: (callers: readonly Caller[]) => void): void {
    if (flights.get(key) === flight) flights.delete(key);
    answer([...flight.callers]);
  }

  return (request, signal) => {
    if (request.kind !== 'query') return next(request, signal);
    const key = keyOf(request);
    return new Promise((resolve, reject) => {
      const flight = take(key, request);
      const leave = (): void => {
        flight.callers.delete(caller);
        pending.release(caller);
      };
      const caller: Caller = {
        dueAt: Infinity, // that of the request on its way stands for all
        signal,
        place: undefined,
        expire() {},
        resolve(response) {
          leave();
          resolve(response);
        },
        reject(error) {
          leave();
          reject(error);
        },
        abort(reason) {
          this.reject(reason);
          if (flight.callers.size > 0) return;
          if (flights.get(key) === flight) flights.delete(key); // who comes now must not wait for what is being ended
          flight.ending.abort(reason);
        },
      };
      flight.callers.add(caller);
      pending.watch(caller);
    });
  };
}

/** All copies are made before anybody goes on with the first one. */
function share(response: SubgraphResponse, callers: readonly Caller[]): void {
  const [first, ...others] = callers;
  let copies: readonly SubgraphResponse[];
  try {
    copies = others.map(() => (response.data === undefined ? response : { ...response, data: copyJson(response.data) }));
  } catch (cause) {
    for (const caller of callers) caller.reject(subgraphInvalidResponse(cause));
    return;
  }
  for (const [index, caller] of others.entries()) caller.resolve(copies[index] ?? response);
  first?.resolve(response);
}
