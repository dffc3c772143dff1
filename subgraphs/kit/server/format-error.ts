import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { INTERNAL_ERROR_MESSAGE } from '../../../gateway/platform/errors.ts';
import { classifyDatabaseFailure } from '../database/database-failure.ts';

/** Whether message and code of an error were written for clients: ours, GraphQL's own, Apollo Server's own. */
export function isWrittenForClients(error: unknown): error is GraphQLError {
  return (
    error instanceof GraphQLError && typeof error.extensions['code'] === 'string' && error.extensions['code'] !== 'INTERNAL_SERVER_ERROR'
  );
}

/** What of an error leaves the subgraph: what was written for clients as it stands, all else without a word of its own. */
export function formatError({ locations, path }: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const place = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) };
  if (isWrittenForClients(error)) return { message: error.message, ...place, extensions: { code: error.extensions['code'] } };
  const [code, message] = answerTo(error instanceof GraphQLError ? error.originalError : error);
  return { message, ...place, extensions: { code } };
}

function answerTo(cause: unknown): readonly [code: string, message: string] {
  const failure = classifyDatabaseFailure(cause);
  if (failure === 'unavailable') return ['SUBGRAPH_UNAVAILABLE', 'The service is not available at the moment. Try again shortly.'];
  if (failure === 'too-slow') return ['SUBGRAPH_TIMEOUT', 'The service took too long to answer.'];
  if (failure === 'bad-value') return ['BAD_USER_INPUT', 'One of the values does not fit where it is used.'];
  return ['INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE];
}
