import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, systemClock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import type { RequestHeaders } from '../../request-headers.ts';
import { clientAddressOf, type InNetworks, networkOf } from '../request/client-address.ts';
import { type ByteBudget, createByteBudget } from './byte-budget.ts';
import { type EdgeEvents, createEdgeReporter, noEdgeEvents } from './edge-events.ts';
import { expectProgress } from './expect-progress.ts';
import { COUNTED_BYTES, type PendingMessages, type PendingResponses, createPendingResponses } from './pending-responses.ts';

/** Bounds on what clients may make the process hold. */
export interface EdgeSettings {
  /** Plain HTTP connections of a listener. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Response bytes that are not read yet. @unit bytes */
  readonly maxPendingResponseBytes: number;
  readonly maxPendingResponseBytesPerAddress: number;
  /** Bytes of request bodies that are being received. @unit bytes */
  readonly maxPendingBodyBytes: number;
  readonly maxPendingBodyBytesPerAddress: number;
  /** How long a client may read nothing of a response. @unit milliseconds */
  readonly writeTimeoutMs: number;
}

/** The bounds of a process, which its listeners share. */
export interface EdgeLimits {
  readonly settings: EdgeSettings;
  readonly isProxy: InNetworks | undefined;
  readonly report: EdgeEvents;
  readonly responses: PendingResponses;
  readonly bodies: ByteBudget;
  /** The address whose share a request uses: the client's, also behind trusted proxies. */
  addressOf(request: ClientOf): string;
}

type ClientOf = { readonly socket: { readonly remoteAddress?: string | undefined }; readonly headers: RequestHeaders };

export interface EdgeLimitsOptions {
  readonly settings: EdgeSettings;
  readonly isProxy?: InNetworks | undefined;
  /** @defaultValue nobody is told */
  readonly events?: EdgeEvents | undefined;
  readonly logger: Logger;
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
}

export function createEdgeLimits({ settings, isProxy, events = noEdgeEvents, logger, clock = systemClock }: EdgeLimitsOptions): EdgeLimits {
  const report = createEdgeReporter(events, logger, clock);
  return {
    settings,
    isProxy,
    report,
    responses: createPendingResponses({
      bounds: { total: settings.maxPendingResponseBytes, perAddress: settings.maxPendingResponseBytesPerAddress },
      report,
      clock,
    }),
    bodies: createByteBudget({ total: settings.maxPendingBodyBytes, perAddress: settings.maxPendingBodyBytesPerAddress }),
    addressOf: ({ socket, headers }) => networkOf(clientAddressOf(socket.remoteAddress ?? '', headers, isProxy)),
  };
}

/** A short response in place of one that does not fit. */
export interface RefusalReply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders | OutgoingHttpHeader[];
  readonly body: string | Uint8Array;
}

/** Writes a refusal in the form that the target of a request has. */
export type ToRefusalReply = (refusal: GatewayError, request: IncomingMessage) => RefusalReply;

/** What holds for the connections of one listener. */
export interface ConnectionEdge {
  readonly limits: EdgeLimits;
  readonly toRefusal: ToRefusalReply;
  isReserved(socket: Duplex): boolean;
  exempt(socket: Duplex): () => void;
}

/** By connection, so that whoever reads a body or writes a response need not be handed the bounds. */
const edges = new WeakMap<Duplex, ConnectionEdge>();

/** Puts a connection under the bounds of its listener. */
export function bindEdge(socket: Duplex, edge: ConnectionEdge): void {
  edges.set(socket, edge);
}

/** Whether a connection belongs to a listener that has bounds, and a write deadline, of its own. */
export function hasEdge(socket: Duplex): boolean {
  return edges.has(socket);
}

/** @throws GatewayError `OVERLOADED` where the connection was opened beyond a bound; the connection is closed after that */
export function refuseReservedConnection({ socket }: Pick<IncomingMessage, 'socket'>): void {
  if (edges.get(socket)?.isReserved(socket) !== true) return;
  throw new GatewayError('OVERLOADED', 'There are too many open connections; try again in a moment.', {
    headers: { connection: 'close', 'retry-after': '5' },
  });
}

/** Stops counting the connection of a stream among the plain ones; see `ConnectionCount.exempt`. */
export function exemptConnection(socket: Duplex): () => void {
  return edges.get(socket)?.exempt(socket) ?? (() => undefined);
}

/**
 * Counts bytes of a response until they are given back or the client has the response.
 *
 * @returns what gives them back; undefined when they do not fit
 */
export function admitResponse(
  request: Pick<IncomingMessage, 'socket' | 'headers'>,
  response: ServerResponse,
  bytes: number,
): (() => void) | undefined {
  const limits = bytes < COUNTED_BYTES ? undefined : edges.get(request.socket)?.limits;
  return limits === undefined ? nothingCounted : limits.responses.admit(limits.addressOf(request), response, bytes);
}

/** Tells whether a response could be sent to the client of a request now; see `PendingResponses.hasRoom`. */
export function hasRoomFor({ responses, addressOf }: EdgeLimits, { remoteAddress, headers }: ResponseClient, bytes: number): boolean {
  if (remoteAddress === undefined) return true; // the request did not come over a connection
  return responses.hasRoom(addressOf({ socket: { remoteAddress }, headers }), bytes);
}

interface ResponseClient {
  readonly remoteAddress?: string | undefined;
  readonly headers: RequestHeaders;
}

function nothingCounted(): void {
  // The bytes are not counted, so there is nothing to give back.
}

/** What the bounds of a listener say about a connection that carries messages. */
export interface MessageEdge {
  readonly pending: PendingMessages;
  /** @unit milliseconds */
  readonly writeTimeoutMs: number;
  /** Reports that the client took nothing of what waits. */
  stalled(bytes: number): void;
}

/**
 * Opens an account for the messages of a connection; undefined on connections without bounds.
 *
 * @param cut closes the connection to make room for others
 */
export function openMessageEdge(request: Pick<IncomingMessage, 'socket' | 'headers'>, cut: () => void): MessageEdge | undefined {
  const limits = edges.get(request.socket)?.limits;
  if (limits === undefined) return undefined;
  const { responses, report, settings } = limits;
  const address = limits.addressOf(request);
  return {
    pending: responses.open(address, cut),
    writeTimeoutMs: settings.writeTimeoutMs,
    stalled: (bytes) => report.writeStalled({ address, bytes }),
  };
}

/**
 * Closes a connection whose client reads nothing for the write timeout of its listener. For responses on connections that the HTTP server has
 * given away: the listener does not look at those.
 *
 * @returns what removes the deadline; further calls do nothing
 */
export function expectReading(request: Pick<IncomingMessage, 'socket' | 'headers'>): () => void {
  const { socket } = request;
  const limits = edges.get(socket)?.limits;
  if (limits === undefined) return () => undefined;
  const address = limits.addressOf(request);
  return expectProgress(socket, limits.settings.writeTimeoutMs, (bytes) => limits.report.writeStalled({ address, bytes }));
}

/** The response to a request whose own response does not fit, in the form of its target. */
export function refusalInPlace(request: IncomingMessage): RefusalReply {
  const refusal = new GatewayError(
    'OVERLOADED',
    'The request was processed, but its response is not sent: too many responses wait to be read. Read those of your connections, and try again in a moment.',
    { headers: { 'retry-after': '1' } },
  );
  const edge = edges.get(request.socket);
  return edge === undefined ? { status: refusal.status, headers: refusal.headers, body: '' } : edge.toRefusal(refusal, request);
}

/** Bytes of one request body that are held while it is received. */
export interface BodyReservation {
  /** @throws GatewayError `OVERLOADED` where they do not fit */
  grow(size: number): void;
  release(): void;
}

/** Counts a request body as it arrives; undefined on connections without bounds. */
export function reserveBody(request: Pick<IncomingMessage, 'socket' | 'headers'>): BodyReservation | undefined {
  const limits = edges.get(request.socket)?.limits;
  if (limits === undefined) return undefined;
  const { bodies, report } = limits;
  let address: string | undefined;
  let counted = 0;
  return {
    grow(size) {
      if (size < COUNTED_BYTES || size <= counted) return;
      address ??= limits.addressOf(request);
      const scope = bodies.take(address, size - counted);
      if (scope !== undefined) {
        report.bodyRefused({ address, scope, limit: scope === 'total' ? bodies.bounds.total : bodies.bounds.perAddress });
        throw new GatewayError('OVERLOADED', 'Too many request bodies are being received; try again in a moment.', {
          headers: { 'retry-after': '1' },
        });
      }
      counted = size;
    },
    release() {
      if (address !== undefined && counted > 0) bodies.give(address, counted);
      counted = 0;
    },
  };
}
