import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { GatewayError } from '../../platform/errors.ts';
import { exemptConnection, openMessageEdge } from '../../platform/http/limits/edge-limits.ts';
import type { Principal } from '../../platform/principal.ts';
import type { RequestHeaders } from '../../platform/request-headers.ts';
import type { Admission } from '../admission.ts';
import type { ClientConnections } from '../client-connections.ts';
import { Session, type SessionOrigin, type SessionRules } from '../session.ts';
import { BoundedSocket } from './bounded-socket.ts';

export interface TransportWsOptions {
  readonly sessions: SessionRules;
  readonly connections: ClientConnections;
  readonly admission: Admission;
  /** @unit bytes */
  readonly maxMessageBytes: number;
  /** Whether web pages of an origin may connect. Only browsers send an origin, so it is not called for other clients. */
  readonly isOriginAllowed: (origin: string, headers: RequestHeaders) => boolean;
  /** Returns the prefix of an address that a client cannot easily change. */
  readonly networkOf: (remoteAddress: string, headers: RequestHeaders) => string;
}

/** Takes over a connection from HTTP. @throws GatewayError when it is rejected; the connection then still uses HTTP */
export type AcceptSocket = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

const SUBPROTOCOL = 'graphql-transport-ws';
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** Maximum number of fragments of a message. Each fragment uses additional memory, so more of them indicate an attack. */
const MAX_FRAGMENTS = 64;
const MAX_BUFFERED_CHUNKS = 256;
/** Time for a client to respond to a close frame. @unit milliseconds */
const CLOSE_TIMEOUT_MS = 5_000;

/** Implements the protocol of https://github.com/enisdenjo/graphql-ws with the library `ws`. */
export function createTransportWs(options: TransportWsOptions): AcceptSocket {
  const { sessions, connections, admission, isOriginAllowed, networkOf } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false, // one compressor per socket uses ten times the memory of everything else
    maxPayload: options.maxMessageBytes,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_BUFFERED_CHUNKS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    maxPendingAutoPongs: sessions.rate.burst + 1, // pings count toward the same rate limit as messages
    handleProtocols: () => SUBPROTOCOL,
  } as ConstructorParameters<typeof WebSocketServer>[0]);

  function open(socket: WebSocket, request: IncomingMessage, origin: SessionOrigin): void {
    const drop = (): void => session.drop();
    const { socket: connection } = request;
    const { stallTimeoutMs } = sessions;
    const bounded = new BoundedSocket({
      webSocket: socket,
      connection,
      edge: openMessageEdge(request, drop),
      stallTimeoutMs,
      onStall: drop,
    });
    const session = new Session(sessions, bounded, origin);
    connections.add(session);
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) session.receiveBinary();
      else session.receive(data.toString());
    });
    socket.on('ping', () => session.receivePing());
    socket.on('pong', () => session.receivePong());
    socket.on('error', () => undefined); // `ws` itself closes connections with invalid frames
    socket.on('close', () => {
      connections.remove(session);
      bounded.clientDisconnected();
      session.clientDisconnected();
    });
  }

  return async (request, socket, head) => {
    if (connections.isDraining) throw closing();
    checkHandshake(request);
    const { headers } = request;
    const { origin } = headers;
    if (origin !== undefined && !isOriginAllowed(origin, headers)) {
      throw new GatewayError('FORBIDDEN', 'Web pages of this origin may not open a WebSocket to this gateway.', {
        setting: 'server.cors.origins',
      });
    }
    const remoteAddress = request.socket.remoteAddress ?? '';
    const slot = admission.enter(networkOf(remoteAddress, headers));
    // An open socket counts here, and not as a plain connection of its listener.
    const countAgain = exemptConnection(socket);
    const leave = (): void => {
      slot.release();
      countAgain(); // the client may hold its side open after the rejection
    };
    // The slot is released in every case: `ws` drops the socket of a client that has disconnected without reporting it.
    socket.once('close', () => slot.release());
    let principal: Principal;
    try {
      principal = await sessions.authenticate(headers, remoteAddress);
      if (principal.kind !== 'anonymous') slot.claim(principal);
    } catch (error) {
      leave();
      throw error;
    }
    if (socket.destroyed) return;
    if (connections.isDraining) {
      leave();
      throw closing();
    }
    headers['sec-websocket-protocol'] = SUBPROTOCOL; // `ws` rejects lists with duplicate or empty elements (RFC 9110, section 5.6.1)
    server.handleUpgrade(request, socket, head, (webSocket) => {
      open(webSocket, request, { headers, principal, remoteAddress, slot });
      socket.resume(); // it is paused when other requests preceded it
    });
  };
}

/** Checks the handshake (RFC 6455, sections 4.2.1 and 4.2.2), so that errors have the format of the gateway. @throws GatewayError */
function checkHandshake({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw new GatewayError('METHOD_NOT_ALLOWED', 'A WebSocket must be opened with GET.', { headers: { allow: 'GET' } });
  if (headers['sec-websocket-version'] !== '13') {
    throw new GatewayError('BAD_REQUEST', 'The WebSocket version is not supported; send Sec-WebSocket-Version: 13.', {
      status: 426,
      headers: { 'sec-websocket-version': '13', upgrade: 'websocket', connection: 'upgrade, close' },
    });
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? ''))
    throw new GatewayError('BAD_REQUEST', 'The header Sec-WebSocket-Key is missing or malformed.');
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (offered.includes(SUBPROTOCOL)) return;
  throw new GatewayError('BAD_REQUEST', `The subprotocol ${SUBPROTOCOL} is required; list it in Sec-WebSocket-Protocol.`);
}

function closing(): GatewayError {
  return new GatewayError('OVERLOADED', 'The gateway is shutting down; try again in a moment.', { headers: { 'retry-after': '1' } });
}
