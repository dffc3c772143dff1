/** Values of `ErrorCode` in the schema. */
export type UserErrorCode =
  | 'BAD_USER_INPUT'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'VERSION_MISMATCH'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'WEBHOOK_URL_FORBIDDEN';

/** An entry of `errors` in a payload. */
export interface UserError {
  /** Path of the invalid input field, such as `input.email`; empty when the error does not concern a single field. */
  readonly field: string;
  readonly message: string;
  readonly code: UserErrorCode;
  /** Current version; present with `VERSION_MISMATCH`. */
  readonly currentVersion?: number;
}

/** Thrown by the effect of a write to change nothing. The payload contains these errors. */
export class WriteRejected extends Error {
  readonly errors: readonly UserError[];

  constructor(errors: readonly UserError[]) {
    super(errors[0]?.message ?? 'The write was rejected.');
    this.name = 'WriteRejected';
    this.errors = errors;
  }
}

/** Makes an error with one entry: `throw writeRejected('CONFLICT', 'input.email', 'This address is taken.')`. */
export function writeRejected(code: UserErrorCode, field: string, message: string): WriteRejected {
  return new WriteRejected([{ field, message, code }]);
}

/** @throws WriteRejected with all errors, when there are any */
export function refuseIfAny(errors: readonly UserError[]): void {
  if (errors.length > 0) throw new WriteRejected(errors);
}

/** @throws WriteRejected `VERSION_MISMATCH` when the caller expects another version; without an expectation it accepts any */
export function checkVersion(expected: number | null | undefined, actual: number): void {
  if (expected === undefined || expected === null || expected === actual) return;
  const message = `The expected version is ${expected}, but the current version is ${actual}.`;
  throw new WriteRejected([{ field: 'expectedVersion', message, code: 'VERSION_MISMATCH', currentVersion: actual }]);
}
