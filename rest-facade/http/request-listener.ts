import type { OutgoingHttpHeaders } from 'node:http';
import type { PlainMount } from '../../gateway/platform/http/plain/plain-mount.ts';
import type { ReceivedRequest } from '../../gateway/platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../gateway/platform/http/response/outgoing-response.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../gateway/platform/request-headers.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../../gateway/platform/errors.ts';
import { clientDisconnectSignal } from '../../gateway/platform/http/server/disconnect-signal.ts';
import { hasEdge } from '../../gateway/platform/http/limits/edge-limits.ts';
import { expectProgress } from '../../gateway/platform/http/limits/expect-progress.ts';
import { type HttpResponse, type NamedHttpResponse, sendResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { ReadAccept } from '../request/negotiation/content-negotiation.ts';
import { readTraceId } from '../request/read-trace-id.ts';
import type { RouteChanges } from './route-tables.ts';
import type { RestHandler } from '../request/request-context.ts';
import { type ErrorResponseOptions, type RejectedRequest, toErrorResponse } from '../response/error-response.ts';
import { mergeHeaders } from './merge-headers.ts';

/** Serves the resources of the facade and responds to all other requests with 404. */
export interface RestFacade extends RestListener {
  /**
   * Reads the directories of the documents again and serves them, without a restart. Requests in progress use the previous ones.
   *
   * @returns the routes that were added, changed and removed; undefined if no supergraph is loaded yet, so that they are compiled later
   * @throws MappingInvalid if the documents do not fit the schema; the previous ones remain in use
   * @throws Error if a directory cannot be read
   */
  reload(): RouteChanges | undefined;
}

/** Listener of a facade for Node's HTTP server. */
interface RestListener {
  /** Serves a request. @param basePath path under which another server has mounted the facade, for URLs in responses */
  (request: ReceivedRequest, response: OutgoingResponse, basePath?: string): void;
  /** Formats an error of a surrounding listener in the media type that the client accepts. */
  toErrorResponse(error: GatewayError, request: Pick<ReceivedRequest, 'headers'>): NamedHttpResponse;
  /** Whether a path serves the health of the gateway behind the facade. */
  isHealthPath(path: string): boolean;
  /** Marks that every response has a correlation id, so that a surrounding listener need not set it. */
  readonly exposesCorrelationId: true;
  /** Serves plain requests, which the gateway has read itself. */
  readonly plain: PlainMount;
  /** No path of a route is `/`. */
  readonly servesRoot: false;
}

export interface RequestListenerOptions extends ErrorResponseOptions {
  readonly respond: RestHandler;
  readonly readAccept: ReadAccept;
  readonly isHealthPath: (path: string) => boolean;
  /** Maximum time without progress while a client reads a response, for listeners without such a timeout. @unit milliseconds */
  readonly writeTimeoutMs: number;
  readonly logger: Logger;
}

/** Creates the listener. It is the only module that converts errors to response bytes. */
export function createRequestListener({
  respond,
  readAccept,
  isHealthPath,
  writeTimeoutMs,
  logger,
  ...reported
}: RequestListenerOptions): RestListener {
  const toGatewayError = (error: unknown, correlationId: string): GatewayError => {
    if (error instanceof GatewayError && (error.status < 500 || error.code === 'METHOD_NOT_IMPLEMENTED')) return error;
    logger.error({ err: error, correlationId }, 'A REST request failed.');
    return error instanceof GatewayError ? error : new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
  };

  const named = ({ headers }: Pick<ReceivedRequest, 'headers'>, requestId: string): RejectedRequest => ({
    acceptance: readAccept(headers.accept),
    requestId,
    traceId: readTraceId(headers) ?? requestId,
  });

  /** Sets the write timeout on a listener of another server, which may not have one. */
  function watchWrite({ socket }: ReceivedRequest, response: OutgoingResponse): void {
    if (hasEdge(socket) || socket.writableLength === 0 || response.closed) return;
    const cancel = expectProgress(socket, writeTimeoutMs, (bytes) => {
      logger.warn({ bytes }, 'Connection closed: the client did not read the response in time.');
    });
    response.once('close', cancel);
  }

  async function handle(request: ReceivedRequest, response: OutgoingResponse, basePath: string, isGuarded: boolean): Promise<void> {
    // The listener that has checked the request has also set a valid id.
    const correlationId =
      (isGuarded ? (request.headers[CORRELATION_ID_HEADER] as string | undefined) : undefined) ?? readCorrelationId(request.headers);
    const signal = clientDisconnectSignal(request.socket);
    const acceptance = readAccept(request.headers.accept);
    // The headers are collected and not set on the response, because writing the whole head at once takes half the time.
    const responseHeaders: OutgoingHttpHeaders = { [CORRELATION_ID_HEADER]: correlationId };
    const send = (httpResponse: HttpResponse): void => {
      const { headers } = httpResponse;
      // The list of a stored response is complete.
      const sent = Array.isArray(headers) ? httpResponse : { ...httpResponse, headers: mergeHeaders(headers, responseHeaders) };
      sendResponse(request, response, sent);
      watchWrite(request, response);
    };
    try {
      const httpResponse = await respond({ request, response, basePath, correlationId, isGuarded, acceptance, signal, responseHeaders });
      if (httpResponse !== undefined) send(httpResponse);
    } catch (error) {
      if (signal.aborted) return; // The client has disconnected.
      const version = responseHeaders['api-version'];
      const rejected = { ...named(request, correlationId), ...(version === undefined ? {} : { version: Number(version) }) };
      send(toErrorResponse(toGatewayError(error, correlationId), rejected, reported));
    }
  }

  /** Handles a request without ever rejecting. If even the error response fails, only the connection is closed. */
  const listen = (request: ReceivedRequest, response: OutgoingResponse, basePath = '', isGuarded = false): void =>
    void handle(request, response, basePath, isGuarded).catch((error: unknown) => {
      logger.error({ err: error }, 'A REST request failed, and no error response could be sent.');
      response.destroy();
    });

  const formatError = (error: GatewayError, request: Pick<ReceivedRequest, 'headers'>): NamedHttpResponse =>
    toErrorResponse(error, named(request, readCorrelationId(request.headers)), reported);

  const serve = (request: ReceivedRequest, response: OutgoingResponse, basePath = ''): void => listen(request, response, basePath);

  return Object.assign(serve, {
    toErrorResponse: formatError,
    plain: {
      serve: (request: ReceivedRequest, response: OutgoingResponse) => listen(request, response, '', true),
      toErrorResponse: formatError,
    },
    isHealthPath,
    exposesCorrelationId: true as const,
    servesRoot: false as const,
  });
}
