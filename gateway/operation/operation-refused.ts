import type { GraphQLError, SourceLocation } from 'graphql';
import { type ErrorCode, GatewayError } from '../platform/errors.ts';

/** An error in an operation, found before execution. */
export interface OperationFault {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  /** Estimated cost, when it exceeds the limit. @unit points */
  readonly cost?: { readonly estimated: number; readonly limit: number };
}

/** Thrown for an operation that is not executed: it does not parse, is invalid or not allowed, or has invalid variables. */
export class OperationRefused extends GatewayError {
  /** Errors of the operation; at least one. */
  readonly faults: readonly OperationFault[];

  constructor(code: ErrorCode, faults: readonly OperationFault[]) {
    super(code, faults[0]?.message ?? 'The operation was rejected.');
    this.name = 'OperationRefused';
    this.faults = faults;
  }
}

/** Maximum length of a message. Messages quote the invalid value, which may be as long as the request. @unit UTF-16 code units */
const LONGEST_MESSAGE = 400;

/** Converts an error of graphql-js to the error that the client receives. */
export function toFault({ message, locations }: Pick<GraphQLError, 'message' | 'locations'>): OperationFault {
  const text = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
  return locations === undefined ? { message: text } : { message: text, locations };
}
