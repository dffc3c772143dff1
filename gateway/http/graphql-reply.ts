import { BEARER_CHALLENGE } from '../auth/authentication-errors.ts';
import { REPLAYED } from '../idempotency/idempotency.ts';
import { toRefusalErrors } from '../pipeline/refusal-errors.ts';
import { CORRELATION_ID_HEADER } from '../platform/request-headers.ts';
import { type GatewayError, statusOf } from '../platform/errors.ts';
import type { Reply } from '../platform/http/response/send-response.ts';
import type { OnceResult } from './answer-once.ts';
import type { GraphqlMediaType } from './media-types.ts';
import { graphqlStatusOf } from './status.ts';

export const CONTENT_TYPES: Readonly<Record<GraphqlMediaType, string>> = {
  'application/json': 'application/json; charset=utf-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
};

/** What answers differ by, compressed or not. */
export const VARY = 'Accept, Accept-Encoding';

/** The same, and by credentials. */
export const VARY_BY_CALLER = `${VARY}, Authorization, X-API-Key`;

/** The answer to an operation that was executed, with or without errors. */
export function toResultReply({ body, facts, isReplayed = false }: OnceResult, mediaType: GraphqlMediaType, requestId: string): Reply {
  const headers = facts.isPersonal === true ? personalHeadersOf(mediaType, requestId) : headersOf(mediaType, requestId);
  return { status: 200, headers: isReplayed ? { ...headers, ...REPLAYED } : headers, body };
}

/**
 * The answer to a request that was refused: a GraphQL response with `errors` and no `data`.
 *
 * @param challenges how callers may prove who they are, where a refusal says nothing more exact (RFC 9110, section 15.5.2)
 */
export function toRefusalReply(
  error: GatewayError,
  mediaType: GraphqlMediaType,
  requestId: string,
  challenges: string = BEARER_CHALLENGE,
): Reply {
  // A status of its own says something about the request, whatever the answer is in.
  const status = error.status === statusOf(error.code) ? graphqlStatusOf(error.code, mediaType) : error.status;
  return {
    status,
    headers: {
      ...headersOf(mediaType, requestId),
      ...(status === 401 ? { 'www-authenticate': challenges } : {}),
      ...retryAfter(status),
      ...error.headers,
    },
    body: JSON.stringify({ errors: toRefusalErrors(error, requestId) }),
  };
}

/** Written out rather than spread: it is made for every answer. */
function headersOf(mediaType: GraphqlMediaType, requestId: string) {
  return {
    [CORRELATION_ID_HEADER]: requestId,
    'cache-control': 'no-store',
    vary: VARY,
    'content-type': CONTENT_TYPES[mediaType],
  } as const;
}

/** Written out, as above. */
function personalHeadersOf(mediaType: GraphqlMediaType, requestId: string) {
  return {
    [CORRELATION_ID_HEADER]: requestId,
    'cache-control': 'private, no-cache',
    vary: VARY_BY_CALLER,
    'content-type': CONTENT_TYPES[mediaType],
  } as const;
}

/** A client that is told to come back is told when. @unit seconds */
function retryAfter(status: number): Readonly<Record<string, string>> {
  return status === 503 ? { 'retry-after': '1' } : {};
}
