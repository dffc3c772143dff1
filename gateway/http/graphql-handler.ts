import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Authenticator } from '../auth/authenticator.ts';
import type { BytesResult, OperationRequest } from '../pipeline/operation-request.ts';
import type { Pipeline } from '../pipeline/run-operation.ts';
import { CORRELATION_ID_HEADER } from '../platform/correlation-id.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Compress } from '../platform/http/compress.ts';
import { refuseForgeable } from '../platform/http/csrf.ts';
import { NO_STORE } from '../platform/http/security-headers.ts';
import { sendReply } from '../platform/http/send-reply.ts';
import type { Logger } from '../platform/logger.ts';
import { acceptsParts } from './accepts-parts.ts';
import type { GraphqlParameters } from './graphql-parameters.ts';
import { toRefusalReply, toResultReply, VARY } from './graphql-reply.ts';
import { negotiateGraphql } from './media-types.ts';
import { type ReadGraphqlRequestOptions, readGet, readPost, requireJson } from './read-graphql-request.ts';
import { sendParts } from './send-parts.ts';
import { toGatewayError } from './to-gateway-error.ts';

export interface GraphqlHandlerOptions extends ReadGraphqlRequestOptions {
  readonly pipeline: Pipeline;
  readonly authenticate: Authenticator;
  readonly compress: Compress;
  readonly logger: Logger;
}

/** What is known of a request besides what it says itself. */
export interface GraphqlRequestFacts {
  readonly correlationId: string;
  /** The id of a document as it stands in the path. */
  readonly pathId?: string;
}

/** Answers one request to `/graphql`, or to a document below it. Never rejects. */
export type GraphqlHandler = (request: IncomingMessage, response: ServerResponse, facts: GraphqlRequestFacts) => Promise<void>;

const ALLOW = 'GET, HEAD, POST, OPTIONS';

/** `/graphql` by the GraphQL over HTTP specification. */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { pipeline, authenticate, compress, logger } = options;

  async function answer(
    request: IncomingMessage,
    { correlationId, pathId }: GraphqlRequestFacts,
    signal: AbortSignal,
  ): Promise<BytesResult> {
    const { headers } = request;
    refuseForgeable(request);
    requireJson(request);
    const principal = await authenticate(headers);
    const isSafe = request.method !== 'POST';
    const parameters = isSafe ? readGet(request.url ?? '', options, pathId) : await readPost(request, options, pathId);
    const remoteAddress = request.socket.remoteAddress ?? '';
    const circumstances = { principal, door: 'graphql', headers, correlationId, remoteAddress, queryOnly: isSafe, signal } as const;
    const operation = toOperationRequest(parameters, circumstances);
    return await pipeline.run(acceptsParts(headers.accept) ? { ...operation, acceptsParts: true } : operation, 'bytes');
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
    // Whoever lists parts alone is answered in JSON where there is but one.
    const mediaType = negotiateGraphql(accept) ?? (acceptsParts(accept) ? 'application/json' : undefined);
    const clientGone = signalOf(request.socket);
    /** Undefined when nobody is left to read an answer; what else went wrong is logged. */
    const toRefusal = (error: unknown): GatewayError | undefined =>
      clientGone.aborted && error === clientGone.reason ? undefined : toGatewayError(error, logger, correlationId);
    try {
      if (method !== 'POST' && method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method ?? '');
      if (mediaType === undefined) throw notAcceptable();
      const result = await answer(request, facts, clientGone);
      const { later } = result;
      if (later === undefined) {
        const reply = compress(toResultReply(result, mediaType, correlationId), request.headers['accept-encoding']);
        sendReply(request, response, reply instanceof Promise ? await reply : reply);
      } else await sendParts({ ...result, later }, { request, response, requestId: correlationId, toRefusal });
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal !== undefined) sendReply(request, response, toRefusalReply(refusal, mediaType ?? 'application/json', correlationId));
    }
  };
}

type Circumstances = Required<
  Pick<OperationRequest, 'principal' | 'door' | 'headers' | 'correlationId' | 'remoteAddress' | 'queryOnly' | 'signal'>
>;

/** Written out rather than spread together: what is spread costs more than what it says. */
function toOperationRequest(
  { document, operationName, variables }: GraphqlParameters,
  { principal, door, headers, correlationId, remoteAddress, queryOnly, signal }: Circumstances,
): OperationRequest {
  if (operationName === undefined) {
    return variables === undefined
      ? { principal, document, door, headers, correlationId, remoteAddress, queryOnly, signal }
      : { principal, document, door, headers, correlationId, remoteAddress, queryOnly, signal, variables };
  }
  return variables === undefined
    ? { principal, document, door, headers, correlationId, remoteAddress, queryOnly, signal, operationName }
    : { principal, document, door, headers, correlationId, remoteAddress, queryOnly, signal, variables, operationName };
}

/** By connection: what is asked on one goes on as long as it stands, and a signal for each request costs more than its JSON. */
const departures = new WeakMap<Socket, AbortSignal>();

/** Aborted when the client has left. Requests of one connection share it, so listeners are taken back. */
function signalOf(socket: Socket): AbortSignal {
  const known = departures.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  setMaxListeners(Infinity, controller.signal); // a client may send many requests without waiting for an answer
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  departures.set(socket, controller.signal);
  return controller.signal;
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
