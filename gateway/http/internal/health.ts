import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../platform/errors.ts';
import { NO_STORE, sendReply } from '../../platform/http/response/send-response.ts';
import { toJsonReply, toPlainRefusal } from '../plain-response.ts';

const METHODS = 'GET, HEAD, OPTIONS';

/** What a load balancer wants to know. */
export interface HealthState {
  readonly hasSupergraph: boolean;
  /** Shutting down: running requests finish, new ones should go elsewhere. */
  readonly isDraining: boolean;
}

/** What `/health` tells. */
export interface HealthReport {
  readonly status: 'ok' | 'draining' | 'unavailable';
  readonly checks: Readonly<Record<string, 'ok' | 'draining' | 'missing'>>;
}

/** Anything that is told; the status decides about the HTTP status. */
type Report = HealthReport | (object & { readonly status: 'ok' });

/** Answers a health path; false for every other path. */
export type HealthHandler = (path: string, request: IncomingMessage, response: ServerResponse, correlationId: string) => boolean;

/**
 * `/health` and `/health/ready`: 503 while there is nothing to serve or the process is about to end. `/health/live`:
 * 200 as long as the process answers at all. Once there was a supergraph, a look for another one that fails takes nothing
 * away: the one before is served. One slash at the end of a path makes no difference, as it makes none for resources.
 *
 * @param reports what further paths tell, such as `/health/supergraph`; for the internal listener, because it is not for everybody
 */
export function createHealthHandler(state: () => HealthState, reports: Readonly<Record<string, () => object>> = {}): HealthHandler {
  const readiness = (): HealthReport => reportReadiness(state());
  const probes = new Map<string, () => Report>([
    ['/health', readiness],
    ['/health/ready', readiness],
    ['/health/live', () => ({ status: 'ok', checks: {} })],
  ]);
  for (const [name, report] of Object.entries(reports)) probes.set(`/health/${name}`, () => ({ status: 'ok', ...report() }));
  return (path, request, response, correlationId) => {
    const probe = probes.get(path.endsWith('/') ? path.slice(0, -1) : path);
    if (probe === undefined) return false;
    if (request.method === 'OPTIONS') {
      sendReply(request, response, { status: 204, headers: { ...NO_STORE, allow: METHODS }, body: '' });
    } else if (request.method === 'GET' || request.method === 'HEAD') {
      const report = probe();
      sendReply(request, response, toJsonReply(report.status === 'ok' ? 200 : 503, report));
    } else {
      const refusal = new GatewayError('METHOD_NOT_ALLOWED', 'Health is read by GET.', { headers: { allow: METHODS } });
      sendReply(request, response, toPlainRefusal(refusal, correlationId));
    }
    return true;
  };
}

/** The report of a state. */
export function reportReadiness({ hasSupergraph, isDraining }: HealthState): HealthReport {
  return {
    status: isDraining ? 'draining' : hasSupergraph ? 'ok' : 'unavailable',
    checks: { supergraph: hasSupergraph ? 'ok' : 'missing', lifecycle: isDraining ? 'draining' : 'ok' },
  };
}

/** Whether a request target is one of health, which is answered whatever else is refused. */
export function isHealth(target: string): boolean {
  return /^\/health(?:\/[a-z]*)?\/?(?:\?|$)/.test(target);
}
