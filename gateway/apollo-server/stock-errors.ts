import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { GatewayError, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { isRecord } from '../subgraph-client/read-response.ts';
import type { SubgraphError } from '../supergraph/subgraph-executor.ts';
import type { GatewayExecutor, IncomingResult } from './gateway-interface.ts';

/** Longest list of such errors. @unit errors */
const MOST_ERRORS = 100;

/**
 * Reports values of subgraphs that do not fit the schema. The stock gateway puts null in their place and mentions them in
 * `extensions.valueCompletion` only, so a client reads null and no error.
 */
export function withCompletionErrors(executor: GatewayExecutor): GatewayExecutor {
  return async (request) => toReported(await executor(request));
}

function toReported({ extensions, ...result }: IncomingResult): IncomingResult {
  const { valueCompletion, ...others } = extensions ?? {};
  const kept = Object.keys(others).length === 0 ? result : { ...result, extensions: others };
  // Where there are errors, what is null follows from them.
  if (!Array.isArray(valueCompletion) || (result.errors?.length ?? 0) > 0) return kept;
  return { ...kept, errors: valueCompletion.slice(0, MOST_ERRORS).map(toError) };
}

function toError(completion: unknown): GraphQLError {
  const path = isRecord(completion) && Array.isArray(completion['path']) ? { path: completion['path'] as (string | number)[] } : {};
  return new GraphQLError('A service behind this gateway gave a value that does not fit its field.', {
    ...path,
    extensions: { code: 'SUBGRAPH_INVALID_RESPONSE' },
  });
}

/** The part of a subgraph's error that clients may read. */
type Readable = Pick<SubgraphError, 'message' | 'code' | 'subgraph'>;

const INTERNAL = 'INTERNAL_SERVER_ERROR';

/**
 * Extension under which a readable error crosses the stock gateway. That gateway adds the name of the subgraph, and writes messages of its
 * own where there are none. Our client passes no extension of a subgraph on, so no subgraph can set it.
 */
const READABLE = 'gatefoldReadable';

/** An error of our client as the stock gateway takes it. */
export function toCrossingError({ message, path, code, subgraph }: SubgraphError) {
  const readable: Readable = { message, code, ...(subgraph === undefined ? {} : { subgraph }) };
  return { message, ...(path === undefined ? {} : { path }), extensions: { code, [READABLE]: readable } };
}

/** Error of the subgraph client, which has logged the cause. */
export function toFailure(error: unknown): SubgraphError {
  if (error instanceof GatewayError) return { message: error.message, code: error.code };
  return { message: INTERNAL_ERROR_MESSAGE, code: INTERNAL };
}

/**
 * The error that clients get: a readable one of a subgraph, or one of Apollo Server with a code of our catalogue. Any other becomes
 * `INTERNAL_SERVER_ERROR` with a constant text, and is logged.
 */
export function toClientError(error: GraphQLFormattedError, logger: Logger): GraphQLFormattedError {
  const { path, locations } = error;
  const { message, ...extensions } = readableIn(error) ?? catalogued(error, logger);
  return { message, ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }), extensions };
}

function readableIn({ extensions }: GraphQLFormattedError): Readable | undefined {
  const readable = extensions?.[READABLE];
  if (!isRecord(readable)) return undefined;
  const { message, code, subgraph } = readable;
  if (typeof message !== 'string' || typeof code !== 'string') return undefined;
  return { message, code, ...(typeof subgraph === 'string' ? { subgraph } : {}) };
}

function catalogued(error: GraphQLFormattedError, logger: Logger): Readable {
  const { code, validationErrorCode } = error.extensions ?? {};
  if (validationErrorCode === 'INTROSPECTION_DISABLED') return { message: 'Introspection is switched off.', code: validationErrorCode };
  // The stock gateway says so where a request names an operation that its document has not, or none of several.
  if (code === 'INVALID_GRAPHQL') return { message: error.message, code: 'OPERATION_RESOLUTION_FAILURE' };
  if (isErrorCode(code) && code !== INTERNAL) return { message: error.message, code };
  logger.error({ err: error }, 'An operation failed in the engine of Apollo.');
  return { message: INTERNAL_ERROR_MESSAGE, code: INTERNAL };
}
