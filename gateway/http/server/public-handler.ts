import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import { GatewayError } from '../../platform/errors.ts';
import { refuseReservedConnection, type ToRefusalReply } from '../../platform/http/limits/edge-limits.ts';
import { guardRawRequest, type RawRequestLimits, toOriginForm } from '../../platform/http/request/raw-request-guard.ts';
import { type Reply, sendReply } from '../../platform/http/response/send-response.ts';
import type { Logger } from '../../platform/logger.ts';
import type { GraphqlHandler, GraphqlRequestFacts } from '../graphql/graphql-handler.ts';
import { toRefusalReply } from '../graphql/http-response.ts';
import { isPagePath, type PageHandler } from './graphiql.ts';
import { type HealthHandler, isHealth } from '../internal/health.ts';
import { createOptionsReply, toGatewayError, toPlainRefusal } from '../plain-response.ts';
import type { KnownTargets } from '../graphql/request-memos.ts';
import type { Maintenance } from '../internal/maintenance.ts';
import { prefersPage } from '../graphql/negotiate-response.ts';
import type { Mounts } from './mounts.ts';

export interface PublicHandlerOptions extends RawRequestLimits {
  readonly graphql: GraphqlHandler;
  readonly health: HealthHandler;
  /** Absent where GraphiQL is switched off. */
  readonly pages?: PageHandler;
  readonly mounts: Pick<Mounts, 'find' | 'isHealth'>;
  /** Cache of request targets that passed the guard earlier. @defaultValue none */
  readonly targets?: Pick<KnownTargets, 'find'> | undefined;
  /** Maintenance mode. @defaultValue never on */
  readonly maintenance?: Maintenance;
  readonly logger: Logger;
}

/** The request handler, with the format of the errors of its listener. */
export interface PublicHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  readonly toRefusal: ToRefusalReply;
}

/**
 * Creates the handler of all requests to the public listener. It checks the request, sets its correlation id, and calls the handler of its
 * path.
 */
export function createPublicHandler(options: PublicHandlerOptions): PublicHandler {
  const { graphql, health, pages, mounts, targets, maintenance, logger } = options;
  const toOptionsReply = createOptionsReply(pages !== undefined);
  // Connections on which the end of a request is ambiguous: the bytes after it may belong to that request.
  const distrusted = new WeakSet<Socket>();

  /** Rejects requests that only health paths are exempt from. @throws GatewayError `OVERLOADED`, `MAINTENANCE` */
  function admit(request: IncomingMessage): void {
    refuseReservedConnection(request);
    if (maintenance?.isOn === true) maintenance.check();
  }

  function answerGraphql(request: IncomingMessage, response: ServerResponse, facts: GraphqlRequestFacts): void {
    const isPage = pages !== undefined && isRead(request) && prefersPage(request.headers.accept);
    if (isPage) response.setHeader(CORRELATION_ID_HEADER, facts.correlationId);
    if (!isPage || !pages('/graphql', request, response)) void graphql(request, response, facts);
  }

  function route(path: string, request: IncomingMessage, response: ServerResponse, facts: GraphqlRequestFacts): void {
    if (path === '/graphql') {
      admit(request);
      return answerGraphql(request, response, facts);
    }
    const { correlationId, known } = facts;
    const isMountedHealth = mounts.isHealth(path);
    if (!isMountedHealth && !isHealth(path)) admit(request);
    if (request.method === 'OPTIONS' && (path === '*' || path === '/')) {
      sendReply(request, response, toOptionsReply(path, correlationId));
      return;
    }
    const [, pathId] = DOCUMENT_PATH.exec(path) ?? [];
    if (pathId !== undefined) {
      void graphql(request, response, { correlationId, pathId, known });
      return;
    }
    const mounted = mounts.find(path);
    if (mounted?.tellsCorrelationId !== true || isMountedHealth || isHealth(path) || isPagePath(path))
      response.setHeader(CORRELATION_ID_HEADER, correlationId);
    if (health(isMountedHealth ? '/health' : path, request, response, correlationId) || pages?.(path, request, response) === true) return;
    if (mounted === undefined) throw new GatewayError('NOT_FOUND', 'This path does not exist.');
    mounted(request, response);
  }

  /** Formats an error as the handler of the path does. */
  function toReply(refusal: GatewayError, path: string, request: IncomingMessage, correlationId: string): Reply {
    if (path === '/graphql' || DOCUMENT_PATH.test(path)) return toRefusalReply(refusal, 'application/json', correlationId);
    const mounted = isHealth(path) ? undefined : mounts.find(path);
    return mounted?.toRefusal?.(refusal, request) ?? toPlainRefusal(refusal, correlationId);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (distrusted.has(request.socket)) return;
    const correlationId = readCorrelationId(request.headers);
    // Handlers read this id from the request, also when the gateway generated it.
    request.headers[CORRELATION_ID_HEADER] = correlationId;
    const url = toOriginForm(request.url ?? '', request.headers.host);
    request.url = url;
    const path = pathOf(url);
    try {
      const known = isRead(request) ? targets?.find(url) : undefined;
      guardRawRequest(request, options, known !== undefined);
      route(path, request, response, { correlationId, known });
    } catch (error) {
      const refusal = toGatewayError(error, logger, correlationId);
      if (refusal.headers['connection'] === 'close') distrusted.add(request.socket);
      response.setHeader(CORRELATION_ID_HEADER, correlationId);
      sendReply(request, response, toReply(refusal, path, request, correlationId));
    }
  }

  return Object.assign(answer, {
    toRefusal: (refusal: GatewayError, request: IncomingMessage) =>
      toReply(refusal, pathOf(request.url ?? ''), request, readCorrelationId(request.headers)),
  });
}

/** `/graphql/{documentId}` */
const DOCUMENT_PATH = /^\/graphql\/([^/]+)$/;

function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
