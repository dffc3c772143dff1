import type { HealthReport } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { guardRawRequest } from '../../gateway/platform/http/request/raw-request-guard.ts';
import { NO_STORE } from '../../gateway/platform/http/response/send-response.ts';
import { splitTarget } from '../request/request-address.ts';
import type { NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { IncomingRestRequest, RestHandler } from '../request/request-context.ts';

const METHODS = 'GET, HEAD, OPTIONS';

export interface HealthEndpointOptions {
  readonly health: () => HealthReport;
  readonly isHealthPath: (path: string) => boolean;
  /** @unit bytes */
  readonly maxUrlBytes: number;
}

/** Compiles a matcher for `/health` below each mount, with and without a version, and with an optional trailing slash. */
export function compileHealthPath(mounts: readonly string[]): (path: string) => boolean {
  const prefixes = new Set(mounts);
  return (path) => {
    if (!path.endsWith('/health') && !path.endsWith('/health/')) return false;
    const [, prefix] = /^(.*?)(?:\/v[1-9]\d{0,8})?\/health\/?$/.exec(path) ?? [];
    return prefix !== undefined && prefixes.has(prefix);
  };
}

/**
 * Serves `/health` below the mounts of the facade and passes all other paths to `next`. On its own listener, the gateway serves the path
 * first, including during maintenance, so this is for listeners of other servers.
 */
export function serveHealth(next: RestHandler, { health, isHealthPath, maxUrlBytes }: HealthEndpointOptions): RestHandler {
  // Other requests are passed on without a further promise.
  return (incoming) => (isHealthPath(splitTarget(incoming.request.url ?? '/').path) ? respond(incoming) : next(incoming));

  async function respond({ request }: IncomingRestRequest): Promise<NamedHttpResponse> {
    guardRawRequest(request, { maxUrlBytes });
    if (request.method === 'OPTIONS') return { status: 204, headers: { ...NO_STORE, allow: METHODS }, body: '' };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'The health endpoint supports only the methods GET, HEAD and OPTIONS.', {
        headers: { allow: METHODS },
      });
    }
    const report = health();
    const headers = { ...NO_STORE, 'content-type': 'application/json; charset=utf-8' };
    return { status: report.status === 'ok' ? 200 : 503, headers, body: JSON.stringify(report) };
  }
}
