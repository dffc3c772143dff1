/** Codes of the schema's `ErrorCode`. */
export type UserErrorCode =
  | 'BAD_USER_INPUT'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'VERSION_MISMATCH'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'WEBHOOK_URL_FORBIDDEN';

/** An entry of a payload's `errors`. */
export interface UserError {
  /** The input field at fault, dotted: `input.email`; empty where no single field is. */
  readonly field: string;
  readonly message: string;
  readonly code: UserErrorCode;
  /** Beside `VERSION_MISMATCH`: the version that was found. */
  readonly currentVersion?: number;
}

/** Thrown by the effect of a write: nothing is written, and the payload carries these errors. */
export class WriteRefused extends Error {
  readonly errors: readonly UserError[];

  constructor(errors: readonly UserError[]) {
    super(errors[0]?.message ?? 'The write was refused.');
    this.name = 'WriteRefused';
    this.errors = errors;
  }
}

/** Shorthand for one error: `throw writeRefused('CONFLICT', 'input.email', 'This address is taken.')`. */
export function writeRefused(code: UserErrorCode, field: string, message: string): WriteRefused {
  return new WriteRefused([{ field, message, code }]);
}

/** @throws WriteRefused with all of them, when there are any */
export function refuseIfAny(errors: readonly UserError[]): void {
  if (errors.length > 0) throw new WriteRefused(errors);
}

/** @throws WriteRefused `VERSION_MISMATCH` when the caller expected another version; an absent expectation fits all */
export function checkVersion(expected: number | null | undefined, actual: number): void {
  if (expected === undefined || expected === null || expected === actual) return;
  const message = `Version ${expected} was expected, but the current one is ${actual}.`;
  throw new WriteRefused([{ field: 'expectedVersion', message, code: 'VERSION_MISMATCH', currentVersion: actual }]);
}
