import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import { NO_STORE, type HttpResponse } from '../platform/http/response/send-response.ts';
import type { Logger } from '../platform/logger.ts';
import { CORRELATION_ID_HEADER } from '../platform/request-headers.ts';

/** Methods that at least one resource of the server supports. */
const SERVER_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/**
 * Creates the responses to `OPTIONS *`, which refers to the server as a whole, and `OPTIONS /` (RFC 9110, section 9.3.7).
 *
 * @param hasPage whether a page is served at `/`
 */
export function createOptionsResponse(hasPage: boolean): (target: '*' | '/', correlationId: string) => HttpResponse {
  const ofRoot = hasPage ? 'GET, HEAD, OPTIONS' : 'OPTIONS';
  return (target, correlationId) => ({
    status: 204,
    headers: { ...NO_STORE, [CORRELATION_ID_HEADER]: correlationId, allow: target === '*' ? SERVER_METHODS : ofRoot },
    body: '',
  });
}

/** Returns a `GatewayError` unchanged. Any other error is logged and becomes `INTERNAL_SERVER_ERROR` with a constant message. */
export function toGatewayError(error: unknown, logger: Logger, correlationId: string): GatewayError {
  if (error instanceof GatewayError) return error;
  logger.error({ err: error, correlationId }, 'A request failed with an unexpected error.');
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
}

const HEADERS = { ...NO_STORE, 'content-type': 'application/json; charset=utf-8' } as const;

/** Makes an error response outside of `/graphql`, in the flat format of every response that is not GraphQL. */
export function toPlainErrorResponse(error: GatewayError, traceId: string): HttpResponse {
  return {
    status: error.status,
    headers: { ...HEADERS, ...error.headers },
    body: JSON.stringify({ error: error.code, message: error.message, traceId }),
  };
}

/** Makes a JSON response. */
export function toJsonResponse(status: number, value: unknown): HttpResponse {
  return { status, headers: HEADERS, body: JSON.stringify(value) };
}
