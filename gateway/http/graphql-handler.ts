import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Budgets } from '../budget/budgets.ts';
import type { CallerBudget } from '../budget/caller-budget.ts';
import type { Authenticate } from '../budget/charge-failed-logins.ts';
import type { OperationRequest } from '../pipeline/operation-request.ts';
import type { Recollections } from '../pipeline/recollection.ts';
import type { Pipeline } from '../pipeline/run-operation.ts';
import { CORRELATION_ID_HEADER } from '../platform/request-headers.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Compress } from '../platform/http/response/compress.ts';
import { refuseForgeable } from '../platform/http/request/csrf.ts';
import { departureSignal } from '../platform/http/server/disconnect-signal.ts';
import { NO_STORE } from '../platform/http/response/send-response.ts';
import { type Reply, sendReply } from '../platform/http/response/send-response.ts';
import type { Logger } from '../platform/logger.ts';
import { acceptsParts } from './accepts-parts.ts';
import { createAnswerBatch } from './answer-batch.ts';
import type { AnswerOnce, OnceResult } from './answer-once.ts';
import { createAcceptsStream, type StreamTransport } from './accepts-stream.ts';
import type { CachedReplyRequest, ToCachedReply } from './cached-reply.ts';
import { checkParameters, type GraphqlParameters } from './graphql-parameters.ts';
import { toRefusalReply, toResultReply, VARY } from './graphql-reply.ts';
import type { KnownTarget, KnownTargets } from './known-targets.ts';
import { negotiateGraphql } from './media-types.ts';
import { type ReadGraphqlRequestOptions, readGet, readJsonBody, requireJson } from './read-graphql-request.ts';
import { sendParts } from './send-parts.ts';
import type { StreamHandler } from './stream-handler.ts';
import { toGatewayError } from './to-gateway-error.ts';

export interface GraphqlHandlerOptions extends ReadGraphqlRequestOptions {
  readonly pipeline: Pick<Pipeline, 'run' | 'kindOf'>;
  /** Runs what is to be run once. @defaultValue no `Idempotency-Key` is read */
  readonly answerOnce?: AnswerOnce;
  readonly authenticate: Authenticate;
  /** What callers may spend. @defaultValue there is no end to it */
  readonly budgets?: Budgets | undefined;
  readonly compress: Compress;
  readonly toCachedReply: ToCachedReply;
  /** Where targets of answers that are kept are remembered. @defaultValue nowhere */
  readonly targets?: KnownTargets | undefined;
  /** Answers those who take events. @defaultValue nobody is sent any */
  readonly stream?: StreamHandler;
  /** A value of `WWW-Authenticate` for those who have not tried to prove who they are. @defaultValue that of bearer tokens */
  readonly challenges?: string;
  /** Most operations of a POST request whose body is a JSON array. @unit operations @defaultValue 0: such requests are refused */
  readonly maxBatchedOperations?: number;
  readonly logger: Logger;
}

/** What is known of a request besides what it says itself. */
export interface GraphqlRequestFacts {
  readonly correlationId: string;
  /** The id of a document as it stands in the path. */
  readonly pathId?: string | undefined;
  /** What its target was found to say before; of GET and HEAD only. */
  readonly known?: KnownTarget | undefined;
}

/** Answers one request to `/graphql`, or to a document below it. Never rejects. */
export type GraphqlHandler = (request: IncomingMessage, response: ServerResponse, facts: GraphqlRequestFacts) => Promise<void>;

const ALLOW = 'GET, HEAD, POST, OPTIONS';

/** `/graphql` by the GraphQL over HTTP specification. */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { pipeline, authenticate, budgets, compress, toCachedReply, targets, stream, logger } = options;
  const acceptsStream = createAcceptsStream();
  const { answerOnce = (operation) => pipeline.run(operation, 'bytes'), maxBatchedOperations = 0 } = options;
  const acceptsBatches = maxBatchedOperations > 0;
  const answerBatch = createAnswerBatch({ maxBatchedOperations, logger });
  // The array of a batch is one level more.
  const ofPost = acceptsBatches ? { ...options, maxJsonDepth: options.maxJsonDepth + 1 } : options;

  /** Undefined where it was answered by events. The kind of an operation decides first: who takes events may want one answer. */
  async function answer(
    { request, response, facts, transport }: Asking,
    { principal, remoteAddress, budget }: Payer,
    signal: AbortSignal,
  ): Promise<OnceResult | undefined> {
    const { correlationId, pathId, known } = facts;
    const { headers, url = '' } = request;
    const queryOnly = request.method !== 'POST';
    const circumstances = { principal, door: 'graphql', headers, correlationId, remoteAddress, budget, queryOnly, signal } as const;
    let parameters = known?.parameters;
    if (parameters === undefined && queryOnly) parameters = readGet(url, options, pathId);
    if (parameters === undefined) {
      const raw = await readJsonBody(request, ofPost, budget);
      if (acceptsBatches && Array.isArray(raw)) {
        const answerOne = (one: GraphqlParameters) => answerOnce(toOperationRequest(one, circumstances, undefined));
        return answerBatch(raw, { facts, headers, signal, answer: answerOne });
      }
      parameters = checkParameters(raw, pathId);
    }
    let operation = toOperationRequest(parameters, circumstances, known?.recollections);
    if (transport !== undefined && known === undefined) {
      const { kind, documentCharge } = await pipeline.kindOf(operation);
      if (kind === 'subscription') {
        await stream?.(request, response, { correlationId, pathId, parameters, documentCharge }, transport);
        return undefined;
      }
      operation = { ...operation, documentCharge };
    }
    const result = await answerOnce(acceptsParts(headers.accept) ? { ...operation, acceptsParts: true } : operation);
    if (queryOnly && result.recollection !== undefined) targets?.remember(url, parameters, result.recollection);
    return result;
  }

  /** Undefined when nobody is left to read an answer; what else went wrong is logged. */
  function toRefusal(error: unknown, clientGone: AbortSignal, correlationId: string): GatewayError | undefined {
    return clientGone.aborted && error === clientGone.reason ? undefined : toGatewayError(error, logger, correlationId);
  }

  function toReply(result: OnceResult, asked: CachedReplyRequest): Reply | Promise<Reply> {
    if (result.cached !== undefined) return toCachedReply(result.cached, asked);
    return compress(toResultReply(result, asked.mediaType, asked.requestId), asked.headers['accept-encoding']);
  }

  return async (request, response, facts) => {
    const { correlationId } = facts;
    const { method } = request;
    if (method === 'OPTIONS') {
      sendReply(request, response, {
        status: 204,
        headers: { [CORRELATION_ID_HEADER]: correlationId, ...NO_STORE, vary: VARY, allow: ALLOW },
        body: '',
      });
      return;
    }
    const { accept } = request.headers;
    const transport = acceptsStream(request);
    // Whoever lists parts alone is answered in JSON where there is but one.
    const mediaType = negotiateGraphql(accept) ?? (acceptsParts(accept) ? 'application/json' : undefined);
    if (transport !== undefined && mediaType === undefined) return stream?.(request, response, facts, transport);
    const clientGone = departureSignal(request.socket);
    let budget: CallerBudget | undefined;
    try {
      if (!isServed(method)) throw methodNotAllowed(method ?? '');
      if (mediaType === undefined) throw notAcceptable();
      refuseForgeable(request);
      requireJson(request);
      const { headers } = request;
      const remoteAddress = request.socket.remoteAddress ?? '';
      const principal = await authenticate(headers, remoteAddress);
      budget = budgets?.of({ principal, headers, remoteAddress });
      const result = await answer({ request, response, facts, transport }, { principal, remoteAddress, budget }, clientGone);
      if (result === undefined) return;
      const { later } = result;
      if (later === undefined) {
        const made = toReply(result, { headers, mediaType, requestId: correlationId });
        const reply = made instanceof Promise ? await made : made;
        budget?.tell(reply.headers);
        sendReply(request, response, reply);
      } else {
        const toPartRefusal = (error: unknown): GatewayError | undefined => toRefusal(error, clientGone, correlationId);
        await sendParts({ ...result, later }, { request, response, requestId: correlationId, budget, toRefusal: toPartRefusal });
      }
    } catch (error) {
      const refusal = toRefusal(error, clientGone, correlationId);
      if (refusal === undefined) return;
      const reply = toRefusalReply(refusal, mediaType ?? 'application/json', correlationId, options.challenges);
      budget?.tell(reply.headers);
      sendReply(request, response, reply);
    }
  };
}

/** A request, with what its client takes besides one answer. */
interface Asking {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly facts: GraphqlRequestFacts;
  readonly transport: StreamTransport | undefined;
}

type Circumstances = Required<
  Pick<OperationRequest, 'principal' | 'door' | 'headers' | 'correlationId' | 'remoteAddress' | 'budget' | 'queryOnly' | 'signal'>
>;

/** Who asks, and what pays for it. */
type Payer = Pick<Circumstances, 'principal' | 'remoteAddress' | 'budget'>;

/** Written out rather than spread together: what is spread costs more than what it says. */
function toOperationRequest(
  { document, operationName, variables }: GraphqlParameters,
  { principal, door, headers, correlationId, remoteAddress, budget, queryOnly, signal }: Circumstances,
  recollections: Recollections | undefined,
): OperationRequest {
  if (recollections !== undefined) {
    const asked = { principal, document, door, headers, correlationId, remoteAddress, budget, queryOnly, signal, recollections };
    if (operationName === undefined && variables === undefined) return asked;
    return { ...asked, ...(operationName === undefined ? {} : { operationName }), ...(variables === undefined ? {} : { variables }) };
  }
  if (operationName === undefined) {
    return variables === undefined
      ? { principal, document, door, headers, correlationId, remoteAddress, budget, queryOnly, signal }
      : { principal, document, door, headers, correlationId, remoteAddress, budget, queryOnly, signal, variables };
  }
  return variables === undefined
    ? { principal, document, door, headers, correlationId, remoteAddress, budget, queryOnly, signal, operationName }
    : { principal, document, door, headers, correlationId, remoteAddress, budget, queryOnly, signal, variables, operationName };
}

function isServed(method: string | undefined): boolean {
  return method === 'POST' || method === 'GET' || method === 'HEAD';
}

function methodNotAllowed(method: string): GatewayError {
  return new GatewayError('METHOD_NOT_ALLOWED', `The method ${method} is not served here; use POST or GET.`, { headers: { allow: ALLOW } });
}

function notAcceptable(): GatewayError {
  return new GatewayError(
    'NOT_ACCEPTABLE',
    'Answers are application/graphql-response+json or application/json; the Accept header wants neither.',
  );
}
