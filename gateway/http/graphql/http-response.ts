import type { OutgoingHttpHeaders } from 'node:http';
import { BEARER_CHALLENGE } from '../../auth/authentication-errors.ts';
import { REPLAYED } from '../../idempotency/idempotency.ts';
import { toRequestErrors } from '../../pipeline/response.ts';
import type { ResultFacts } from '../../pipeline/operation-result.ts';
import type { IdempotentResult } from '../../pipeline/with-idempotency.ts';
import { type ErrorCode, type GatewayError, statusOf } from '../../platform/errors.ts';
import type { HttpResponse, NamedHttpResponse } from '../../platform/http/response/send-response.ts';
import { CORRELATION_ID_HEADER } from '../../platform/request-headers.ts';
import type { GraphqlMediaType } from './negotiate-response.ts';

/**
 * Error codes of well-formed requests whose operation cannot be executed. Under `application/json` the status is 200, because a client
 * cannot distinguish the status of the gateway from that of an intermediary (GraphQL over HTTP, section "Status Codes").
 */
const OPERATION_REJECTIONS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'INTROSPECTION_DISABLED',
  'TOKEN_LIMIT_EXCEEDED',
  'DEPTH_LIMIT_EXCEEDED',
  'ALIAS_LIMIT_EXCEEDED',
  'ROOT_FIELD_LIMIT_EXCEEDED',
  'SELECTION_LIMIT_EXCEEDED',
  'DIRECTIVE_LIMIT_EXCEEDED',
  'COST_LIMIT_EXCEEDED',
]);

/** Returns the HTTP status of a `/graphql` response when the operation was not executed. */
export function graphqlStatusOf(code: ErrorCode, mediaType: GraphqlMediaType): number {
  return mediaType === 'application/json' && OPERATION_REJECTIONS.has(code) ? 200 : statusOf(code);
}

export const CONTENT_TYPES: Readonly<Record<GraphqlMediaType, string>> = {
  'application/json': 'application/json; charset=utf-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
};

/** Value of `Vary` for responses that do not depend on the caller, compressed or not. */
export const VARY = 'Accept, Accept-Encoding';

/** Value of `Vary` for responses that depend on credentials. */
export const VARY_BY_CALLER = `${VARY}, Authorization, X-API-Key`;

/** Makes the response for an executed operation, with or without errors. */
export function toResultResponse(
  { body, bytes, longBody, facts, isReplayed = false }: IdempotentResult,
  mediaType: GraphqlMediaType,
  requestId: string,
): NamedHttpResponse {
  const headers = facts.isPersonal === true ? personalHeadersOf(mediaType, requestId) : headersOf(mediaType, requestId);
  const response = { status: 200, headers: isReplayed ? { ...headers, ...REPLAYED } : headers, body: bytes ?? body };
  return longBody === undefined ? response : { ...response, longBody };
}

/** Makes the response for an executed operation, with the headers that hooks have set. */
export function toHookedResponse(result: IdempotentResult, mediaType: GraphqlMediaType, requestId: string): NamedHttpResponse {
  const response = toResultResponse(result, mediaType, requestId);
  const { headers } = result.facts;
  return headers === undefined ? response : { ...response, headers: withResultHeaders(response.headers, headers) };
}

/** Adds the headers of hooks to the headers of a response. `Vary` is extended, because the gateway has named what its response depends on. */
function withResultHeaders(headers: OutgoingHttpHeaders, added: NonNullable<ResultFacts['headers']>): OutgoingHttpHeaders {
  const merged: OutgoingHttpHeaders = {};
  // A spread object that gets more members would have a new shape for each response.
  for (const name in headers) merged[name] = headers[name];
  for (const [name, value] of Object.entries(added)) {
    const text = typeof value === 'string' ? value : [...value];
    merged[name] = name === 'vary' ? `${String(headers['vary'])}, ${String(text)}` : text;
  }
  return merged;
}

/**
 * Makes the response for a rejected request: a GraphQL response with `errors` and no `data`.
 *
 * @param challenges authentication schemes for `WWW-Authenticate` when the error has no more specific header (RFC 9110, section 15.5.2)
 */
export function toHttpErrorResponse(
  error: GatewayError,
  mediaType: GraphqlMediaType,
  requestId: string,
  challenges: string = BEARER_CHALLENGE,
): HttpResponse {
  // A status that differs from the default of the code describes the HTTP request, so it does not depend on the media type.
  const status = error.status === statusOf(error.code) ? graphqlStatusOf(error.code, mediaType) : error.status;
  return {
    status,
    headers: {
      ...headersOf(mediaType, requestId),
      ...(status === 401 ? { 'www-authenticate': challenges } : {}),
      ...retryAfter(status),
      ...error.headers,
    },
    body: JSON.stringify({ errors: toRequestErrors(error, requestId) }),
  };
}

/** Lists the headers explicitly, because object spread is slow and this runs for every response. */
function headersOf(mediaType: GraphqlMediaType, requestId: string) {
  return {
    [CORRELATION_ID_HEADER]: requestId,
    'cache-control': 'no-store',
    vary: VARY,
    'content-type': CONTENT_TYPES[mediaType],
  } as const;
}

/** Lists the headers explicitly, as above. */
function personalHeadersOf(mediaType: GraphqlMediaType, requestId: string) {
  return {
    [CORRELATION_ID_HEADER]: requestId,
    'cache-control': 'private, no-cache',
    vary: VARY_BY_CALLER,
    'content-type': CONTENT_TYPES[mediaType],
  } as const;
}

/** Makes the `Retry-After` header of a 503 response. @unit seconds */
function retryAfter(status: number): Readonly<Record<string, string>> {
  return status === 503 ? { 'retry-after': '1' } : {};
}
