import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../platform/http/response/outgoing-response.ts';
import type { Authenticate, Budgets } from '../../budget/budgets.ts';
import { type CallerBudget, UNLIMITED_BUDGET } from '../../budget/caller-budget.ts';
import type { OperationRequest } from '../../pipeline/operation-request.ts';
import type { ExecutedOrSubscribed } from '../../pipeline/pipeline.ts';
import type { IdempotentPipeline, IdempotentResult } from '../../pipeline/with-idempotency.ts';
import { GatewayError } from '../../platform/errors.ts';
import { readLastEventId } from '../../platform/http/request/event-id.ts';
import { refuseForgeable } from '../../platform/http/request/csrf.ts';
import type { Compress } from '../../platform/http/response/compress.ts';
import { NO_STORE, type HttpResponse, sendResponse } from '../../platform/http/response/send-response.ts';
import { clientDisconnectSignal } from '../../platform/http/server/disconnect-signal.ts';
import type { Logger } from '../../platform/logger.ts';
import { CORRELATION_ID_HEADER } from '../../platform/request-headers.ts';
import type { StreamSender } from '../../subscriptions/stream-sender.ts';
import { toGatewayError } from '../plain-response.ts';
import { createBatchHandler } from './batch.ts';
import type { ToCachedHttpResponse } from './cached-http-response.ts';
import {
  acceptsIncremental,
  createAcceptsStream,
  type GraphqlMediaType,
  negotiateGraphql,
  prefersPage,
  type StreamTransport,
} from './negotiate-response.ts';
import { GRAPHIQL_IS_OFF } from '../server/graphiql.ts';
import {
  checkParameters,
  type GraphqlParameters,
  type ReadGraphqlRequestOptions,
  readGet,
  readJsonBody,
  requireJson,
} from './parameters.ts';
import type { TargetMemos, RequestMemoCache } from './request-memos.ts';
import { toHookedResponse, toHttpErrorResponse, toResultResponse, VARY } from './http-response.ts';
import { sendIncremental } from './send-incremental.ts';
import { type GraphqlCaller, HEAD_HAS_NO_STREAM, StreamResponse, toEvents, toStreamHead } from './stream-response.ts';

export interface GraphqlHandlerOptions extends ReadGraphqlRequestOptions {
  readonly pipeline: Pick<IdempotentPipeline, 'execute' | 'executeOrSubscribe'>;
  readonly authenticate: Authenticate;
  readonly budgets: Budgets;
  readonly compress: Compress;
  readonly toCachedHttpResponse: ToCachedHttpResponse;
  /** Memos of GET requests whose responses are cached. */
  readonly targets: RequestMemoCache;
  /** Sends streams of events. */
  readonly sender: StreamSender;
  /** Value of `WWW-Authenticate` for callers without credentials. */
  readonly challenges: string;
  /** Maximum number of operations in a JSON array in the body of a POST request. 0: arrays are rejected. @unit operations */
  readonly maxBatchedOperations: number;
  /** Whether hooks set response headers. @defaultValue false */
  readonly hasResponseHeaders?: boolean;
  readonly logger: Logger;
}

/** Facts about a request that were determined before its handler is called. */
export interface GraphqlRequestFacts {
  readonly correlationId: string;
  /** Document id in the path. */
  readonly pathId?: string | undefined;
  /** Memo of the request target: its parameters, parsed earlier. GET and HEAD only. */
  readonly memo?: TargetMemos | undefined;
}

/** Responds to one request to `/graphql` or `/graphql/{documentId}`. Never rejects. */
export type GraphqlHandler = (request: ReceivedRequest, response: OutgoingResponse, facts: GraphqlRequestFacts) => Promise<void>;

const ALLOW = 'GET, HEAD, POST, OPTIONS';

/**
 * Creates the handler of `/graphql`, as described by the GraphQL over HTTP specification. A query or mutation gets one response or
 * incremental payloads. A subscription gets a stream of events when `Accept` lists a transport for it. A client may accept all of these;
 * the operation type decides.
 */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { pipeline, authenticate, budgets, compress, toCachedHttpResponse, targets, sender, challenges, maxBatchedOperations, logger } =
    options;
  const acceptsStream = createAcceptsStream();
  const toResponse = options.hasResponseHeaders === true ? toHookedResponse : toResultResponse;
  const acceptsBatches = maxBatchedOperations > 0;
  const respondToBatch = createBatchHandler({ maxBatchedOperations, logger });
  // The array of a batch adds one level.
  const ofBatches = acceptsBatches ? { ...options, maxJsonDepth: options.maxJsonDepth + 1 } : options;

  function requestOf(
    { request, facts, transport, mediaType, signal }: GraphqlExchange,
    { principal, remoteAddress, budget }: GraphqlCaller,
    { document, operationName, variables, clientLibrary, trace }: GraphqlParameters,
  ): OperationRequest {
    const { headers } = request;
    return {
      principal,
      document,
      transport: mediaType === undefined && transport !== undefined ? transport : 'graphql',
      headers,
      correlationId: facts.correlationId,
      remoteAddress,
      budget,
      queryOnly: request.method !== 'POST',
      signal,
      operationName,
      variables,
      clientLibrary,
      trace,
      memos: facts.memo?.memos,
      // Set by stages of the pipeline. A copy that gets an additional member has a new shape each time, so all members are present.
      recorder: undefined,
      original: undefined,
      writes: undefined,
      hooked: undefined,
      onUnsent: undefined,
      onAccess: undefined,
      acceptsIncremental: acceptsIncremental(headers.accept),
    };
  }

  /** Reads the parameters, or the batch of requests. */
  async function readRequest({ request, facts: { memo, pathId }, mediaType }: GraphqlExchange, budget: CallerBudget) {
    if (memo !== undefined) return memo.parameters;
    if (request.method !== 'POST') return readGet(request.url ?? '', options, pathId);
    const raw = await readJsonBody(request, mediaType === undefined ? options : ofBatches, budget);
    if (acceptsBatches && Array.isArray(raw)) return raw as readonly unknown[];
    return checkParameters(raw, pathId);
  }

  async function run(exchange: GraphqlExchange, caller: GraphqlCaller): Promise<ExecutedOrSubscribed<IdempotentResult>> {
    const { request, facts, transport, mediaType, signal } = exchange;
    const parameters = await readRequest(exchange, caller.budget);
    if (isBatch(parameters)) {
      if (mediaType === undefined) throw batchInStream();
      const respond = (one: GraphqlParameters) => pipeline.execute({ ...requestOf(exchange, caller, one), acceptsIncremental: false });
      return { response: await respondToBatch(parameters, { facts, headers: request.headers, signal, respond }) };
    }
    if (mediaType === undefined) readLastEventId(request.headers); // with events only, a malformed id rejects any operation
    const operation = requestOf(exchange, caller, parameters);
    if (transport === undefined || facts.memo !== undefined) {
      const response = await pipeline.execute(operation);
      if (response.memo !== undefined) targets.remember(request.url ?? '', parameters, response.memo);
      return { response };
    }
    return pipeline.executeOrSubscribe(operation, (subscription) => {
      const { correlationId } = facts;
      const { lastEventId } = parameters;
      exchange.stream = new StreamResponse({ request, response: exchange.response, correlationId, transport, lastEventId }, caller);
      return exchange.stream.open(subscription, sender);
    });
  }

  /** Converts an error, and logs it when it is unexpected. Undefined when the client has disconnected. */
  function rejectionOf(error: unknown, { signal, facts }: GraphqlExchange): GatewayError | undefined {
    return signal.aborted && error === signal.reason ? undefined : toGatewayError(error, logger, facts.correlationId);
  }

  function toHttpResponse(result: IdempotentResult, { request: { headers }, facts, transport, mediaType }: GraphqlExchange) {
    const { correlationId: requestId } = facts;
    if (mediaType === undefined) {
      const events = transport && toEvents(result, transport, requestId);
      return events ?? compress(toResponse(result, 'application/json', requestId), headers['accept-encoding']);
    }
    if (result.cached !== undefined) return toCachedHttpResponse(result.cached, { headers, mediaType, requestId });
    return compress(toResponse(result, mediaType, requestId), headers['accept-encoding']);
  }

  async function send(result: IdempotentResult, exchange: GraphqlExchange, budget: CallerBudget): Promise<void> {
    const { request, response, facts } = exchange;
    const { incremental } = result;
    if (incremental !== undefined) {
      const toPayloadError = (error: unknown): GatewayError | undefined => rejectionOf(error, exchange);
      return sendIncremental(
        { ...result, incremental },
        { request, response, requestId: facts.correlationId, budget, toGatewayError: toPayloadError },
      );
    }
    const made = toHttpResponse(result, exchange);
    const httpResponse = made instanceof Promise ? await made : made;
    if (!isForSharedCaches(result, exchange)) budget.writeRateLimitHeaders(httpResponse.headers);
    sendResponse(request, response, httpResponse);
  }

  function sendError(error: unknown, exchange: GraphqlExchange, budget: CallerBudget): void {
    const { request, response, facts, stream } = exchange;
    if (stream?.isClosed === true) return;
    const rejection = rejectionOf(error, exchange);
    if (rejection === undefined) return;
    const httpResponse = toHttpErrorResponse(rejection, errorTypeOf(exchange), facts.correlationId, challenges);
    budget.writeRateLimitHeaders(httpResponse.headers);
    sendResponse(request, response, httpResponse);
  }

  function sendHead({ request, response, facts }: GraphqlExchange, transport: StreamTransport, budget: CallerBudget): void {
    const httpResponse = toStreamHead(transport, facts.correlationId);
    budget.writeRateLimitHeaders(httpResponse.headers);
    sendResponse(request, response, httpResponse);
  }

  return async (request, response, facts) => {
    const { method, headers } = request;
    if (method === 'OPTIONS') return sendResponse(request, response, toOptionsResponse(facts));
    const { accept } = headers;
    const transport = acceptsStream(request);
    // A client that lists only `multipart/mixed` gets JSON when the response is not incremental.
    const mediaType = negotiateGraphql(accept) ?? (acceptsIncremental(accept) ? 'application/json' : undefined);
    const signal = clientDisconnectSignal(request.socket);
    const exchange: GraphqlExchange = { request, response, facts, transport, mediaType, signal, stream: undefined };
    let budget = UNLIMITED_BUDGET;
    try {
      if (!isServed(method)) throw methodNotAllowed(method ?? '');
      if (mediaType === undefined && transport === undefined) throw notAcceptable(request);
      refuseForgeable(request);
      requireJson(request);
      const remoteAddress = request.socket.remoteAddress ?? '';
      const principal = await authenticate(headers, remoteAddress);
      budget = budgets.of({ principal, headers, remoteAddress });
      const result = await run(exchange, { principal, remoteAddress, budget });
      if ('response' in result) return await send(result.response, exchange, budget);
      await exchange.stream?.send(result.stream, sender, (error) => toGatewayError(error, logger, facts.correlationId));
    } catch (error) {
      if (error === HEAD_HAS_NO_STREAM && transport !== undefined) sendHead(exchange, transport, budget);
      else sendError(error, exchange, budget);
    }
  };
}

/** A request with its response and the media types that the client accepts. */
interface GraphqlExchange {
  readonly request: ReceivedRequest;
  readonly response: OutgoingResponse;
  readonly facts: GraphqlRequestFacts;
  /** Stream transport that the client accepts. */
  readonly transport: StreamTransport | undefined;
  /** Media type of a single response. Undefined when the client accepts only events. */
  readonly mediaType: GraphqlMediaType | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Present when the operation is a subscription. */
  stream: StreamResponse | undefined;
}

function isBatch(read: GraphqlParameters | readonly unknown[]): read is readonly unknown[] {
  return Array.isArray(read);
}

/**
 * Returns the media type of an error response. When the client accepts only events, statuses are those of
 * `application/graphql-response+json`.
 */
function errorTypeOf({ request, transport, mediaType, stream }: GraphqlExchange): GraphqlMediaType {
  if (stream !== undefined) return negotiateGraphql(request.headers.accept) ?? 'application/graphql-response+json';
  return mediaType ?? (transport === undefined ? 'application/json' : 'application/graphql-response+json');
}

function toOptionsResponse({ correlationId }: GraphqlRequestFacts): HttpResponse {
  return { status: 204, headers: { [CORRELATION_ID_HEADER]: correlationId, ...NO_STORE, vary: VARY, allow: ALLOW }, body: '' };
}

function isServed(method: string | undefined): boolean {
  return method === 'POST' || method === 'GET' || method === 'HEAD';
}

function methodNotAllowed(method: string): GatewayError {
  return new GatewayError('METHOD_NOT_ALLOWED', `The method ${method} is not supported; use POST or GET.`, { headers: { allow: ALLOW } });
}

/** Requests of browsers arrive here only where GraphiQL is off. */
function notAcceptable({ method, headers }: ReceivedRequest): GatewayError {
  const advice = 'accept application/graphql-response+json or application/json.';
  const isBrowser = method !== 'POST' && prefersPage(headers.accept);
  return new GatewayError(
    'NOT_ACCEPTABLE',
    `The Accept header lists no supported media type; ${advice}${isBrowser ? ` ${GRAPHIQL_IS_OFF}` : ''}`,
  );
}

function batchInStream(): GatewayError {
  return new GatewayError(
    'BAD_REQUEST',
    'A batch cannot be executed over a stream; accept application/json, or send the operations one by one.',
  );
}

/**
 * Whether a shared cache may store the response. It would send the remaining budget of one caller to other callers, so the response does not
 * state it.
 */
function isForSharedCaches({ cached }: IdempotentResult, { request, mediaType }: GraphqlExchange): boolean {
  return cached?.cached.policy.scope === 'PUBLIC' && request.method !== 'POST' && mediaType !== undefined;
}
