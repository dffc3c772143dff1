import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { GatewayError } from '../../platform/errors.ts';
import { refuseReservedConnection } from '../../platform/http/limits/edge-limits.ts';
import { type Reply, sendReply } from '../../platform/http/response/send-response.ts';
import type { Logger } from '../../platform/logger.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import type { GraphqlHandler } from '../graphql/graphql-handler.ts';
import { toGatewayError, toPlainRefusal } from '../plain-response.ts';
import type { ListenerHandler } from '../server/listeners.ts';
import type { CacheInvalidation } from './cache-invalidation.ts';
import type { HealthHandler } from './health.ts';
import type { Maintenance, MaintenanceSwitch } from './maintenance.ts';

/** Answers services on the internal listener. @throws GatewayError `METHOD_NOT_ALLOWED`, `MAINTENANCE` */
export type ServiceHandler = (request: IncomingMessage, response: ServerResponse, correlationId: string) => Promise<void>;

/**
 * The door of services that speak for others: POST of what `/graphql` takes, answered once or by events. What is written down of requests,
 * as targets of GET are in the logs of proxies, is none of its tokens' business, so there is no other method.
 */
export function createServiceHandler(graphql: GraphqlHandler, maintenance: Pick<Maintenance, 'check'>): ServiceHandler {
  return async (request, response, correlationId) => {
    if (request.method !== 'POST') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'Services ask by POST.', { headers: { allow: 'POST' } });
    }
    maintenance.check();
    await graphql(request, response, { correlationId });
  };
}

export interface InternalHandlerOptions {
  readonly health: HealthHandler;
  /** Absent where nothing is kept, or nobody has a key to invalidate it. */
  readonly invalidateCache?: CacheInvalidation | undefined;
  /** Absent where nobody has a key to switch it. */
  readonly switchMaintenance?: MaintenanceSwitch | undefined;
  /** Answers those who ask in the name of others. Absent where no secret is shared with any. */
  readonly services?: ServiceHandler | undefined;
  /** By which subgraphs check who asks: a JWK Set. Absent where they share a key. */
  readonly identityKeys?: object | undefined;
  /** @throws GatewayError `TLS_REQUIRED` for a key that other machines sent in the clear */
  readonly requireTrustedPath: (request: IncomingMessage) => void;
  /** @throws GatewayError `TLS_REQUIRED` for a token that other machines sent in the clear through a proxy */
  readonly requireServicePath: (request: IncomingMessage) => void;
  readonly logger: Logger;
}

/** The internal listener: health and what operators do, apart from the traffic of clients. */
export function createInternalHandler(options: InternalHandlerOptions): ListenerHandler {
  const { health, invalidateCache, switchMaintenance, services, identityKeys, requireTrustedPath, requireServicePath, logger } = options;

  async function answer(path: string, request: IncomingMessage, response: ServerResponse, correlationId: string): Promise<void> {
    refuseReservedConnection(request);
    if (path === '/identity/keys' && identityKeys !== undefined) {
      sendReply(request, response, toKeysReply(request, identityKeys));
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
      throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
    }
    requireTrustedPath(request);
    await invalidateCache(request, response);
  }

  const handle: RequestListener = (request, response) => {
    const correlationId = readCorrelationId(request.headers);
    response.setHeader(CORRELATION_ID_HEADER, correlationId);
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (health(path, request, response, correlationId)) return;
    answer(path, request, response, correlationId).catch((error: unknown) => {
      sendReply(request, response, toPlainRefusal(toGatewayError(error, logger, correlationId), correlationId));
    });
  };
  return Object.assign(handle, {
    toRefusal: (refusal: GatewayError, request: IncomingMessage) => toPlainRefusal(refusal, readCorrelationId(request.headers)),
  });
}

/** Public keys are nobody's secret, and change with the process alone. */
function toKeysReply({ method }: IncomingMessage, keys: object): Reply {
  if (method !== 'GET' && method !== 'HEAD') {
    throw new GatewayError('METHOD_NOT_ALLOWED', 'Keys are read by GET.', { headers: { allow: 'GET, HEAD' } });
  }
  const headers = { 'content-type': 'application/jwk-set+json', 'cache-control': 'public, max-age=60' };
  return { status: 200, headers, body: JSON.stringify(keys) };
}
