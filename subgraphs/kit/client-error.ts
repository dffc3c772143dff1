import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../gateway/platform/errors.ts';

/** Creates an error whose message and code are intended for clients. Resolvers throw it for their field. */
export function clientError(code: ErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
