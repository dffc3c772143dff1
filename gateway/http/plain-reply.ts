import type { GatewayError } from '../platform/errors.ts';
import { NO_STORE } from '../platform/http/response/send-response.ts';
import type { Reply } from '../platform/http/response/send-response.ts';

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
