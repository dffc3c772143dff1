import type { SubgraphPolicies } from '../config/sections/subgraphs.ts';
import { systemClock } from '../platform/clock.ts';
import type { DeadlineWatcher } from '../platform/deadline-watcher.ts';
import type { SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { CompiledHeaders } from './compile-headers.ts';
import type { ConnectionPool } from './connection/connection-pool.ts';
import type { ResponseHead } from './connection/read-head.ts';
import { exchange } from './exchange.ts';
import type { FailureLog } from './failures.ts';
import type { LargeResponses } from './large-responses.ts';
import type { ParsedJson } from './decode-json.ts';
import { checkHead, isRecord, readResponse } from './read-response.ts';
import type { ResponseLengths } from './response-lengths.ts';
import type { SubgraphTarget } from './resolve-targets.ts';
import { type IdentitySigner, signedPrincipalOf } from './sign-identity.ts';
import type { SubgraphActivity } from './subgraph-state.ts';
import type { QueuedRequest } from './with-bulkhead.ts';

export interface SenderOptions {
  readonly target: SubgraphTarget;
  readonly connections: ConnectionPool;
  readonly headers: CompiledHeaders;
  /** Signer of the identity header. Without one, no identity is sent. */
  readonly identity: IdentitySigner | undefined;
  readonly policies: SubgraphPolicies;
  readonly pending: DeadlineWatcher;
  readonly largeResponses: LargeResponses;
  readonly lengths: ResponseLengths;
  readonly logFailure: FailureLog;
  /** Maximum total size of the responses of one operation. @unit bytes */
  readonly maxBytesPerOperation: number;
  /** Updated by each valid response. */
  readonly activity: SubgraphActivity;
  /** Whether hooks change headers of requests and read heads and extensions of responses. @defaultValue false */
  readonly hasHooks?: boolean | undefined;
}

/** Maximum number of messages of one response that are logged. */
const MAX_LOGGED_ERRORS = 10;

/**
 * Minimum share of the request timeout that must be left when a request is sent. With less, a timeout does not count as an outage of the
 * subgraph.
 */
export const MIN_SHARE_LEFT = 0.5;

/** Creates a function that sends each request once over HTTP. All policies wrap this function. */
export function createSender(options: SenderOptions): (request: QueuedRequest, signal: AbortSignal) => Promise<SubgraphResponse> {
  const {
    target,
    connections,
    headers,
    identity,
    policies,
    pending,
    largeResponses,
    lengths,
    logFailure,
    maxBytesPerOperation,
    activity,
    hasHooks = false,
  } = options;
  const { requestTimeoutMs, maxResponseBytes: maxBytes, maxErrors } = policies;
  const errorRules = { ...policies, subgraph: target.name };

  const linesOf = hasHooks ? headers.withChanges : ({ context, trace }: SubgraphRequest) => headers.of(context, trace);

  // The constant start of the request head is written once.
  const start = `POST ${target.path} HTTP/1.1\r\nhost: ${new URL(target.origin).host}\r\n`;

  function headOf(request: SubgraphRequest): string {
    const { body, context } = request;
    const head = start + linesOf(request);
    if (identity === undefined) return head;
    return `${head}${identity.header}: ${identity.headerValue(target.name, signedPrincipalOf(context), body)}\r\n`;
  }

  function readPlain(request: SubgraphRequest, head: ResponseHead, parseBody: () => ParsedJson): SubgraphResponse {
    const { response, masked } = readResponse(head, parseBody, maxErrors, errorRules);
    activity.lastSuccessAt = systemClock.now();
    if (masked.length > 0) {
      logFailure(request, { errors: masked.slice(0, MAX_LOGGED_ERRORS) }, 'A subgraph returned errors whose codes are not listed.');
    }
    if (request.wantsFreshness !== true) return response;
    return { cacheControl: head.headers['cache-control'], cacheTags: head.headers['cache-tag'], ...response };
  }

  /** Reads a response with everything that hooks can use of it. */
  function readForHooks(request: SubgraphRequest, head: ResponseHead, parseBody: () => ParsedJson): SubgraphResponse {
    let extensions: unknown;
    const response = readPlain(request, head, () => {
      const parsed = parseBody();
      extensions = isRecord(parsed.value) ? parsed.value['extensions'] : undefined;
      return parsed;
    });
    const exposed = { ...response, head: { status: head.statusCode, headers: head.headers } };
    return isRecord(extensions) ? { ...exposed, extensions } : exposed;
  }

  const read = hasHooks ? readForHooks : readPlain;
  const maxWaiting = maxWaitingOf(policies);
  const rules = { maxBytes, maxBytesPerOperation, pending, largeResponses, lengths, maxWaiting, checkHead, read };
  return (request, signal) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    try {
      const message = { head: headOf(request), body: request.body, isRepeatable: request.kind === 'query' };
      const now = systemClock.monotonic();
      const dueAt = request.dueAt ?? now + requestTimeoutMs;
      const isOutageIfLate = dueAt - now >= requestTimeoutMs * MIN_SHARE_LEFT;
      return exchange(connections, message, { request, isOutageIfLate, dueAt, signal }, rules);
    } catch (error) {
      return Promise.reject(error); // The policies around this function count requests when the promise settles, so it must not throw.
    }
  };
}

/**
 * Returns the maximum number of large responses of one subgraph that can hold connections while they wait. Half of the connections stay
 * free for other responses.
 */
export function maxWaitingOf({ maxConnections, bulkhead }: SubgraphPolicies): number {
  return Math.ceil(Math.min(maxConnections, bulkhead.maxConcurrent) / 2);
}
