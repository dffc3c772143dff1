import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../platform/errors.ts';
import { sendReply } from '../platform/http/send-reply.ts';
import { toJsonReply, toPlainRefusal } from './plain-reply.ts';

/** What a load balancer wants to know. */
export interface HealthState {
  readonly hasSupergraph: boolean;
  /** Shutting down: running requests finish, new ones should go elsewhere. */
  readonly isDraining: boolean;
}

interface HealthReport {
  readonly status: 'ok' | 'draining' | 'unavailable';
  readonly checks: Readonly<Record<string, 'ok' | 'draining' | 'missing'>>;
}

/** Answers a health path; false for every other path. */
export type HealthHandler = (path: string, request: IncomingMessage, response: ServerResponse, correlationId: string) => boolean;

/**
 * `/health` and `/health/ready`: 503 while there is nothing to serve or the process is about to end. `/health/live`:
 * 200 as long as the process answers at all.
 */
export function createHealthHandler(state: () => HealthState): HealthHandler {
  const probes: ReadonlyMap<string, () => HealthReport> = new Map([
    ['/health', () => reportReadiness(state())],
    ['/health/ready', () => reportReadiness(state())],
    ['/health/live', () => ({ status: 'ok', checks: {} }) as const],
  ]);
  return (path, request, response, correlationId) => {
    const probe = probes.get(path);
    if (probe === undefined) return false;
    if (request.method === 'GET' || request.method === 'HEAD') {
      const report = probe();
      sendReply(request, response, toJsonReply(report.status === 'ok' ? 200 : 503, report));
    } else {
      const refusal = new GatewayError('METHOD_NOT_ALLOWED', 'Health is read by GET.', { headers: { allow: 'GET, HEAD' } });
      sendReply(request, response, toPlainRefusal(refusal, correlationId));
    }
    return true;
  };
}

function reportReadiness({ hasSupergraph, isDraining }: HealthState): HealthReport {
  return {
    status: isDraining ? 'draining' : hasSupergraph ? 'ok' : 'unavailable',
    checks: { supergraph: hasSupergraph ? 'ok' : 'missing', lifecycle: isDraining ? 'draining' : 'ok' },
  };
}
