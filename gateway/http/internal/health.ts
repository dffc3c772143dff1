import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../platform/http/response/outgoing-response.ts';
import { GatewayError } from '../../platform/errors.ts';
import { NO_STORE, sendResponse } from '../../platform/http/response/send-response.ts';
import { toJsonResponse, toPlainErrorResponse } from '../plain-response.ts';

const METHODS = 'GET, HEAD, OPTIONS';

/** State of the gateway that load balancers need. */
export interface HealthState {
  readonly hasSupergraph: boolean;
  /** Whether the gateway is shutting down: requests in progress finish, and new ones should be sent to another instance. */
  readonly isDraining: boolean;
  /** False while a required subgraph is unavailable. @defaultValue undefined: no subgraph is required */
  readonly areSubgraphsAvailable?: boolean | undefined;
}

/** Body of `/health`. */
export interface HealthReport {
  readonly status: 'ok' | 'draining' | 'unavailable';
  readonly checks: Readonly<Record<string, 'ok' | 'draining' | 'missing' | 'unavailable'>>;
}

/** Further members of the readiness on the internal listener. */
export interface ReadinessDetails {
  /** Id of the supergraph that is being served; null before the first one. */
  readonly generation: string | null;
  /** State of each subgraph, by name. */
  readonly subgraphs: Readonly<Record<string, SubgraphReadiness>>;
}

/** State of one subgraph in the readiness. */
export interface SubgraphReadiness {
  /** `unavailable`: the circuit breaker is open. `missing`: the subgraph is required, and the supergraph does not contain it. */
  readonly status: 'ok' | 'unavailable' | 'missing';
  /** Null if the circuit breaker is disabled. */
  readonly circuitBreaker: 'closed' | 'open' | 'half-open' | null;
  /** Time of the last valid response since the supergraph was loaded (RFC 3339); null before the first one. */
  readonly lastSuccessAt: string | null;
  /** Whether the gateway is not ready while the subgraph is unavailable. */
  readonly isRequired: boolean;
  /** States of the sources of a subgraph with connectors, by name. Absent for a GraphQL server. */
  readonly sources?: Readonly<Record<string, SourceReadiness>>;
}

/** State of one source of a subgraph with connectors. */
export type SourceReadiness = Pick<SubgraphReadiness, 'circuitBreaker' | 'lastSuccessAt'> & { readonly status: 'ok' | 'unavailable' };

/** Body of any health path. Its `status` determines the HTTP status. */
type Report = HealthReport | (object & { readonly status: 'ok' });

/** Additions of the internal listener to its health paths. */
export interface InternalHealth {
  /** Returns further members of the readiness. */
  readonly details?: () => ReadinessDetails;
  /** Bodies of further paths, such as `/health/supergraph`. */
  readonly reports?: Readonly<Record<string, () => object>>;
}

/** Handles a health path. Returns false for every other path. */
export type HealthHandler = (path: string, request: ReceivedRequest, response: OutgoingResponse, correlationId: string) => boolean;

/**
 * Creates the handler of the health paths. `/health` and `/health/ready` return 503 while there is no supergraph, the process is shutting
 * down or a required subgraph is unavailable. `/health/live` returns 200 as long as the process responds. A failed update of the supergraph does not change the status, because
 * the previous supergraph is still served. A trailing slash is ignored, as it is for resources.
 *
 * @param internal additions of the internal listener. They are not public
 */
export function createHealthHandler(state: () => HealthState, { details, reports = {} }: InternalHealth = {}): HealthHandler {
  const readiness = (): HealthReport => ({ ...reportReadiness(state()), ...details?.() });
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
      sendResponse(request, response, { status: 204, headers: { ...NO_STORE, allow: METHODS }, body: '' });
    } else if (request.method === 'GET' || request.method === 'HEAD') {
      const report = probe();
      sendResponse(request, response, toJsonResponse(report.status === 'ok' ? 200 : 503, report));
    } else {
      const error = new GatewayError('METHOD_NOT_ALLOWED', 'Health paths support only GET and HEAD.', { headers: { allow: METHODS } });
      sendResponse(request, response, toPlainErrorResponse(error, correlationId));
    }
    return true;
  };
}

/** Makes the readiness report of a state. */
export function reportReadiness({ hasSupergraph, isDraining, areSubgraphsAvailable }: HealthState): HealthReport {
  const isServing = hasSupergraph && areSubgraphsAvailable !== false;
  return {
    status: isDraining ? 'draining' : isServing ? 'ok' : 'unavailable',
    checks: {
      supergraph: hasSupergraph ? 'ok' : 'missing',
      lifecycle: isDraining ? 'draining' : 'ok',
      ...(areSubgraphsAvailable === undefined ? {} : { subgraphs: areSubgraphsAvailable ? 'ok' : 'unavailable' }),
    },
  };
}

/** Whether a request target is a health path. Health paths respond even when all other requests are rejected. */
export function isHealth(target: string): boolean {
  return /^\/health(?:\/[a-z]*)?\/?(?:\?|$)/.test(target);
}
