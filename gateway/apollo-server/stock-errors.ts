import type { GraphQLFormattedError } from 'graphql';
import { GatewayError, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { isRecord } from '../subgraph-client/read-errors.ts';
import type { SubgraphError } from '../supergraph/subgraph-executor.ts';

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
