import { createLocalIdempotency } from '../gateway/index.ts';
import { systemClock } from '../gateway/platform/clock.ts';
import { type CompressionSettings, createCodings } from '../gateway/platform/http/response/compress.ts';
import { type Logger, silentLogger } from '../gateway/platform/logger.ts';
import type { RestDocument } from './compile/documents/parse-documents.ts';
import { compileRouteTable } from './compile/route-table.ts';
import { type RestConfigInput, restSection } from './config.ts';
import { type ExecutorOptions, fromExecutor } from './executors/from-executor.ts';
import { createRequestListener, type RestFacade } from './http/request-listener.ts';
import { createRouteTables } from './http/route-tables.ts';
import { createRestHandler } from './http/rest-handler.ts';
import { compileHealthPath, serveHealth } from './http/serve-health.ts';
import { describeTable } from './openapi/describe-interface.ts';
import { createDescriptionFiles, serveDescription } from './openapi/http/description-endpoint.ts';
import { PAGE_PATH } from './openapi/http/docs-page.ts';
import { readRestDocuments } from './read-documents.ts';
import { createKnownReads } from './request/known-reads.ts';
import { createAcceptReader } from './request/negotiation/content-negotiation.ts';
import type { RestGateway } from './rest-gateway.ts';

/** Settings of the section `rest`, and settings that a configuration file cannot contain. */
export interface RestFacadeSettings extends Omit<RestConfigInput, 'documents' | 'webhooks'> {
  /** A directory of `.graphql` files, or the documents themselves. @defaultValue 'schema/rest' in the working directory */
  readonly documents?: string | readonly RestDocument[];
  /** A directory of webhook documents, or the documents themselves. The API description includes them. @defaultValue none */
  readonly webhooks?: string | readonly RestDocument[] | undefined;
  /** Maximum size of a request body after decompression. @unit bytes @defaultValue 1048576 */
  readonly maxBodyBytes?: number;
  /** Compression of responses. @defaultValue Brotli or gzip, for bodies of at least 1024 bytes */
  readonly compression?: CompressionSettings;
  /** Maximum length of a request target. @unit bytes @defaultValue 8192 */
  readonly maxUrlBytes?: number;
  /**
   * Maximum time without progress while a client reads a response. The connection is then closed. The listener of a gateway uses
   * `server.writeTimeoutMs` instead. @unit milliseconds @defaultValue 30000
   */
  readonly writeTimeoutMs?: number;
  /** Returns the current time, for deprecation dates. @defaultValue the system clock @unit milliseconds since the epoch */
  readonly now?: () => number;
  /** Logs errors that are not exposed to clients. @defaultValue no logging */
  readonly logger?: Logger;
}

/** Settings of a facade, with its backend: a Gatefold gateway, or another GraphQL executor in this process. */
export type RestFacadeOptions = RestFacadeSettings & (BehindGateway | BehindExecutor);

interface BehindGateway extends Readonly<Partial<Record<Exclude<keyof ExecutorOptions, 'logger'>, undefined>>> {
  readonly gateway: RestGateway;
}

interface BehindExecutor extends ExecutorOptions {
  readonly gateway?: undefined;
}

/**
 * Creates a REST facade for a graph. The documents are read immediately and compiled for each generation before the generation is served.
 * Invalid documents reject the generation with a `MappingInvalid` that lists every mistake.
 *
 * @throws ConfigurationInvalid if the documents cannot be read; Error if a setting is out of range
 * @throws MappingInvalid if the documents do not fit the schema of an executor
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
  const challenges = gateway.challenges ?? 'Bearer';
  const codings = createCodings(compression);
  const table = createRouteTables({
    gateway,
    read: () => ({
      documents: typeof source === 'object' ? source : readRestDocuments(directory),
      webhooks: typeof eventSource === 'string' ? readRestDocuments(eventSource, 'rest.webhooks') : (eventSource ?? []),
    }),
    compile({ documents, webhooks }, view) {
      const compiled = compileRouteTable(documents, view, {
        ...config,
        hasAuthentication: gateway.hasAuthentication,
        canStream: gateway.stream !== undefined,
      });
      const description = describeTable(compiled, {
        schema: view.schema,
        challenges,
        webhooks,
        settings: config,
        describesHealth: gateway.health !== undefined,
      });
      return { ...compiled, reads: createKnownReads(gateway.responseCache), description: createDescriptionFiles(description, codings) };
    },
  });
  // Without a shared store, idempotency keys are stored in this process.
  const { idempotency = createLocalIdempotency() } = gateway;
  const resources = createRestHandler({
    gateway,
    logger,
    codings,
    idempotency,
    table,
    maxBodyBytes,
    maxUrlBytes,
    now,
    staleWhileRevalidateSeconds: gateway.responseCache?.staleWhileRevalidateSeconds,
    ...config,
    deprecationPolicy: config.deprecationPolicy ?? (config.docs ? PAGE_PATH : undefined),
  });
  const described = config.docs ? serveDescription(resources, { table, maxUrlBytes, codings }) : resources;
  const { health } = gateway;
  const isHealthPath = health === undefined ? () => false : compileHealthPath(config.mounts);
  const respond = health === undefined ? described : serveHealth(described, { health, isHealthPath, maxUrlBytes });
  const listener = createRequestListener({
    isHealthPath,
    writeTimeoutMs,
    respond,
    readAccept: createAcceptReader(config.mediaTypeVendor),
    logger,
    challenges,
    retryAfterSeconds: config.retryAfterSeconds,
  });
  return Object.assign(listener, { reload: table.reload });
}
