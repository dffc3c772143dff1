import type { GraphQLError } from 'graphql';
import type { OperationFault } from './errors.ts';

/** What a client gets to see of an error of graphql-js. */
export function toFault({ message, locations }: GraphQLError): OperationFault {
  return locations === undefined ? { message } : { message, locations };
}
