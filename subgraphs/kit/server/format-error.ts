import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { INTERNAL_ERROR_MESSAGE } from '../../../gateway/platform/errors.ts';
import { classifyDatabaseFailure } from '../database/database-failure.ts';

/** Whether message and code of an error are intended for clients: errors of the subgraph, of GraphQL, and of Apollo Server. */
export function isWrittenForClients(error: unknown): error is GraphQLError {
  return (
    error instanceof GraphQLError && typeof error.extensions['code'] === 'string' && error.extensions['code'] !== 'INTERNAL_SERVER_ERROR'
  );
}

/** Formats an error for the response. Errors for clients are unchanged; all others get a constant message. */
export function formatError({ locations, path }: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const position = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) };
  if (isWrittenForClients(error)) return { message: error.message, ...position, extensions: { code: error.extensions['code'] } };
  const [code, message] = responseTo(error instanceof GraphQLError ? error.originalError : error);
  return { message, ...position, extensions: { code } };
}

function responseTo(cause: unknown): readonly [code: string, message: string] {
  const failure = classifyDatabaseFailure(cause);
  if (failure === 'unavailable') return ['SUBGRAPH_UNAVAILABLE', 'The service is not available at the moment. Try again shortly.'];
  if (failure === 'too-slow') return ['SUBGRAPH_TIMEOUT', 'The service did not respond in time.'];
  if (failure === 'bad-value') return ['BAD_USER_INPUT', 'One of the values is not valid for its field.'];
  return ['INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE];
}
