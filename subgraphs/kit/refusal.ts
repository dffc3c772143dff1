import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../gateway/platform/errors.ts';

/** An error whose message and code are written for clients, at the field that throws it. */
export function refusal(code: ErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
