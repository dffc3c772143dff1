import type { SourceLocation } from 'graphql';
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
