import type { GraphQLError } from 'graphql';
import type { OperationFault } from './errors.ts';

/** Messages quote what is at fault, which may be as long as the request. @unit UTF-16 code units */
const LONGEST_MESSAGE = 400;

/** What a client gets to see of an error of graphql-js. */
export function toFault({ message, locations }: Pick<GraphQLError, 'message' | 'locations'>): OperationFault {
  const text = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
  return locations === undefined ? { message: text } : { message: text, locations };
}
