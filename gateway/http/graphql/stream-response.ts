import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../platform/http/response/outgoing-response.ts';
import type { CallerBudget } from '../../budget/caller-budget.ts';
import { REPLAYED } from '../../idempotency/idempotency.ts';
import type { OperationRequest } from '../../pipeline/operation-request.ts';
import type { EventStream, SubscriptionRequest } from '../../pipeline/streams/event-stream.ts';
import type { IdempotentResult } from '../../pipeline/with-idempotency.ts';
import type { GatewayError } from '../../platform/errors.ts';
import { readLastEventId } from '../../platform/http/request/event-id.ts';
import type { HttpResponse } from '../../platform/http/response/send-response.ts';
import type { Principal } from '../../platform/principal.ts';
import { CORRELATION_ID_HEADER } from '../../platform/request-headers.ts';
import { type Permissions, permissionsOf } from '../../subscriptions/permissions.ts';
import { MULTIPART, SSE, type StreamFormat } from '../../subscriptions/stream-formats.ts';
import type { StreamCaller, StreamSender } from '../../subscriptions/stream-sender.ts';
import type { StreamTransport } from './negotiate-response.ts';
import { VARY } from './http-response.ts';

/** A request whose response can be a stream. */
export interface GraphqlStreamRequest {
  readonly request: ReceivedRequest;
  readonly response: OutgoingResponse;
  readonly correlationId: string;
  readonly transport: StreamTransport;
  /** Id of the last event in the parameters of the request. */
  readonly lastEventId: string | undefined;
}

/** The caller of a request to `/graphql`, and its budget. */
export interface GraphqlCaller {
  readonly principal: Principal;
  readonly remoteAddress: string;
  readonly budget: CallerBudget;
}

const FORMATS: Readonly<Record<StreamTransport, StreamFormat>> = { sse: SSE, multipart: MULTIPART };

/** Thrown when a HEAD request would open a stream. The response has the headers of a stream, and no subgraph receives a request. */
export const HEAD_HAS_NO_STREAM = new Error('HEAD has no stream.');

/** The response to a subscription over HTTP. */
export class StreamResponse {
  readonly #request: GraphqlStreamRequest;
  readonly #caller: StreamCaller;
  readonly #permissions: Permissions;

  constructor(request: GraphqlStreamRequest, { principal, remoteAddress, budget }: GraphqlCaller) {
    this.#request = request;
    this.#permissions = permissionsOf(principal, request.request.headers);
    this.#caller = { permissions: this.#permissions, remoteAddress, budget, requestId: request.correlationId };
  }

  /** Whether the connection to the client is closed. */
  get isClosed(): boolean {
    return this.#request.response.destroyed;
  }

  /**
   * Counts the stream against the limits, and makes the subscription request.
   *
   * @throws GatewayError `SUBSCRIPTION_LIMIT`, `OVERLOADED`; `BAD_REQUEST` for a malformed `Last-Event-ID`
   * @throws HEAD_HAS_NO_STREAM
   */
  open(operation: OperationRequest, sender: StreamSender): SubscriptionRequest {
    const { request, response, transport, lastEventId: sentInBody } = this.#request;
    const lastEventId = readLastEventId(request.headers) ?? sentInBody;
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    sender.reserveSlot(this.#caller, response); // streams only: other operations are not counted
    if (request.method === 'HEAD') throw HEAD_HAS_NO_STREAM;
    const subscription = { ...operation, transport: transport, signal: closed.signal, expiresAt: () => this.#permissions.expiresAt };
    return lastEventId === undefined ? subscription : { ...subscription, lastEventId };
  }

  /** Sends events until the stream or the client ends. Never rejects. */
  send(stream: EventStream, sender: StreamSender, toGatewayError: (error: unknown) => GatewayError): Promise<void> {
    const { response, transport, correlationId } = this.#request;
    const headers = { 'x-content-type-options': 'nosniff', ...headersOf(FORMATS[transport], correlationId) };
    return sender.send(stream, this.#caller, { response, format: FORMATS[transport], headers, toGatewayError });
  }
}

/** Makes the response to a HEAD request. */
export function toStreamHead(transport: StreamTransport, requestId: string): HttpResponse {
  return { status: 200, headers: headersOf(FORMATS[transport], requestId), body: '', isEndless: true };
}

/**
 * Makes the response to a query or mutation when the client accepts only events. Undefined when the transport has no format for a single
 * result.
 */
export function toEvents(result: IdempotentResult, transport: StreamTransport, requestId: string): HttpResponse | undefined {
  const format = FORMATS[transport];
  if (format.once === undefined) return undefined;
  const headers = { ...headersOf(format, requestId), ...(result.isReplayed === true ? REPLAYED : {}), ...result.facts.headers };
  return { status: 200, headers, body: format.once(result) };
}

function headersOf({ contentType }: StreamFormat, requestId: string) {
  return {
    [CORRELATION_ID_HEADER]: requestId,
    'cache-control': 'no-store',
    vary: VARY,
    'content-type': contentType,
    'x-accel-buffering': 'no', // proxies that buffer responses would delay events
  } as const;
}
