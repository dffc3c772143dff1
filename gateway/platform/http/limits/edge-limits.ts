import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import type { ReceivedRequest } from '../plain/plain-request.ts';
import type { OutgoingResponse } from '../response/outgoing-response.ts';
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

/** Limits on the resources that clients can occupy in the process. */
export interface EdgeSettings {
  /** Maximum number of HTTP connections of a listener. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Maximum number of response bytes that are unread. @unit bytes */
  readonly maxPendingResponseBytes: number;
  readonly maxPendingResponseBytesPerAddress: number;
  /** Maximum number of bytes of request bodies that are being received. @unit bytes */
  readonly maxPendingBodyBytes: number;
  readonly maxPendingBodyBytesPerAddress: number;
  /** How long a client may read none of a response. @unit milliseconds */
  readonly writeTimeoutMs: number;
}

/** Limits of a process, which its listeners share. */
export interface EdgeLimits {
  readonly settings: EdgeSettings;
  readonly isProxy: InNetworks | undefined;
  readonly report: EdgeEvents;
  readonly responses: PendingResponses;
  readonly bodies: ByteBudget;
  /** Returns the client address that a request is counted for, also behind trusted proxies. */
  addressOf(request: ClientOf): string;
}

type ClientOf = { readonly socket: { readonly remoteAddress?: string | undefined }; readonly headers: RequestHeaders };

export interface EdgeLimitsOptions {
  readonly settings: EdgeSettings;
  readonly isProxy?: InNetworks | undefined;
  /** Metric hook. @defaultValue events are discarded */
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

/** Short response that replaces a response that does not fit. */
export interface ErrorHttpResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders | OutgoingHttpHeader[];
  readonly body: string | Uint8Array;
}

/** Renders an error in the format of the target of a request. */
export type ToErrorHttpResponse = (error: GatewayError, request: ReceivedRequest) => ErrorHttpResponse;

/** Limits and functions that apply to the connections of one listener. */
export interface ConnectionEdge {
  readonly limits: EdgeLimits;
  readonly toErrorResponse: ToErrorHttpResponse;
  isReserved(socket: Duplex): boolean;
  exempt(socket: Duplex): () => void;
}

/** Limits by connection, so that code that reads a body or writes a response does not need them as a parameter. */
const edges = new WeakMap<Duplex, ConnectionEdge>();

/** Applies the limits of a listener to a connection. */
export function bindEdge(socket: Duplex, edge: ConnectionEdge): void {
  edges.set(socket, edge);
}

/** Whether a connection belongs to a listener with limits and a write deadline. */
export function hasEdge(socket: Duplex): boolean {
  return edges.has(socket);
}

/**
 * Rejects requests on a connection that was opened beyond a limit.
 *
 * @throws GatewayError `OVERLOADED`; the connection is closed after the response
 */
export function refuseReservedConnection({ socket }: Pick<ReceivedRequest, 'socket'>): void {
  if (edges.get(socket)?.isReserved(socket) !== true) return;
  throw new GatewayError('OVERLOADED', 'Too many connections are open. Try again later.', {
    headers: { connection: 'close', 'retry-after': '5' },
  });
}

/** Stops counting the connection of a stream as a plain HTTP connection; see `ConnectionCount.exempt`. */
export function exemptConnection(socket: Duplex): () => void {
  return edges.get(socket)?.exempt(socket) ?? (() => undefined);
}

/**
 * Counts bytes of a response until they are released or the response is sent.
 *
 * @returns function that releases them; undefined if they do not fit
 */
export function admitResponse(
  request: Pick<ReceivedRequest, 'socket' | 'headers'>,
  response: OutgoingResponse,
  bytes: number,
): (() => void) | undefined {
  const limits = bytes < COUNTED_BYTES ? undefined : edges.get(request.socket)?.limits;
  return limits === undefined ? nothingCounted : limits.responses.admit(limits.addressOf(request), response, bytes);
}

/** Whether a response could be sent to the client of a request now; see `PendingResponses.hasCapacity`. */
export function hasCapacityFor({ responses, addressOf }: EdgeLimits, { remoteAddress, headers }: ResponseClient, bytes: number): boolean {
  if (remoteAddress === undefined) return true; // The request was not received over a connection.
  return responses.hasCapacity(addressOf({ socket: { remoteAddress }, headers }), bytes);
}

interface ResponseClient {
  readonly remoteAddress?: string | undefined;
  readonly headers: RequestHeaders;
}

function nothingCounted(): void {
  // The bytes are not counted, so there is nothing to release.
}

/** Limits of a listener for a connection that carries messages. */
export interface MessageEdge {
  readonly pending: PendingMessages;
  /** How long a client may read none of the pending messages. @unit milliseconds */
  readonly writeTimeoutMs: number;
  /** Reports that the client has read none of the pending data. */
  stalled(bytes: number): void;
}

/**
 * Opens an account for the messages of a connection; undefined on connections without limits.
 *
 * @param cut closes the connection to free capacity for others
 */
export function openMessageEdge(request: Pick<ReceivedRequest, 'socket' | 'headers'>, cut: () => void): MessageEdge | undefined {
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
 * Closes a connection whose client reads nothing for the write timeout of its listener. It is used for responses on connections that the
 * HTTP server has handed over, because the listener does not check those.
 *
 * @returns function that removes the deadline; further calls have no effect
 */
export function expectReading(request: Pick<ReceivedRequest, 'socket' | 'headers'>): () => void {
  const { socket } = request;
  const limits = edges.get(socket)?.limits;
  if (limits === undefined) return () => undefined;
  const address = limits.addressOf(request);
  return expectProgress(socket, limits.settings.writeTimeoutMs, (bytes) => limits.report.writeStalled({ address, bytes }));
}

/** Returns the error response for a request whose response does not fit, in the format of its target. */
export function errorResponseInTurn(request: ReceivedRequest): ErrorHttpResponse {
  const error = new GatewayError(
    'OVERLOADED',
    'The request was processed, but its response cannot be sent because too many responses are unread. Read the pending responses and try again later.',
    { headers: { 'retry-after': '1' } },
  );
  const edge = edges.get(request.socket);
  return edge === undefined ? { status: error.status, headers: error.headers, body: '' } : edge.toErrorResponse(error, request);
}

/** Bytes of one request body that are held while it is received. */
export interface BodyReservation {
  /** Counts the body up to a size. @throws GatewayError `OVERLOADED` when it does not fit */
  grow(size: number): void;
  release(): void;
}

/** Counts a request body as it is received; undefined on connections without limits. */
export function reserveBody(request: Pick<ReceivedRequest, 'socket' | 'headers'>): BodyReservation | undefined {
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
        report.bodyRejected({ address, scope, limit: scope === 'total' ? bodies.bounds.total : bodies.bounds.perAddress });
        throw new GatewayError('OVERLOADED', 'Too many request bodies are being received. Try again later.', {
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
