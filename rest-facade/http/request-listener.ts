import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../gateway/platform/correlation-id.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../../gateway/platform/errors.ts';
import { type NamedReply, sendReply } from '../../gateway/platform/http/send-reply.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import { type ErrorReplyOptions, toErrorReply } from '../errors/error-reply.ts';
import type { AnswerRequest } from './answer-request.ts';

/**
 * Answers requests to resources, and everything else with 404.
 *
 * @param basePath path below which another server has mounted the facade, for the addresses in its answers
 */
export type RestFacade = (request: IncomingMessage, response: ServerResponse, basePath?: string) => void;

export interface RequestListenerOptions extends ErrorReplyOptions {
  readonly answer: AnswerRequest;
  readonly logger: Logger;
}

/** The edge: the only place where a refusal becomes bytes. */
export function createRequestListener({ answer, logger, ...told }: RequestListenerOptions): RestFacade {
  const toGatewayError = (error: unknown, correlationId: string): GatewayError => {
    if (error instanceof GatewayError && error.status < 500) return error;
    logger.error({ err: error, correlationId }, 'A REST request failed.');
    return error instanceof GatewayError ? error : new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
  };

  async function handle(request: IncomingMessage, response: ServerResponse, basePath: string): Promise<void> {
    const correlationId = readCorrelationId(request.headers);
    response.setHeader(CORRELATION_ID_HEADER, correlationId);
    const clientGone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) clientGone.abort();
    });
    const replyHeaders: OutgoingHttpHeaders = {};
    const send = ({ status, headers, body }: NamedReply): void =>
      sendReply(request, response, { status, headers: { ...headers, ...replyHeaders }, body });
    try {
      send(await answer({ request, basePath, correlationId, signal: clientGone.signal, replyHeaders }));
    } catch (error) {
      if (clientGone.signal.aborted) return; // nobody is left to read an answer
      send(toErrorReply(toGatewayError(error, correlationId), correlationId, told));
    }
  }

  return (request, response, basePath = '') => void handle(request, response, basePath);
}
