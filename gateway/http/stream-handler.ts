import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Budgets } from '../budget/budgets.ts';
import type { CallerBudget } from '../budget/caller-budget.ts';
import type { Authenticate } from '../budget/charge-failed-logins.ts';
import { REPLAYED } from '../idempotency/idempotency.ts';
import type { AnswerOrStream } from '../pipeline/answer-or-stream.ts';
import { CORRELATION_ID_HEADER } from '../platform/request-headers.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Compress } from '../platform/http/response/compress.ts';
import { refuseForgeable } from '../platform/http/request/csrf.ts';
import { readLastEventId } from '../platform/http/request/event-id.ts';
import { type Reply, sendReply } from '../platform/http/response/send-response.ts';
import type { Logger } from '../platform/logger.ts';
import { rightsOf } from '../subscriptions/permissions.ts';
import type { StreamFormat } from '../subscriptions/stream-formats.ts';
import type { StreamCaller, StreamDelivery, StreamSender } from '../subscriptions/stream-sender.ts';
import { MULTIPART } from '../subscriptions/stream-formats.ts';
import { SSE } from '../subscriptions/stream-formats.ts';
import type { StreamTransport } from './accepts-stream.ts';
import type { OnceResult } from './answer-once.ts';
import { checkParameters, type GraphqlParameters } from './graphql-parameters.ts';
import { toRefusalReply, toResultReply, VARY } from './graphql-reply.ts';
import { type GraphqlMediaType, negotiateGraphql } from './media-types.ts';
import { type ReadGraphqlRequestOptions, readGet, readJsonBody, requireJson } from './read-graphql-request.ts';
import { toGatewayError } from './to-gateway-error.ts';

export interface StreamHandlerOptions extends ReadGraphqlRequestOptions {
  readonly answer: AnswerOrStream;
  readonly authenticate: Authenticate;
  readonly budgets?: Budgets | undefined;
  readonly compress: Compress;
  readonly sender: StreamSender;
  /** Most operations in one request that is answered in JSON. @unit operations @defaultValue 0, which refuses batches everywhere */
  readonly maxBatchedOperations?: number;
  /** A value of `WWW-Authenticate` for those who have not tried to prove who they are. @defaultValue that of bearer tokens */
  readonly challenges?: string;
  readonly logger: Logger;
}

/** What is known of a request besides what it says itself. */
export interface StreamRequestFacts {
  readonly correlationId: string;
  /** The id of a document as it stands in the path. */
  readonly pathId?: string | undefined;
  /** What it asks for, where it was read already. */
  readonly parameters?: GraphqlParameters | undefined;
  /** Points that were charged for its document already. @defaultValue nothing was charged yet */
  readonly documentCharge?: number | undefined;
}

/** Answers a request to `/graphql` whose client takes events, by GET, HEAD or POST. Never rejects. */
export type StreamHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  facts: StreamRequestFacts,
  transport: StreamTransport,
) => Promise<void>;

const FORMATS: Readonly<Record<StreamTransport, StreamFormat>> = { sse: SSE, multipart: MULTIPART };

/** Subscriptions over HTTP. The kind of the operation decides first: a query or mutation is answered once, whatever else is listed. */
export function createStreamHandler(options: StreamHandlerOptions): StreamHandler {
  const { answer, authenticate, budgets, compress, sender, maxBatchedOperations = 0, logger } = options;

  async function run({ request, response, door }: Sending, facts: StreamRequestFacts, caller: StreamCaller, signal: AbortSignal) {
    const { headers } = request;
    const queryOnly = request.method !== 'POST';
    const { url = '' } = request;
    const { pathId } = facts;
    const read = async () => {
      if (queryOnly) return readGet(url, options, pathId);
      const raw = await readJsonBody(request, options, caller.budget);
      if (maxBatchedOperations > 0 && Array.isArray(raw)) throw batchInStream();
      return checkParameters(raw, pathId);
    };
    const parameters = facts.parameters ?? (await read());
    const lastEventId = readLastEventId(headers) ?? parameters.lastEventId;
    const { correlationId, documentCharge } = facts;
    const resumed = lastEventId === undefined ? parameters : { ...parameters, lastEventId };
    const { rights, remoteAddress, budget } = caller;
    const payer = { principal: rights.principal, remoteAddress, budget };
    const circumstances = { door, headers, correlationId, queryOnly, signal, documentCharge, expiresAt: () => rights.expiresAt };
    return answer({ ...resumed, ...payer, ...circumstances }, () => {
      sender.takePlace(caller, response); // for streams only: whoever asks a query is not counted
      if (request.method === 'HEAD') throw HEAD_IS_ALL;
    });
  }

  function toReply(result: OnceResult, { request, format, mediaType, requestId }: Sending): Reply | Promise<Reply> {
    const { headers } = request;
    if (mediaType === undefined && format.once !== undefined) {
      return {
        status: 200,
        headers: { ...streamHeaders(format, requestId), ...(result.isReplayed === true ? REPLAYED : {}) },
        body: format.once(result),
      };
    }
    const type = mediaType ?? 'application/json';
    return compress(toResultReply(result, type, requestId), headers['accept-encoding']);
  }

  return async (request, response, facts, transport) => {
    const { headers } = request;
    const requestId = facts.correlationId;
    // Undefined for a client that takes no JSON: statuses are then as the younger of the media types has them.
    const mediaType = negotiateGraphql(headers.accept);
    const sending: Sending = { request, response, door: transport, format: FORMATS[transport], mediaType, requestId };
    const clientGone = new AbortController();
    response.on('close', () => clientGone.abort());
    let budget: CallerBudget | undefined;
    try {
      refuseForgeable(request);
      requireJson(request);
      const remoteAddress = request.socket.remoteAddress ?? '';
      const principal = await authenticate(headers, remoteAddress);
      budget = budgets?.of({ principal, headers, remoteAddress });
      const caller = { rights: rightsOf(principal, headers), remoteAddress, budget, requestId };
      const outcome = await run(sending, facts, caller, clientGone.signal);
      if ('stream' in outcome) return await sender.send(outcome.stream, caller, deliveryOf(sending, logger));
      const reply = await toReply(outcome.answer, sending);
      budget?.tell(reply.headers);
      sendReply(request, response, reply);
    } catch (error) {
      if (clientGone.signal.aborted) return;
      const reply = error === HEAD_IS_ALL ? toHeadReply(sending) : toRefusal(error, sending, options);
      budget?.tell(reply.headers);
      sendReply(request, response, reply);
    }
  };
}

function batchInStream(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'A stream cannot answer a batch; accept application/json, or send the operations one by one.');
}

/** What is answered, and how. */
interface Sending {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly door: StreamTransport;
  readonly format: StreamFormat;
  readonly mediaType: GraphqlMediaType | undefined;
  readonly requestId: string;
}

/** Thrown where a stream would be opened: who asks by HEAD is told its head, and asks no subgraph for events. */
const HEAD_IS_ALL = new Error('HEAD is answered without a stream.');

function toHeadReply({ format, requestId }: Sending): Reply {
  return { status: 200, headers: streamHeaders(format, requestId), body: '', isEndless: true };
}

function toRefusal(error: unknown, sending: Sending, { logger, challenges }: Pick<StreamHandlerOptions, 'logger' | 'challenges'>): Reply {
  const { mediaType = 'application/graphql-response+json', requestId } = sending;
  return toRefusalReply(toGatewayError(error, logger, requestId), mediaType, requestId, challenges);
}

function deliveryOf({ response, format, requestId }: Sending, logger: Logger): StreamDelivery {
  const headers = { 'x-content-type-options': 'nosniff', ...streamHeaders(format, requestId) };
  return { response, format, headers, toRefusal: (error) => toGatewayError(error, logger, requestId) };
}

function streamHeaders({ contentType }: StreamFormat, requestId: string) {
  return {
    [CORRELATION_ID_HEADER]: requestId,
    'cache-control': 'no-store',
    vary: VARY,
    'content-type': contentType,
    'x-accel-buffering': 'no', // proxies that gather answers would keep events back
  } as const;
}
