import type { HealthReport } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { guardRawRequest } from '../../gateway/platform/http/request/raw-request-guard.ts';
import { NO_STORE } from '../../gateway/platform/http/response/send-response.ts';
import type { AnswerRequest } from './answer-request.ts';
import { splitTarget } from './find-route.ts';

const METHODS = 'GET, HEAD, OPTIONS';

export interface HealthDoorOptions {
  readonly health: () => HealthReport;
  readonly isHealthPath: (path: string) => boolean;
  /** @unit bytes */
  readonly maxUrlBytes: number;
}

/** Recognizes `/health` below each mount, with and without a version, and with and without one slash at the end. */
export function compileHealthPath(mounts: readonly string[]): (path: string) => boolean {
  const prefixes = new Set(mounts);
  return (path) => {
    const [, prefix] = /^(.*?)(?:\/v[1-9]\d{0,8})?\/health\/?$/.exec(path) ?? [];
    return prefix !== undefined && prefixes.has(prefix);
  };
}

/**
 * Answers `/health` below the mounts of the facade, and leaves all other paths to `next`. On the gateway's own listener the gateway answers
 * before it, also during maintenance; this is for listeners of other servers.
 */
export function withHealth(next: AnswerRequest, { health, isHealthPath, maxUrlBytes }: HealthDoorOptions): AnswerRequest {
  return async (incoming) => {
    const { request } = incoming;
    if (!isHealthPath(splitTarget(request.url ?? '/').path)) return next(incoming);
    guardRawRequest(request, { maxUrlBytes });
    if (request.method === 'OPTIONS') return { status: 204, headers: { ...NO_STORE, allow: METHODS }, body: '' };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'Health is read by GET.', { headers: { allow: METHODS } });
    }
    const report = health();
    const headers = { ...NO_STORE, 'content-type': 'application/json; charset=utf-8' };
    return { status: report.status === 'ok' ? 200 : 503, headers, body: JSON.stringify(report) };
  };
}
