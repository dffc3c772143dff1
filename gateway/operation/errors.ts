import type { GraphQLError, SourceLocation } from 'graphql';
import { type ErrorCode, GatewayError } from '../platform/errors.ts';

/** One thing that is wrong with an operation, before any of it ran. */
export interface OperationFault {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  /** What it would have cost, where that is the fault. @unit points */
  readonly cost?: { readonly estimated: number; readonly limit: number };
}

/** An operation that is not executed: not parsed, not valid, not allowed, or with variables that do not fit. */
export class OperationRefused extends GatewayError {
  /** At least one. */
  readonly faults: readonly OperationFault[];

  constructor(code: ErrorCode, faults: readonly OperationFault[]) {
    super(code, faults[0]?.message ?? 'The operation was refused.');
    this.name = 'OperationRefused';
    this.faults = faults;
  }
}

/** Messages quote what is at fault, which may be as long as the request. @unit UTF-16 code units */
const LONGEST_MESSAGE = 400;

/** What a client gets to see of an error of graphql-js. */
export function toFault({ message, locations }: Pick<GraphQLError, 'message' | 'locations'>): OperationFault {
  const text = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
  return locations === undefined ? { message: text } : { message: text, locations };
}
