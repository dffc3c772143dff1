import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../platform/request-headers.ts';
import { GatewayError } from '../platform/errors.ts';
import { refuseReservedConnection } from '../platform/http/limits/edge-limits.ts';
import { type Reply, sendReply } from '../platform/http/response/send-response.ts';
import type { Logger } from '../platform/logger.ts';
import type { CacheInvalidation } from './cache-invalidation.ts';
import type { HealthHandler } from './health.ts';
import type { ListenerHandler } from './listeners.ts';
import type { MaintenanceSwitch } from './maintenance-switch.ts';
import type { ServiceHandler } from './service-handler.ts';
import { toPlainRefusal } from './plain-reply.ts';
import { toGatewayError } from './to-gateway-error.ts';

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
