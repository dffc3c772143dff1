import { systemClock } from '../../platform/clock.ts';
import type { SubgraphRequest, SubgraphResponse } from '../../supergraph/subgraph-executor.ts';
import type { ResponseHead } from '../connection/read-head.ts';
import type { ParsedJson } from '../decode-json.ts';
import { exchange } from '../exchange.ts';
import { maxWaitingOf, MIN_SHARE_LEFT, type SenderOptions } from '../send-request.ts';
import { signedPrincipalOf } from '../sign-identity.ts';
import type { QueuedRequest } from '../with-bulkhead.ts';
import type { CompiledHttpHeaders, HttpSubgraphRequest } from './compile-http-headers.ts';
import { checkHttpHead, decodeHttpBody, isBodyOptional, readHttpResult } from './read-http-result.ts';

/** Dependencies of the sender of one source. */
export interface HttpSenderOptions extends Omit<SenderOptions, 'target' | 'headers' | 'logFailure' | 'hasHooks'> {
  readonly subgraph: string;
  /** Scheme, host and port of the source. */
  readonly origin: string;
  readonly headers: CompiledHttpHeaders;
}

/** Methods whose requests have no body unless one is given. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/** Whether a request is for a back end that is not a GraphQL server. */
function isHttpRequest<Request extends SubgraphRequest>(request: Request): request is Request & HttpSubgraphRequest {
  return request.http !== undefined;
}

/** Creates a function that sends each HTTP request to a source once. All policies wrap this function. */
export function createHttpSender(options: HttpSenderOptions): (request: QueuedRequest, signal: AbortSignal) => Promise<SubgraphResponse> {
  const { subgraph, origin, connections, headers, identity, policies, pending, largeResponses, lengths, maxBytesPerOperation, activity } =
    options;
  const { requestTimeoutMs, maxResponseBytes: maxBytes } = policies;
  const { host } = new URL(origin);

  function headOf(request: HttpSubgraphRequest): string {
    const { http, body, context } = request;
    const head = `${http.method} ${http.target} HTTP/1.1\r\nhost: ${host}\r\n${headers.linesOf(request)}`;
    if (identity === undefined) return head;
    return `${head}${identity.header}: ${identity.headerValue(subgraph, signedPrincipalOf(context), body)}\r\n`;
  }

  function read(_request: SubgraphRequest, head: ResponseHead, parseBody: () => ParsedJson, text = ''): SubgraphResponse {
    const received = readHttpResult(head, parseBody, text);
    activity.lastSuccessAt = systemClock.now();
    return { http: received };
  }

  const rules = {
    maxBytes,
    maxBytesPerOperation,
    pending,
    largeResponses,
    lengths,
    maxWaiting: maxWaitingOf(policies),
    checkHead: checkHttpHead,
    read,
    decode: decodeHttpBody,
    ignoresBody: isBodyOptional,
  };
  return (request, signal) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    try {
      if (!isHttpRequest(request)) throw new Error(`Subgraph "${subgraph}" has no GraphQL server.`);
      const hasBody = request.body !== '' || !WITHOUT_BODY.has(request.http.method);
      const message = { head: headOf(request), body: hasBody ? request.body : undefined };
      const now = systemClock.monotonic();
      const dueAt = request.dueAt ?? now + requestTimeoutMs;
      const isOutageIfLate = dueAt - now >= requestTimeoutMs * MIN_SHARE_LEFT;
      return exchange(connections, message, { request, isOutageIfLate, dueAt, signal }, rules);
    } catch (error) {
      return Promise.reject(error); // The policies around this function count requests when the promise settles, so it must not throw.
    }
  };
}
