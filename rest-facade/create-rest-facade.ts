import { type Logger, silentLogger } from '../gateway/platform/logger.ts';
import { type RestConfigInput, restSection } from './config.ts';
import { createAnswerRequest } from './http/answer-request.ts';
import { type RestFacade, createRequestListener } from './http/request-listener.ts';
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
  const challenges = gateway.challenges ?? 'Bearer';
  return createRequestListener({ answer, logger, challenges, retryAfterSeconds: config.retryAfterSeconds });
}
