import type { Pending, DeadlineWatcher } from '../platform/deadline-watcher.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { createSingleFlight } from '../platform/single-flight.ts';
import { responseLimitExceeded, subgraphInvalidResponse } from './failures.ts';
import { addResponse, exceedsLimit } from './response-limit.ts';

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

export interface DedupeOptions {
  /** Returns everything that the response depends on: the body, the caller and every header propagated from the client. */
  readonly keyOf: (request: SubgraphRequest) => string;
  readonly pending: DeadlineWatcher;
  /** Maximum total size of the responses of one operation. @unit bytes */
  readonly maxBytesPerOperation: number;
}

/** A response that several operations share. */
interface SharedResponse {
  readonly response: SubgraphResponse;
  /** Size that counts for each of the operations. @unit bytes */
  readonly bytes: number;
}

/**
 * Sends equal queries that are in progress at the same time only once. Each caller gets a separate copy of the response, because responses
 * are merged in place. When a caller disconnects, the others are not affected. The request stops when the last caller disconnects.
 *
 * @throws GatewayError `SUBGRAPH_RESPONSE_LIMIT_EXCEEDED` for a caller whose operation exceeds its limit with the response
 */
export function withDedupe(next: SubgraphExecutor, { keyOf, pending, maxBytesPerOperation }: DedupeOptions): SubgraphExecutor {
  const flights = createSingleFlight<SharedResponse>({
    now: () => 0, // The deadline of the shared request applies to all callers.
    watch(signal, onAbort) {
      const watched: Pending = { dueAt: Infinity, signal, index: undefined, expire() {}, abort: onAbort };
      pending.watch(watched);
      return () => void pending.release(watched);
    },
    share,
  });
  /** Sends a request for several operations, none of which it counts for. */
  async function send(request: SubgraphRequest, signal: AbortSignal): Promise<SharedResponse> {
    const usage = { responseBytes: 0 };
    const response = await next({ ...request, usage }, signal);
    return { response, bytes: usage.responseBytes };
  }

  async function sendOnce(request: SubgraphRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    if (exceedsLimit(request, 1, maxBytesPerOperation)) throw responseLimitExceeded(maxBytesPerOperation);
    const { response, bytes } = await flights.run(keyOf(request), signal, (ending) => send(request, ending));
    if (exceedsLimit(request, bytes, maxBytesPerOperation)) throw responseLimitExceeded(maxBytesPerOperation);
    addResponse(request, bytes);
    return response;
  }

  return (request, signal) => (request.kind === 'query' ? sendOnce(request, signal) : next(request, signal));
}

/** Copies the response for each caller except the first. */
function share(shared: SharedResponse, callers: number): readonly SharedResponse[] {
  const { response, bytes } = shared;
  const { data } = response;
  try {
    return Array.from({ length: callers }, (_, index) =>
      index === 0 || data === undefined ? shared : { response: { ...response, data: copyJson(data) }, bytes },
    );
  } catch (cause) {
    throw subgraphInvalidResponse(cause);
  }
}
