import { GraphQLError } from 'graphql';
import { GatewayError, isErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { type ErrorRules, isRecord, readErrors } from '../subgraph-client/read-response.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { DataSource, DataSourceRequest, SubgraphEndpoint } from './data-source.ts';
import type { IncomingRequest } from './gateway-interface.ts';

/** Data sources by subgraph, each created once for its address. */
export interface DataSources {
  get(definition: SubgraphEndpoint): DataSource;
  /** Checks that every subgraph is available. @throws Error that names the first subgraph that is not available */
  check(definitions: Iterable<SubgraphEndpoint>): Promise<void>;
}

const HEALTH_CHECK = 'query __ApolloServiceHealthCheck__ { __typename }';

/** @param build called once for each name and address */
export function createDataSources(build: (definition: SubgraphEndpoint) => DataSource): DataSources {
  const known = new Map<string, { readonly url: string | undefined; readonly dataSource: DataSource }>();

  function get({ name, url }: SubgraphEndpoint): DataSource {
    const found = known.get(name);
    if (found !== undefined && found.url === url) return found.dataSource;
    const dataSource = build({ name, ...(url === undefined ? {} : { url }) });
    known.set(name, { url, dataSource });
    return dataSource;
  }

  return {
    get,
    async check(definitions) {
      await Promise.all(
        [...definitions].map(async (definition) => {
          try {
            await build(definition).process({ kind: 'health check', request: { query: HEALTH_CHECK }, context: {} });
          } catch (cause) {
            throw new Error(`[${definition.name}]: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
          }
        }),
      );
    },
  };
}

export interface DataSourceExecutorOptions {
  /** @throws Error when no data source with this name exists */
  readonly dataSourceOf: (subgraph: string) => DataSource;
  /** The request of Apollo Server that a request to a subgraph belongs to. */
  readonly incomingOf: (request: SubgraphRequest) => IncomingRequest;
  /** Time for the response of a data source. @unit milliseconds */
  readonly timeoutMs: number;
  /** Maximum number of errors of one response that are read. @unit errors */
  readonly maxErrors: number;
  /** Rules that select the messages of a data source that clients may read. */
  readonly errorRules?: ErrorRules;
  readonly logger: Logger;
}

/**
 * Creates an executor that uses data sources instead of the HTTP client of the gateway. Their results are validated like HTTP responses.
 */
export function createDataSourceExecutor(options: DataSourceExecutorOptions): SubgraphExecutor & AsyncDisposable {
  const { dataSourceOf, incomingOf, timeoutMs, maxErrors, errorRules, logger } = options;

  async function execute(request: SubgraphRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    signal.throwIfAborted();
    const facts = { subgraph: request.subgraph, requestId: request.context.correlationId };
    try {
      const { response, masked } = toResponse(await withTimeout(timeoutMs, signal, (ended) => fetchFrom(request, ended)), maxErrors, {
        ...errorRules,
        subgraph: request.subgraph,
      });
      if (masked.length > 0)
        logger.warn({ ...facts, errors: masked.slice(0, MAX_LOGGED_ERRORS) }, 'A subgraph returned errors that are hidden from clients.');
      return response;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const said = saidOnPurpose(error, { ...errorRules, subgraph: request.subgraph });
      if (said !== undefined) return said;
      logger.warn({ ...facts, err: error instanceof GatewayError ? (error.cause ?? error) : error }, 'A subgraph did not respond.');
      throw error instanceof GatewayError ? error : unavailable(error);
    }
  }

  function fetchFrom(request: SubgraphRequest, signal: AbortSignal): Promise<unknown> {
    const incomingRequestContext = incomingOf(request);
    const { context } = incomingRequestContext;
    // A data source that supports the signal can stop when it aborts.
    const processed = { kind: 'incoming operation', request: JSON.parse(request.body) as unknown, incomingRequestContext, context, signal };
    return dataSourceOf(request.subgraph).process(processed as DataSourceRequest);
  }

  return Object.assign(execute, { async [Symbol.asyncDispose]() {} });
}

/** Maximum number of messages of one response that are logged. */
const MAX_LOGGED_ERRORS = 10;

function toResponse(
  response: unknown,
  maxErrors: number,
  rules: ErrorRules,
): { readonly response: SubgraphResponse; readonly masked: readonly string[] } {
  if (!isRecord(response)) throw invalid('The data source did not return an object.');
  const { data, errors } = response;
  if (data !== undefined && data !== null && !isRecord(data)) throw invalid('`data` is not an object.');
  if (errors === undefined || errors === null || (Array.isArray(errors) && errors.length === 0)) {
    if (data === undefined || data === null) throw invalid('The response has neither `data` nor `errors`.');
    return { response: { data }, masked: [] };
  }
  const read = readErrors(errors, maxErrors, rules);
  if (read === undefined) throw invalid('`errors` is not a list of errors.');
  return { response: data === undefined ? { errors: read.errors } : { data, errors: read.errors }, masked: read.masked };
}

/**
 * Converts an error that a data source throws with a code, which is intended for clients, such as missing credentials.
 *
 * @throws GatewayError for a code of the gateway, so that the error is reported at the missing fields
 */
function saidOnPurpose(error: unknown, rules: ErrorRules): SubgraphResponse | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const read = readErrors([{ message: error.message, extensions: error.extensions }], 1, rules);
  const [said] = read?.errors ?? [];
  if (read === undefined || said === undefined) return undefined;
  if (said.subgraph !== undefined) return { errors: read.errors };
  if (read.masked.length > 0) return undefined;
  if (isErrorCode(said.code)) throw new GatewayError(said.code, said.message, { cause: error });
  return { errors: read.errors };
}

function invalid(reason: string): GatewayError {
  const cause = new Error(reason);
  return new GatewayError('SUBGRAPH_INVALID_RESPONSE', 'A service behind this gateway returned an invalid response.', { cause });
}

function unavailable(cause: unknown): GatewayError {
  return new GatewayError('SUBGRAPH_UNAVAILABLE', 'A service behind this gateway cannot be reached.', { cause });
}

/** Waits until the timeout or until the caller aborts. Work that ignores the signal continues, but its result is not awaited. */
async function withTimeout<T>(timeoutMs: number, caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const give = (reason: unknown): void => {
      settle();
      controller.abort(reason);
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const follow = (): void => give(caller.reason);
    const timer = setTimeout(() => {
      const cause = new Error(`No response within ${timeoutMs} ms.`);
      give(new GatewayError('SUBGRAPH_TIMEOUT', 'A service behind this gateway did not respond in time.', { cause }));
    }, timeoutMs);
    const settle = (): void => {
      clearTimeout(timer);
      caller.removeEventListener('abort', follow);
    };
    caller.addEventListener('abort', follow, { once: true });
    work(controller.signal).then(resolve, reject).finally(settle);
  });
}
