import { createLocalIdempotency } from '../gateway/index.ts';
import { systemClock } from '../gateway/platform/clock.ts';
import { type CompressionSettings, createCodings } from '../gateway/platform/http/response/compress.ts';
import { type Logger, silentLogger } from '../gateway/platform/logger.ts';
import { type RestConfigInput, restSection } from './config.ts';
import { type ExecutorOptions, fromExecutor } from './executors/from-executor.ts';
import { createAnswerRequest } from './http/answer-request.ts';
import { compileHealthPath, withHealth } from './http/health-door.ts';
import { createDescriptionFiles, withDescription } from './http/description-door.ts';
import { type RestFacade, createRequestListener } from './http/request-listener.ts';
import { compileRouteTable } from './mapping/compile-route-table.ts';
import { type RestDocument, readRestDocuments } from './mapping/read-documents.ts';
import { describeTable } from './openapi/describe-table.ts';
import { createAcceptReader } from './request/read-accept.ts';
import type { RestGateway } from './rest-gateway.ts';

/** All settings of the section `rest`, with what is not in a file. */
export interface RestFacadeSettings extends Omit<RestConfigInput, 'documents' | 'webhooks'> {
  /** A directory of `.graphql` files, or the documents themselves. @defaultValue 'schema/rest' below the working directory */
  readonly documents?: string | readonly RestDocument[];
  /** The same for the documents of webhooks, which the description tells beside the resources. @defaultValue none */
  readonly webhooks?: string | readonly RestDocument[] | undefined;
  /** Largest request body, counted after decompression. @unit bytes @defaultValue 1048576 */
  readonly maxBodyBytes?: number;
  /** How answers are compressed. @defaultValue with Brotli or gzip, from 1024 bytes on */
  readonly compression?: CompressionSettings;
  /** Longest request target. @unit bytes @defaultValue 8192 */
  readonly maxUrlBytes?: number;
  /**
   * How long a client may read nothing of a response before its connection is closed. A gateway's own listener has `server.writeTimeoutMs`
   * in its place. @unit milliseconds @defaultValue 30000
   */
  readonly writeTimeoutMs?: number;
  /** Time, for what ends at a date. @defaultValue the system's clock @unit milliseconds since the epoch */
  readonly now?: () => number;
  /** Hears of failures that clients are told nothing about. @defaultValue drops everything */
  readonly logger?: Logger;
}

/** What stands behind the facade: a gateway, or whatever else runs GraphQL in this process. */
export type RestFacadeOptions = RestFacadeSettings & (BehindGateway | BehindExecutor);

interface BehindGateway extends Readonly<Partial<Record<Exclude<keyof ExecutorOptions, 'logger'>, undefined>>> {
  readonly gateway: RestGateway;
}

interface BehindExecutor extends ExecutorOptions {
  readonly gateway?: undefined;
}

/**
 * REST in front of a graph. The documents are read at once, and compiled for each generation before it serves: a
 * mistake in a document refuses the generation with a `MappingInvalid` that tells all of them.
 *
 * @throws Error when the directory of the documents cannot be read, or a setting is out of range
 * @throws MappingInvalid when the documents do not fit the schema of an executor
 */
export function createRestFacade(options: RestFacadeOptions): RestFacade {
  const gateway = options.gateway === undefined ? fromExecutor(options) : options.gateway;
  const {
    documents: source,
    webhooks: eventSource,
    maxBodyBytes = 1_048_576,
    maxUrlBytes = 8_192,
    writeTimeoutMs = 30_000,
    compression = { enabled: true, minBytes: 1_024 },
    now = systemClock.now,
    logger = silentLogger,
    ...others
  } = options;
  const {
    gateway: _gateway,
    schema: _schema,
    execute: _execute,
    authenticate: _authenticate,
    challenges: _challenges,
    errorCodes: _errorCodes,
    errorMessages: _errorMessages,
    health: _health,
    ...settings
  } = others;
  const { documents: directory, ...config } = restSection.parse({
    ...settings,
    ...(typeof source === 'string' ? { documents: source } : {}),
  });
  const documents = typeof source === 'object' ? source : readRestDocuments(directory);
  const webhooks = typeof eventSource === 'string' ? readRestDocuments(eventSource) : (eventSource ?? []);
  const challenges = gateway.challenges ?? 'Bearer';
  const codings = createCodings(compression);
  const table = gateway.onGeneration((view) => {
    const compiled = compileRouteTable(documents, view, {
      ...config,
      knowsCallers: gateway.knowsCallers,
      canStream: gateway.stream !== undefined,
    });
    const description = describeTable(compiled, {
      schema: view.schema,
      challenges,
      webhooks,
      settings: config,
      tellsHealth: gateway.health !== undefined,
    });
    return { ...compiled, description: createDescriptionFiles(description, codings) };
  });
  // Where nobody shares what is known of keys, it is known in this process.
  const { idempotency = createLocalIdempotency() } = gateway;
  const resources = createAnswerRequest({
    gateway,
    logger,
    codings,
    idempotency,
    table,
    maxBodyBytes,
    maxUrlBytes,
    now,
    ...config,
  });
  const described = config.docs ? withDescription(resources, { table, maxUrlBytes, codings }) : resources;
  const { health } = gateway;
  const isHealthPath = health === undefined ? () => false : compileHealthPath(config.mounts);
  const answer = health === undefined ? described : withHealth(described, { health, isHealthPath, maxUrlBytes });
  return createRequestListener({
    isHealthPath,
    writeTimeoutMs,
    answer,
    readAccept: createAcceptReader(config.mediaTypeVendor),
    logger,
    challenges,
    retryAfterSeconds: config.retryAfterSeconds,
  });
}
