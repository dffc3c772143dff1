import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecutionArgs, GraphQLSchema, ValidationRule } from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { readCorrelationId } from '../../../gateway/platform/request-headers.ts';
import { hangUp } from '../../../gateway/platform/http/server/upgrades.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { toLoggableError } from '../database/loggable-error.ts';
import type { CallerVerifier } from '../identity/verify-caller.ts';
import type { Caller, RequestContext, StreamPosition } from '../request-context.ts';
import { formatError } from './format-error.ts';
import { openSubscription, prepareSubscription } from './run-subscription.ts';

export interface StreamServerOptions {
  readonly schema: GraphQLSchema;
  readonly rules: readonly ValidationRule[];
  readonly verifyCaller: CallerVerifier;
  readonly createContext: (principal: Caller, correlationId: string, stream?: StreamPosition) => RequestContext;
  readonly log: Logger;
}

/** Server of subscriptions over graphql-transport-ws. */
export interface StreamServer {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all sockets. The gateway opens its streams again at another instance, or later at this one. */
  stop(): void;
}

/** Maximum size of a message. @unit bytes */
const MAX_MESSAGE_BYTES = 1_048_576;
/** @unit milliseconds */
const INIT_TIMEOUT_MS = 3_000;
/** Close code "going away" (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1001;

const NO_BODY = Buffer.alloc(0);

/** State of a socket. */
type SocketExtra = Extra & { caller?: Caller } & Record<PropertyKey, unknown>;

/** Serves the subscriptions of a subgraph to the gateway, whose identity is verified once per socket. */
export function createStreamServer({ schema, rules, verifyCaller, createContext, log }: StreamServerOptions): StreamServer {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  });
  const server = useServer<Record<string, unknown>, SocketExtra>(
    {
      connectionInitWaitTimeout: INIT_TIMEOUT_MS,
      async onConnect({ connectionParams, extra }) {
        const identity = connectionParams?.['gatefoldIdentity'];
        const caller = await verifyCaller(typeof identity === 'string' ? identity : undefined, NO_BODY);
        if (caller === undefined) return false;
        extra.caller = caller;
        return true;
      },
      onSubscribe({ extra }, id, { query, operationName, variables, extensions }) {
        const { caller, socket, request } = extra;
        const prepared = prepareSubscription(schema, { query, operationName, variables }, rules);
        if (!('document' in prepared)) return prepared;
        const onPosition = (position: string): void => sendPosition(socket, id, position);
        const correlationId = extensions?.['correlationId'];
        const stream = { after: toText(extensions?.['lastEventId']), onPosition };
        const headers = typeof correlationId === 'string' ? { 'x-correlation-id': correlationId } : request.headers;
        if (caller === undefined) throw new Error('A subscription arrived before the identity of its caller was verified.');
        return { ...prepared, contextValue: createContext(caller, readCorrelationId(headers), stream) };
      },
      // Events are already formatted, but the types of the library expect execution results.
      subscribe: (args) => openSubscription(args as ExecutionArgs & { contextValue: RequestContext }) as never,
      onNext: (...[, , , , result]) => result as never,
      onError: (_context, _id, _payload, errors) => errors.map((error) => formatError(error.toJSON(), error)),
    },
    sockets,
  );
  sockets.on('wsClientError', (error) => log.warn({ err: toLoggableError(error) }, 'A WebSocket connection was rejected.'));

  let isStopped = false;
  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const path = request.url?.split('?', 1)[0];
      if (path !== '/' && path !== '/graphql') {
        hangUp(socket, 'HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (opened) => {
        opened.on('error', (error) => log.warn({ err: toLoggableError(error) }, 'A WebSocket connection failed.'));
        sockets.emit('connection', opened, request);
      });
    },
    stop() {
      if (isStopped) return;
      isStopped = true;
      for (const socket of sockets.clients) socket.close(GOING_AWAY, 'Going away');
      Promise.resolve(server.dispose()).catch((error: unknown) =>
        log.warn({ err: toLoggableError(error) }, 'The WebSocket connections could not be closed.'),
      );
    },
  };
}

/** Sends a position in the payload of a ping, which may contain any data. The gateway can resume after it although no event has arrived. */
function sendPosition(socket: WebSocket, subscription: string, eventId: string): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ type: 'ping', payload: { subscription, eventId } }));
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
