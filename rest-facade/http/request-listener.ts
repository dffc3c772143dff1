import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../gateway/platform/request-headers.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../../gateway/platform/errors.ts';
import { departureSignal } from '../../gateway/platform/http/server/disconnect-signal.ts';
import { hasEdge } from '../../gateway/platform/http/limits/edge-limits.ts';
import { expectProgress } from '../../gateway/platform/http/limits/expect-progress.ts';
import { type NamedReply, sendReply } from '../../gateway/platform/http/response/send-response.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { RefusedRequest } from '../errors/error-body.ts';
import { type ErrorReplyOptions, toErrorReply } from '../errors/error-reply.ts';
import type { ReadAccept } from '../request/read-accept.ts';
import { readTraceId } from '../request/read-trace-id.ts';
import type { AnswerRequest } from './answer-request.ts';
import { mergeHeaders } from './merge-headers.ts';

/** Answers requests to resources, and everything else with 404. */
export interface RestFacade {
  /** @param basePath path below which another server has mounted the facade, for the addresses in its answers */
  (request: IncomingMessage, response: ServerResponse, basePath?: string): void;
  /** What a listener around the facade refuses, in the form that the client asked for. */
  toRefusal(refusal: GatewayError, request: Pick<IncomingMessage, 'headers'>): NamedReply;
  /** Whether the health of the gateway behind the facade is told at a path. */
  isHealthPath(path: string): boolean;
  /** Every answer has the correlation id: a listener around the facade need not set it. */
  readonly tellsCorrelationId: true;
}

export interface RequestListenerOptions extends ErrorReplyOptions {
  readonly answer: AnswerRequest;
  readonly readAccept: ReadAccept;
  readonly isHealthPath: (path: string) => boolean;
  /** How long a client may read nothing of a response, on listeners without a deadline of their own. @unit milliseconds */
  readonly writeTimeoutMs: number;
  readonly logger: Logger;
}

/** The edge: the only place where a refusal becomes bytes. */
export function createRequestListener({
  answer,
  readAccept,
  isHealthPath,
  writeTimeoutMs,
  logger,
  ...told
}: RequestListenerOptions): RestFacade {
  const toGatewayError = (error: unknown, correlationId: string): GatewayError => {
    if (error instanceof GatewayError && (error.status < 500 || error.code === 'METHOD_NOT_IMPLEMENTED')) return error;
    logger.error({ err: error, correlationId }, 'A REST request failed.');
    return error instanceof GatewayError ? error : new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
  };

  const named = ({ headers }: Pick<IncomingMessage, 'headers'>, requestId: string): RefusedRequest => ({
    acceptance: readAccept(headers.accept),
    requestId,
    traceId: readTraceId(headers) ?? requestId,
  });

  /** On the listener of somebody else, which may have no deadline for a client that does not read. */
  function watchWrite({ socket }: IncomingMessage, response: ServerResponse): void {
    if (hasEdge(socket) || socket.writableLength === 0 || response.closed) return;
    const cancel = expectProgress(socket, writeTimeoutMs, (bytes) => {
      logger.warn({ bytes }, 'A connection was closed: its client did not read the response in time.');
    });
    response.once('close', cancel);
  }

  async function handle(request: IncomingMessage, response: ServerResponse, basePath: string): Promise<void> {
    const correlationId = readCorrelationId(request.headers);
    const signal = departureSignal(request.socket);
    const acceptance = readAccept(request.headers.accept);
    // Named here and not set on the response: a head that is written at once costs half of one that was begun before.
    const replyHeaders: OutgoingHttpHeaders = { [CORRELATION_ID_HEADER]: correlationId };
    const send = (reply: NamedReply): void => {
      sendReply(request, response, { ...reply, headers: mergeHeaders(reply.headers, replyHeaders) });
      watchWrite(request, response);
    };
    try {
      const reply = await answer({ request, response, basePath, correlationId, acceptance, signal, replyHeaders });
      if (reply !== undefined) send(reply);
    } catch (error) {
      if (signal.aborted) return; // nobody is left to read an answer
      const version = replyHeaders['api-version'];
      const refused = { ...named(request, correlationId), ...(version === undefined ? {} : { version: Number(version) }) };
      send(toErrorReply(toGatewayError(error, correlationId), refused, told));
    }
  }

  /** Never rejects: what cannot even be refused ends its own connection, and not the process. */
  const listen = (request: IncomingMessage, response: ServerResponse, basePath = ''): void =>
    void handle(request, response, basePath).catch((error: unknown) => {
      logger.error({ err: error }, 'A REST request could not be answered.');
      response.destroy();
    });

  return Object.assign(listen, {
    toRefusal: (refusal: GatewayError, request: Pick<IncomingMessage, 'headers'>) =>
      toErrorReply(refusal, named(request, readCorrelationId(request.headers)), told),
    isHealthPath,
    tellsCorrelationId: true as const,
  });
}
