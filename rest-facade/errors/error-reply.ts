import type { GatewayError } from '../../gateway/platform/errors.ts';
import { NO_STORE } from '../../gateway/platform/http/security-headers.ts';
import type { NamedReply } from '../../gateway/platform/http/send-reply.ts';

export interface ErrorReplyOptions {
  /** @unit seconds */
  readonly retryAfterSeconds: number;
  /** How callers may prove who they are: `WWW-Authenticate` where a refusal says nothing more exact. */
  readonly challenges: string;
}

/** The flat error body. */
export function toErrorReply(error: GatewayError, traceId: string, { retryAfterSeconds, challenges }: ErrorReplyOptions): NamedReply {
  const { code, message, status, details } = error;
  const body = { error: code, message, traceId, ...(details.length === 0 ? {} : { details }) };
  const headers = {
    ...NO_STORE,
    vary: 'Accept',
    'content-type': 'application/json; charset=utf-8',
    ...(status === 401 ? { 'www-authenticate': challenges } : {}),
    ...(status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {}),
    ...error.headers,
  };
  return { status, headers, body: JSON.stringify(body) };
}
