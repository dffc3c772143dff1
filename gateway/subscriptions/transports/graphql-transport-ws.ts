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
  /** Whether pages of that origin may connect. Asked for browsers only: nobody else sends an origin. */
  readonly isOriginAllowed: (origin: string, headers: RequestHeaders) => boolean;
  /** What one client can hardly change of its address. */
  readonly networkOf: (remoteAddress: string, headers: RequestHeaders) => string;
}

/** Takes a connection over from HTTP. @throws GatewayError where it is refused; the connection is HTTP's still */
export type AcceptSocket = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

const SUBPROTOCOL = 'graphql-transport-ws';
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** Parts that a message may come in: more of them than that are an attack, as each costs memory of its own. */
const MAX_FRAGMENTS = 64;
const MAX_BUFFERED_CHUNKS = 256;
/** Until a client must have answered the closing of its socket. @unit milliseconds */
const CLOSE_TIMEOUT_MS = 5_000;

/** The protocol of https://github.com/enisdenjo/graphql-ws over the WebSockets of `ws`. */
export function createTransportWs(options: TransportWsOptions): AcceptSocket {
  const { sessions, connections, admission, isOriginAllowed, networkOf } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false, // a compressor for each socket costs ten times the memory of everything else
    maxPayload: options.maxMessageBytes,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_BUFFERED_CHUNKS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    maxPendingAutoPongs: sessions.rate.burst + 1, // pings are counted with the messages, and so answered as those are
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
    socket.on('error', () => undefined); // `ws` closes by itself what breaks the framing
    socket.on('close', () => {
      connections.remove(session);
      bounded.gone();
      session.gone();
    });
  }

  return async (request, socket, head) => {
    if (connections.isDraining) throw closing();
    checkHandshake(request);
    const { headers } = request;
    const { origin } = headers;
    if (origin !== undefined && !isOriginAllowed(origin, headers)) {
      throw new GatewayError('FORBIDDEN', 'Pages of this origin may not connect here.');
    }
    const remoteAddress = request.socket.remoteAddress ?? '';
    const place = admission.enter(networkOf(remoteAddress, headers));
    // An open socket counts here, and not among the plain connections of its listener.
    const countAgain = exemptConnection(socket);
    const leave = (): void => {
      place.release();
      countAgain(); // the client may keep its side open after the refusal
    };
    // Whatever becomes of it: `ws` drops the socket of a client that has hung up, and says so to nobody.
    socket.once('close', () => place.release());
    let principal: Principal;
    try {
      principal = await sessions.authenticate(headers, remoteAddress);
      if (principal.kind !== 'anonymous') place.claim(principal);
    } catch (error) {
      leave();
      throw error;
    }
    if (socket.destroyed) return;
    if (connections.isDraining) {
      leave();
      throw closing();
    }
    headers['sec-websocket-protocol'] = SUBPROTOCOL; // `ws` refuses lists in which one stands twice or none (RFC 9110, section 5.6.1)
    server.handleUpgrade(request, socket, head, (webSocket) => {
      open(webSocket, request, { headers, principal, remoteAddress, place });
      socket.resume(); // it comes paused where other requests stood before it
    });
  };
}

/** RFC 6455, sections 4.2.1 and 4.2.2, told in our own shape. @throws GatewayError */
function checkHandshake({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw new GatewayError('METHOD_NOT_ALLOWED', 'A WebSocket is opened by GET.', { headers: { allow: 'GET' } });
  if (headers['sec-websocket-version'] !== '13') {
    throw new GatewayError('BAD_REQUEST', 'Version 13 of WebSocket is spoken here.', {
      status: 426,
      headers: { 'sec-websocket-version': '13', upgrade: 'websocket', connection: 'upgrade, close' },
    });
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? ''))
    throw new GatewayError('BAD_REQUEST', 'The header Sec-WebSocket-Key is missing or malformed.');
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (offered.includes(SUBPROTOCOL)) return;
  throw new GatewayError('BAD_REQUEST', `The one subprotocol spoken here is ${SUBPROTOCOL}; name it in Sec-WebSocket-Protocol.`);
}

function closing(): GatewayError {
  return new GatewayError('OVERLOADED', 'The gateway closes; try again in a moment.', { headers: { 'retry-after': '1' } });
}
