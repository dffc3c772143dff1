import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { GatewayError } from '../../platform/errors.ts';
import { refuseReservedConnection } from '../../platform/http/limits/edge-limits.ts';
import { type HttpResponse, sendResponse } from '../../platform/http/response/send-response.ts';
import type { Logger } from '../../platform/logger.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import type { GraphqlHandler } from '../graphql/graphql-handler.ts';
import { toGatewayError, toPlainErrorResponse } from '../plain-response.ts';
import type { ListenerHandler } from '../server/listeners.ts';
import type { CacheInvalidation } from './cache-invalidation.ts';
import type { HealthHandler } from './health.ts';
import type { Maintenance, MaintenanceSwitch } from './maintenance.ts';
import { type PrintedMetrics, toMetricsResponse } from './metrics.ts';

/** Handles requests of services on the internal listener. @throws GatewayError `METHOD_NOT_ALLOWED`, `MAINTENANCE` */
export type ServiceHandler = (request: IncomingMessage, response: ServerResponse, correlationId: string) => Promise<void>;

/**
 * Creates the GraphQL endpoint for services that act on behalf of users. It supports only POST, with one response or a stream of events.
 * Targets of GET requests appear in proxy logs, and requests of services contain data that must not be logged.
 */
export function createServiceHandler(graphql: GraphqlHandler, maintenance: Pick<Maintenance, 'check'>): ServiceHandler {
  return async (request, response, correlationId) => {
    if (request.method !== 'POST') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'Services must use POST.', { headers: { allow: 'POST' } });
    }
    maintenance.check();
    await graphql(request, response, { correlationId });
  };
}

export interface InternalHandlerOptions {
  readonly health: HealthHandler;
  /** Absent when nothing is cached or no key for invalidation is configured. */
  readonly invalidateCache?: CacheInvalidation | undefined;
  /** Absent when no key for maintenance is configured. */
  readonly switchMaintenance?: MaintenanceSwitch | undefined;
  /** Handler for services that act on behalf of users. Absent when no service has credentials. */
  readonly services?: ServiceHandler | undefined;
  /** Prints the metrics. Absent when they are not served. */
  readonly metrics?: (() => PrintedMetrics) | undefined;
  /** JWK Set with which subgraphs verify the caller. Absent when subgraphs use a shared key. */
  readonly identityKeys?: object | undefined;
  /** @throws GatewayError `TLS_REQUIRED` for a key that another machine sent without TLS */
  readonly requireTrustedPath: (request: IncomingMessage) => void;
  /** @throws GatewayError `TLS_REQUIRED` for a token that another machine sent without TLS through a proxy */
  readonly requireServicePath: (request: IncomingMessage) => void;
  readonly logger: Logger;
}

/** Creates the handler of the internal listener: health and operator endpoints, separate from client traffic. */
export function createInternalHandler(options: InternalHandlerOptions): ListenerHandler {
  const { health, metrics, invalidateCache, switchMaintenance, services, identityKeys, requireTrustedPath, requireServicePath, logger } =
    options;

  async function respond(path: string, request: IncomingMessage, response: ServerResponse, correlationId: string): Promise<void> {
    refuseReservedConnection(request);
    if (path === '/metrics' && metrics !== undefined) {
      sendResponse(request, response, toMetricsResponse(request, metrics));
      return;
    }
    if (path === '/identity/keys' && identityKeys !== undefined) {
      sendResponse(request, response, toKeysResponse(request, identityKeys));
      return;
    }
    if (path === '/graphql' && services !== undefined) {
      requireServicePath(request);
      return services(request, response, correlationId);
    }
    if (path === '/maintenance' && switchMaintenance !== undefined) {
      requireTrustedPath(request);
      return switchMaintenance(request, response);
    }
    if (path !== '/cache/invalidate' || invalidateCache === undefined) {
      throw new GatewayError('NOT_FOUND', 'This path does not exist.');
    }
    requireTrustedPath(request);
    await invalidateCache(request, response);
  }

  const handle: RequestListener = (request, response) => {
    const correlationId = readCorrelationId(request.headers);
    response.setHeader(CORRELATION_ID_HEADER, correlationId);
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (health(path, request, response, correlationId)) return;
    respond(path, request, response, correlationId).catch((error: unknown) => {
      sendResponse(request, response, toPlainErrorResponse(toGatewayError(error, logger, correlationId), correlationId));
    });
  };
  return Object.assign(handle, {
    toErrorResponse: (error: GatewayError, request: Pick<IncomingMessage, 'headers'>) =>
      toPlainErrorResponse(error, readCorrelationId(request.headers)),
  });
}

/** Makes the response with the public keys. They are not secret, and change only when the process restarts. */
function toKeysResponse({ method }: IncomingMessage, keys: object): HttpResponse {
  if (method !== 'GET' && method !== 'HEAD') {
    throw new GatewayError('METHOD_NOT_ALLOWED', 'The keys support only GET and HEAD.', { headers: { allow: 'GET, HEAD' } });
  }
  const headers = { 'content-type': 'application/jwk-set+json', 'cache-control': 'public, max-age=60' };
  return { status: 200, headers, body: JSON.stringify(keys) };
}
