import { PlainRequest, type ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { PlainHead } from '../../platform/http/plain/read-plain-head.ts';
import type { OutgoingResponse } from '../../platform/http/response/outgoing-response.ts';
import type { Socket } from 'node:net';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import { GatewayError } from '../../platform/errors.ts';
import { refuseReservedConnection, type ToErrorHttpResponse } from '../../platform/http/limits/edge-limits.ts';
import type { LoadShedding } from '../../platform/http/limits/load-shedding.ts';
import { guardRawRequest, type RawRequestLimits, toOriginForm } from '../../platform/http/request/raw-request-guard.ts';
import { type HttpResponse, sendResponse } from '../../platform/http/response/send-response.ts';
import type { Logger } from '../../platform/logger.ts';
import type { GraphqlHandler, GraphqlRequestFacts } from '../graphql/graphql-handler.ts';
import { toHttpErrorResponse } from '../graphql/http-response.ts';
import { GRAPHIQL_IS_OFF, isPagePath, type PageHandler } from './graphiql.ts';
import { type HealthHandler, isHealth } from '../internal/health.ts';
import { createOptionsResponse, toGatewayError, toPlainErrorResponse } from '../plain-response.ts';
import type { RequestMemoCache } from '../graphql/request-memos.ts';
import type { Maintenance } from '../internal/maintenance.ts';
import { prefersPage } from '../graphql/negotiate-response.ts';
import { serveMounted, type MountedHandler, type Mounts } from './mounts.ts';

export interface PublicHandlerOptions extends RawRequestLimits {
  readonly graphql: GraphqlHandler;
  readonly health: HealthHandler;
  /** Absent where GraphiQL is switched off. */
  readonly pages?: PageHandler;
  readonly mounts: Pick<Mounts, 'find' | 'isHealth'>;
  /** Cache of request targets that passed the guard earlier. @defaultValue none */
  readonly targets?: Pick<RequestMemoCache, 'find'> | undefined;
  /** Maintenance mode. @defaultValue never on */
  readonly maintenance?: Maintenance;
  /** Rejects requests during overload. @defaultValue no request is rejected */
  readonly shedding?: Pick<LoadShedding, 'isActive' | 'admitRequest'>;
  readonly logger: Logger;
}

/** The request handler, with the format of the errors of its listener. */
export interface PublicHandler {
  (request: ReceivedRequest, response: OutgoingResponse): void;
  readonly toErrorResponse: ToErrorHttpResponse;
  /** Whether the gateway or a mounted handler serves the path of a request. All others get 404. */
  readonly serves: (request: ReceivedRequest) => boolean;
  /** Whether the handler serves a plain request, which Node.js has not read. */
  readonly isServedPlain: (head: PlainHead) => boolean;
}

/**
 * Creates the handler of all requests to the public listener. It checks the request, sets its correlation id, and calls the handler of its
 * path.
 */
export function createPublicHandler(options: PublicHandlerOptions): PublicHandler {
  const { graphql, health, pages, mounts, targets, maintenance, shedding, logger } = options;
  const toOptionsResponse = createOptionsResponse(pages !== undefined);
  // Connections on which the end of a request is ambiguous: the bytes after it may belong to that request.
  const distrusted = new WeakSet<Socket>();

  /** Rejects requests that only health paths are exempt from. @throws GatewayError `OVERLOADED`, `MAINTENANCE` */
  function admit(request: ReceivedRequest): void {
    refuseReservedConnection(request);
    if (maintenance?.isOn === true) maintenance.check();
  }

  function respondToGraphql(request: ReceivedRequest, response: OutgoingResponse, facts: GraphqlRequestFacts): void {
    const isPage = pages !== undefined && isRead(request) && prefersPage(request.headers.accept);
    if (isPage) response.setHeader(CORRELATION_ID_HEADER, facts.correlationId);
    if (!isPage || !pages('/graphql', request, response)) void graphql(request, response, facts);
  }

  function route(path: string, request: ReceivedRequest, response: OutgoingResponse, facts: GraphqlRequestFacts): void {
    if (path === '/graphql') {
      admit(request);
      return respondToGraphql(request, response, facts);
    }
    const { correlationId, memo } = facts;
    const isMountedHealth = mounts.isHealth(path);
    if (!isMountedHealth && !isHealth(path)) admit(request);
    if (request.method === 'OPTIONS' && (path === '*' || path === '/')) {
      sendResponse(request, response, toOptionsResponse(path, correlationId));
      return;
    }
    const [, pathId] = DOCUMENT_PATH.exec(path) ?? [];
    if (pathId !== undefined) {
      void graphql(request, response, { correlationId, pathId, memo });
      return;
    }
    const mounted = mounts.find(path);
    if (pages === undefined) explainMissingPage(path, request, mounted);
    if (mounted?.exposesCorrelationId !== true || isMountedHealth || isHealth(path) || isPagePath(path))
      response.setHeader(CORRELATION_ID_HEADER, correlationId);
    if (health(isMountedHealth ? '/health' : path, request, response, correlationId) || pages?.(path, request, response) === true) return;
    if (mounted === undefined) throw new GatewayError('NOT_FOUND', 'This path does not exist.');
    serveMounted(mounted, request, response);
  }

  /** Formats an error as the handler of the path does. */
  function toHttpResponse(error: GatewayError, path: string, request: ReceivedRequest, correlationId: string): HttpResponse {
    if (path === '/graphql' || DOCUMENT_PATH.test(path)) return toHttpErrorResponse(error, 'application/json', correlationId);
    const mounted = isHealth(path) ? undefined : mounts.find(path);
    const formatted =
      request instanceof PlainRequest ? mounted?.plain?.toErrorResponse(error, request) : mounted?.toErrorResponse?.(error, request);
    return formatted ?? toPlainErrorResponse(error, correlationId);
  }

  function respond(request: ReceivedRequest, response: OutgoingResponse): void {
    if (distrusted.has(request.socket)) return;
    const correlationId = readCorrelationId(request.headers);
    // Handlers read this id from the request, also when the gateway generated it.
    request.headers[CORRELATION_ID_HEADER] = correlationId;
    const url = toOriginForm(request.url ?? '', request.headers.host);
    request.url = url;
    const path = pathOf(url);
    if (shedding?.isActive !== true || isHealth(path) || mounts.isHealth(path)) return serve(path, request, response, correlationId);
    try {
      shedding.admitRequest(response, () => serve(path, request, response, correlationId));
    } catch (error) {
      const rejection = toGatewayError(error, logger, correlationId);
      response.setHeader(CORRELATION_ID_HEADER, correlationId);
      sendResponse(request, response, toHttpResponse(rejection, path, request, correlationId));
    }
  }

  /** Checks and serves a request that was admitted. Never throws. */
  function serve(path: string, request: ReceivedRequest, response: OutgoingResponse, correlationId: string): void {
    const { url = '' } = request;
    try {
      const memo = isRead(request) ? targets?.find(url) : undefined;
      guardRawRequest(request, options, memo !== undefined);
      route(path, request, response, { correlationId, memo });
    } catch (error) {
      const rejection = toGatewayError(error, logger, correlationId);
      if (rejection.headers['connection'] === 'close') distrusted.add(request.socket);
      response.setHeader(CORRELATION_ID_HEADER, correlationId);
      sendResponse(request, response, toHttpResponse(rejection, path, request, correlationId));
    }
  }

  function serves({ url = '', headers }: ReceivedRequest): boolean {
    const path = pathOf(toOriginForm(url, headers.host));
    if (path === '/graphql' || DOCUMENT_PATH.test(path) || isHealth(path)) return true;
    return (pages !== undefined && isPagePath(path)) || mounts.find(path) !== undefined;
  }

  /** Whether a plain request is served without Node.js: pages and streams need its server. */
  function isServedPlain({ target, headers: { accept } }: PlainHead): boolean {
    if (accept !== undefined && FOREIGN_ACCEPT.test(accept)) return false;
    const path = pathOf(target);
    if (path === '/graphql' || DOCUMENT_PATH.test(path)) return true;
    return mounts.find(path)?.plain !== undefined && !mounts.isHealth(path) && !isHealth(path) && !isPagePath(path);
  }

  return Object.assign(respond, {
    serves,
    isServedPlain,
    toErrorResponse: (error: GatewayError, request: ReceivedRequest) =>
      toHttpResponse(error, pathOf(request.url ?? ''), request, readCorrelationId(request.headers)),
  });
}

/** `/graphql/{documentId}` */
const DOCUMENT_PATH = /^\/graphql\/([^/]+)$/;

/** Rejects a browser at `/` if no mounted handler serves the path. Called where GraphiQL is off. @throws GatewayError `NOT_FOUND` */
function explainMissingPage(path: string, request: ReceivedRequest, mounted: MountedHandler | undefined): void {
  const isUnused = mounted === undefined || mounted.servesRoot === false;
  if (path !== '/' || !isUnused || !isRead(request) || !prefersPage(request.headers.accept)) return;
  throw new GatewayError('NOT_FOUND', `There is no page at this path. ${GRAPHIQL_IS_OFF} Send GraphQL operations to /graphql.`);
}

/** Matches `Accept` headers of clients that may receive a page or a stream. */
const FOREIGN_ACCEPT = /html|multipart|event-stream/i;

function pathOf(target: string): string {
  const queryStart = target.indexOf('?');
  return queryStart === -1 ? target : target.slice(0, queryStart);
}

function isRead({ method }: ReceivedRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
