import type { GatewayError } from '../../gateway/platform/errors.ts';
import { NO_STORE } from '../../gateway/platform/http/response/send-response.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import { VARY } from '../response/vary.ts';
import { type RefusedRequest, toErrorBody } from './error-body.ts';

export interface ErrorReplyOptions {
  /** @unit seconds */
  readonly retryAfterSeconds: number;
  /** How callers may prove who they are: `WWW-Authenticate` where a refusal says nothing more exact. */
  readonly challenges: string;
}

/** A refusal as an answer. */
export function toErrorReply(
  error: GatewayError,
  request: RefusedRequest,
  { retryAfterSeconds, challenges }: ErrorReplyOptions,
): NamedReply {
  const { status } = error;
  const { contentType, body } = toErrorBody(error, request);
  const headers = {
    ...NO_STORE,
    vary: VARY,
    'content-type': contentType,
    ...(status === 401 ? { 'www-authenticate': challenges } : {}),
    ...(status === 503 || status === 429 ? { 'retry-after': String(retryAfterSeconds) } : {}),
    ...error.headers,
  };
  return { status, headers, body: JSON.stringify(body) };
}
