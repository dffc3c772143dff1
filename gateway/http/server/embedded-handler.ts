import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayError } from '../../platform/errors.ts';
import { bindEdge, hasEdge } from '../../platform/http/limits/edge-limits.ts';
import { createWriteDeadlines, type Writing } from '../../platform/http/limits/write-deadlines.ts';
import { joinDuplicateHeaders } from '../../platform/http/request/join-duplicate-headers.ts';
import { sendResponse } from '../../platform/http/response/send-response.ts';
import type { Logger } from '../../platform/logger.ts';
import { isHealth } from '../internal/health.ts';
import type { ListenerHandlers } from './listeners.ts';
import type { PublicHandler } from './public-handler.ts';

/** Handlers of both listeners. The public one is also the handler of an application's own server. */
export interface RequestHandlers extends ListenerHandlers {
  readonly public: ListenerHandlers['public'] & Pick<PublicHandler, 'serves'>;
}

/**
 * Request handler for a server of the application, such as one of `node:http`, Express or Fastify.
 *
 * @param next called for paths that the gateway does not serve, as in Express. Without it, they get 404
 */
export type EmbeddedHandler = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

export interface EmbeddedHandlersOptions {
  /** Handlers of the public listener. Called at the first request. */
  readonly handlers: () => RequestHandlers;
  /** Waits for the first supergraph. @throws Error when it is local and cannot be served, or when the gateway is closed */
  readonly load: () => Promise<void>;
  readonly logger: Logger;
}

/** Serves requests and upgrades of a server of the application, which has none of the limits of the gateway's own listeners. */
export interface EmbeddedHandlers {
  readonly handler: EmbeddedHandler;
  /**
   * Takes a connection that a client of a server of the application upgrades to a WebSocket at `/graphql`. Call it for the event `upgrade`.
   *
   * @returns false for other upgrades, or when WebSockets are disabled. The connection is then unchanged, and the application must handle
   * or close it
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Rejects further requests, and waits for the responses in progress. @param timeoutMs maximum time. @unit milliseconds */
  drain(timeoutMs: number): Promise<void>;
}

export function createEmbeddedHandlers({ handlers, load, logger }: EmbeddedHandlersOptions): EmbeddedHandlers {
  const open = new Set<Writing>();
  let isLoaded = false;
  let isClosing = false;
  let watch: NodeJS.Timeout | undefined;
  let onIdle: (() => void) | undefined;
  let reported: string | undefined;
  let isMisuseReported = false;

  /** Applies the limits on pending bytes. The server of the application counts its connections itself. */
  function bind(socket: Duplex): void {
    if (hasEdge(socket)) return;
    const { limits, public: respond } = handlers();
    bindEdge(socket, { limits, toErrorResponse: respond.toErrorResponse, isReserved: () => false, exempt: () => () => undefined });
  }

  /** Applies the write deadline to a response, and counts it until it is closed. */
  function track(exchange: Writing): void {
    open.add(exchange);
    watch ??= startWatch();
    exchange.response.once('close', () => {
      open.delete(exchange);
      if (open.size > 0) return;
      clearInterval(watch);
      watch = undefined;
      onIdle?.();
    });
  }

  function startWatch(): NodeJS.Timeout {
    const { settings, report } = handlers().limits;
    const deadlines = createWriteDeadlines(settings.writeTimeoutMs, report);
    return setInterval(() => open.forEach(deadlines.look), deadlines.intervalMs).unref();
  }

  function whenLoaded(serve: () => void, fail: (error: unknown) => void): void {
    if (isLoaded) return serve();
    load().then(() => {
      isLoaded = true;
      serve();
    }, fail);
  }

  function refuse(request: IncomingMessage, response: ServerResponse, error: GatewayError): void {
    sendResponse(request, response, handlers().public.toErrorResponse(error, request));
  }

  /**
   * Rejects a request because the supergraph cannot be loaded. The application learns the reason from `load` and from the log, which contains
   * each reason once, so that clients cannot fill it.
   */
  function refuseUnloaded(request: IncomingMessage, response: ServerResponse, cause: unknown): void {
    const reason = String(cause); // Each attempt to load it throws another object.
    if (!(cause instanceof GatewayError) && reported !== reason) logger.error({ err: cause }, 'The supergraph cannot be loaded.');
    reported = reason;
    refuse(request, response, cause instanceof GatewayError ? cause : noSupergraph(cause));
  }

  /** Whether no response can be sent any more, because the client has closed the connection or the application has responded. */
  function hasResponse({ destroyed, headersSent, writableEnded }: ServerResponse): boolean {
    if (!headersSent && !writableEnded) return destroyed;
    if (!isMisuseReported) {
      isMisuseReported = true;
      const message = 'gateway.handler was called after the application had responded to the request. The request is not executed.';
      logger.error({}, `${message} Call the handler only for requests without a response. Further calls of this kind are not logged.`);
    }
    return true;
  }

  return {
    handler(request, response, next) {
      joinDuplicateHeaders(request);
      const { public: respond } = handlers();
      if (next !== undefined && !respond.serves(request)) return next();
      if (hasResponse(response)) return;
      bind(request.socket);
      track({ socket: request.socket, response });
      if (isClosing) return refuse(request, response, closing());
      if (isHealth(request.url ?? '')) {
        // A probe must not wait for the supergraph, but starts loading it: a gateway that is not ready gets no other requests.
        if (!isLoaded) void load().catch(() => undefined);
        return respond(request, response);
      }
      whenLoaded(
        () => respond(request, response),
        (error) => refuseUnloaded(request, response, error),
      );
    },
    upgrade(request, socket, head) {
      const { upgrade } = handlers();
      if (upgrade?.wants(request) !== true) return false;
      joinDuplicateHeaders(request);
      bind(socket);
      socket.on('error', () => socket.destroy());
      // Without a supergraph, the handshake is accepted and the operations are rejected, as on the gateway's own listener.
      const take = (): void => upgrade.take(request, socket, head);
      whenLoaded(take, take);
      return true;
    },
    async drain(timeoutMs) {
      isClosing = true;
      if (open.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      clearInterval(watch);
    },
  };
}

function closing(): GatewayError {
  return new GatewayError('OVERLOADED', 'The gateway is shutting down; try again in a moment.', {
    headers: { 'retry-after': '1', connection: 'close' },
  });
}

function noSupergraph(cause: unknown): GatewayError {
  return new GatewayError('NO_SUPERGRAPH', 'No supergraph is loaded.', { cause });
}
