import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { GatewayError, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { isRecord } from '../subgraph-client/read-response.ts';
import type { SubgraphError } from '../supergraph/subgraph-executor.ts';
import type { GatewayExecutor, IncomingResult } from './gateway-interface.ts';

/** Maximum number of such errors. @unit errors */
const MOST_ERRORS = 100;

/**
 * Reports values of subgraphs that do not match the schema. The original gateway replaces them with null and lists them only in
 * `extensions.valueCompletion`, so a client would get null without an error.
 */
export function withCompletionErrors(executor: GatewayExecutor): GatewayExecutor {
  return async (request) => toReported(await executor(request));
}

function toReported({ extensions, ...result }: IncomingResult): IncomingResult {
  const { valueCompletion, ...others } = extensions ?? {};
  const stored = Object.keys(others).length === 0 ? result : { ...result, extensions: others };
  // When there are errors, they are the cause of the null values.
  if (!Array.isArray(valueCompletion) || (result.errors?.length ?? 0) > 0) return stored;
  return { ...stored, errors: valueCompletion.slice(0, MOST_ERRORS).map(toError) };
}

function toError(completion: unknown): GraphQLError {
  const path = isRecord(completion) && Array.isArray(completion['path']) ? { path: completion['path'] as (string | number)[] } : {};
  return new GraphQLError('A service behind this gateway returned a value that does not match the type of its field.', {
    ...path,
    extensions: { code: 'SUBGRAPH_INVALID_RESPONSE' },
  });
}

/** Members of a subgraph error that clients may read. */
type Readable = Pick<SubgraphError, 'message' | 'code' | 'subgraph'>;

const INTERNAL = 'INTERNAL_SERVER_ERROR';

/**
 * Extension in which an error for clients passes through the original gateway. That gateway adds the subgraph name, and replaces missing
 * messages. The subgraph client passes no extensions on, so a subgraph cannot set it.
 */
const READABLE = 'gatefoldReadable';

/** Converts an error of the subgraph client for the original gateway. */
export function toCrossingError({ message, path, code, subgraph }: SubgraphError) {
  const readable: Readable = { message, code, ...(subgraph === undefined ? {} : { subgraph }) };
  return { message, ...(path === undefined ? {} : { path }), extensions: { code, [READABLE]: readable } };
}

/** Converts an error of the subgraph client, which has already logged the cause. */
export function toFailure(error: unknown): SubgraphError {
  if (error instanceof GatewayError) return { message: error.message, code: error.code };
  return { message: INTERNAL_ERROR_MESSAGE, code: INTERNAL };
}

/**
 * Makes the error for clients: one that clients may read, or one of Apollo Server with a code of the gateway. Any other error becomes
 * `INTERNAL_SERVER_ERROR` with a constant message, and is logged.
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
  if (validationErrorCode === 'INTROSPECTION_DISABLED')
    return { message: 'Introspection is disabled on this gateway.', code: validationErrorCode };
  // The original gateway uses this code when a request names an operation that its document does not contain, or none of several.
  if (code === 'INVALID_GRAPHQL') return { message: error.message, code: 'OPERATION_RESOLUTION_FAILURE' };
  if (isErrorCode(code) && code !== INTERNAL) return { message: error.message, code };
  logger.error({ err: error }, 'An operation failed in the Apollo engine.');
  return { message: INTERNAL_ERROR_MESSAGE, code: INTERNAL };
}
