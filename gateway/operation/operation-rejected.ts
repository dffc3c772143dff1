import type { GraphQLError, SourceLocation } from 'graphql';
import { type ErrorCode, GatewayError, type GatewayErrorOptions } from '../platform/errors.ts';

/** An error in an operation, found before execution. */
export interface RequestError {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  /** Estimated cost, when it exceeds the limit. @unit points */
  readonly cost?: { readonly estimated: number; readonly limit: number };
}

/** Thrown for an operation that is not executed: it does not parse, is invalid or not allowed, or has invalid variables. */
export class OperationRejected extends GatewayError {
  /** Errors of the operation; at least one. */
  readonly errors: readonly RequestError[];

  constructor(code: ErrorCode, errors: readonly RequestError[], options: Pick<GatewayErrorOptions, 'setting'> = {}) {
    super(code, errors[0]?.message ?? 'The operation was rejected.', options);
    this.name = 'OperationRejected';
    this.errors = errors;
  }
}

/** Maximum length of a message. Messages quote the invalid value, which may be as long as the request. @unit UTF-16 code units */
const LONGEST_MESSAGE = 400;

/** Converts an error of graphql-js to the error that the client receives. */
export function toRequestError({ message, locations }: Pick<GraphQLError, 'message' | 'locations'>): RequestError {
  const text = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
  return locations === undefined ? { message: text } : { message: text, locations };
}
