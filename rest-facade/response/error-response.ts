import type { GatewayError } from '../../gateway/platform/errors.ts';
import { type NamedHttpResponse, NO_STORE, statusPhrase } from '../../gateway/platform/http/response/send-response.ts';
import { type Acceptance, JSON_TYPE, PROBLEM_TYPE, type ResponseMediaType } from '../request/negotiation/content-negotiation.ts';
import { REST_VARY } from './response-headers.ts';

/** The data of a request that its error response uses. */
export interface RejectedRequest {
  readonly acceptance: Acceptance;
  /** Absent if the request was rejected before the version was determined. */
  readonly version?: number;
  /** Id of the request, which is also in the log. */
  readonly requestId: string;
  /** Id of the trace that the request belongs to. */
  readonly traceId: string;
}

/** Content type and body of an error response. */
export interface ErrorBody {
  readonly contentType: string;
  readonly body: unknown;
}

const VERSION_OF_TYPE = /\.v\d+(?=[.+])/;

/**
 * Returns the error body for the accepted media type: problem details if the client prefers them, `{ error: { … } }` for an envelope, and
 * the flat body otherwise, including errors before content negotiation.
 */
export function toErrorBody({ code, message, status, details }: GatewayError, request: RejectedRequest): ErrorBody {
  const { acceptance, version, requestId, traceId } = request;
  const more = details.length === 0 ? {} : { details };
  if (acceptance.wantsProblem) {
    const problem = { type: 'about:blank', title: statusPhrase(status), status, detail: message, code, traceId, ...more };
    return { contentType: PROBLEM_TYPE, body: problem };
  }
  const type = acceptance.types.find((candidate) => version === undefined || (candidate.version ?? version) === version);
  const body = type?.shape === 'envelope' ? { error: { code, message, requestId, ...more } } : { error: code, message, traceId, ...more };
  return { contentType: toContentType(type, version), body };
}

/** Returns the content type. A version that may not exist is not named. */
function toContentType(type: ResponseMediaType | undefined, version: number | undefined): string {
  if (type === undefined || type.type === JSON_TYPE) return `${JSON_TYPE}; charset=utf-8`;
  return version === undefined ? type.type.replace(VERSION_OF_TYPE, '') : type.type;
}

export interface ErrorResponseOptions {
  /** @unit seconds */
  readonly retryAfterSeconds: number;
  /** Default value of `WWW-Authenticate`, with the accepted authentication schemes. */
  readonly challenges: string;
}

/** Converts an error to a response. */
export function toErrorResponse(
  error: GatewayError,
  request: RejectedRequest,
  { retryAfterSeconds, challenges }: ErrorResponseOptions,
): NamedHttpResponse {
  const { status } = error;
  const { contentType, body } = toErrorBody(error, request);
  const headers = {
    ...NO_STORE,
    vary: REST_VARY,
    'content-type': contentType,
    ...(status === 401 ? { 'www-authenticate': challenges } : {}),
    ...(status === 503 || status === 429 ? { 'retry-after': String(retryAfterSeconds) } : {}),
    ...error.headers,
  };
  return { status, headers, body: JSON.stringify(body) };
}
