import type { IncomingMessage, ServerResponse } from 'node:http';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../gateway/platform/correlation-id.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../gateway/platform/errors.ts';
import { sendReply } from '../gateway/platform/http/send-reply.ts';
import { type Logger, silentLogger } from '../gateway/platform/logger.ts';
import { type RestConfigInput, restSection } from './config.ts';
import { toErrorReply } from './errors/error-reply.ts';
import { createAnswerRequest } from './http/answer-request.ts';
import { compileRouteTable } from './mapping/compile-route-table.ts';
import { type RestDocument, readRestDocuments } from './mapping/read-documents.ts';
import type { RestGateway } from './rest-gateway.ts';

/** All settings of the section `rest`, with what is not in a file. */
export interface RestFacadeOptions extends Omit<RestConfigInput, 'documents'> {
  readonly gateway: RestGateway;
  /** A directory of `.graphql` files, or the documents themselves. @defaultValue 'schema/rest' below the working directory */
  readonly documents?: string | readonly RestDocument[];
  /** Largest request body, counted after decompression. @unit bytes @defaultValue 1048576 */
  readonly maxBodyBytes?: number;
  /** Longest request target. @unit bytes @defaultValue 8192 */
  readonly maxUrlBytes?: number;
  /** Hears of failures that clients are told nothing about. @defaultValue drops everything */
  readonly logger?: Logger;
}

/**
 * Answers requests to resources, and everything else with 404.
 *
 * @param basePath path below which another server has mounted the facade, for the addresses in its answers
 */
export type RestFacade = (request: IncomingMessage, response: ServerResponse, basePath?: string) => void;

/**
 * REST in front of a gateway. The documents are read at once, and compiled for each generation before it serves: a
 * mistake in a document refuses the generation with a `MappingInvalid` that tells all of them.
 *
 * @throws Error when the directory of the documents cannot be read, or a setting is out of range
 */
export function createRestFacade(options: RestFacadeOptions): RestFacade {
  const { gateway, documents: source, maxBodyBytes = 1_048_576, maxUrlBytes = 8_192, logger = silentLogger, ...settings } = options;
  const { documents: directory, ...config } = restSection.parse({
    ...settings,
    ...(typeof source === 'string' ? { documents: source } : {}),
  });
  const documents = typeof source === 'object' ? source : readRestDocuments(directory);
  const table = gateway.onGeneration((view) => compileRouteTable(documents, view, config));
  const answer = createAnswerRequest({ gateway, table, maxBodyBytes, maxUrlBytes, ...config });

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
    try {
      sendReply(request, response, await answer({ request, basePath, correlationId, signal: clientGone.signal }));
    } catch (error) {
      if (clientGone.signal.aborted) return; // nobody is left to read an answer
      sendReply(request, response, toErrorReply(toGatewayError(error, correlationId), correlationId, config.retryAfterSeconds));
    }
  }

  return (request, response, basePath = '') => void handle(request, response, basePath);
}
