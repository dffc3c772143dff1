import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import { NO_STORE, type Reply } from '../platform/http/response/send-response.ts';
import type { Logger } from '../platform/logger.ts';
import { CORRELATION_ID_HEADER } from '../platform/request-headers.ts';

/** Methods that some resource of the server has. */
const SERVER_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/**
 * Answers `OPTIONS *`, which asks about the server as a whole, and `OPTIONS /` (RFC 9110, section 9.3.7).
 *
 * @param hasPage whether a page is served at `/`
 */
export function createOptionsReply(hasPage: boolean): (target: '*' | '/', correlationId: string) => Reply {
  const ofRoot = hasPage ? 'GET, HEAD, OPTIONS' : 'OPTIONS';
  return (target, correlationId) => ({
    status: 204,
    headers: { ...NO_STORE, [CORRELATION_ID_HEADER]: correlationId, allow: target === '*' ? SERVER_METHODS : ofRoot },
    body: '',
  });
}

/** The error as it is; one that was not written for clients is logged and becomes `INTERNAL_SERVER_ERROR` with a constant text. */
export function toGatewayError(error: unknown, logger: Logger, correlationId: string): GatewayError {
  if (error instanceof GatewayError) return error;
  logger.error({ err: error, correlationId }, 'A request failed unexpectedly.');
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
}

const HEADERS = { ...NO_STORE, 'content-type': 'application/json; charset=utf-8' } as const;

/** A refusal outside of `/graphql`, in the flat shape of every answer that is not GraphQL. */
export function toPlainRefusal(error: GatewayError, traceId: string): Reply {
  return {
    status: error.status,
    headers: { ...HEADERS, ...error.headers },
    body: JSON.stringify({ error: error.code, message: error.message, traceId }),
  };
}

/** A value as JSON. */
export function toJsonReply(status: number, value: unknown): Reply {
  return { status, headers: HEADERS, body: JSON.stringify(value) };
}
