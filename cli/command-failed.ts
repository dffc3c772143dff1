/** One reason of a failure, with its location. */
export interface FailureProblem {
  readonly message: string;
  /** Code of the rule that is violated, if it has one. */
  readonly code?: string;
  /** Locations in files. Lines and columns start at 1. */
  readonly locations?: readonly { readonly file: string; readonly line: number; readonly column: number }[];
  /** How to resolve the problem. */
  readonly hint?: string;
}

/** Kind of a failure. The codes are part of the JSON output, so they are stable. */
export type FailureCode = 'COMMAND_FAILED' | 'COMPOSITION_FAILED' | 'OPERATION_INVALID';

interface FailureOptions extends ErrorOptions {
  /** @defaultValue 1 */
  readonly exitCode?: 1 | 2;
  /** @defaultValue `COMMAND_FAILED` */
  readonly code?: FailureCode;
  /** Reasons, which the message contains too. @defaultValue [] */
  readonly problems?: readonly FailureProblem[];
}

/** Thrown by a command that cannot complete, for a reason that the operator can resolve. The message is printed as is. */
export class CommandFailed extends Error {
  /** 1: the command failed; 2: it was called or configured incorrectly. */
  readonly exitCode: 1 | 2;
  readonly code: FailureCode;
  readonly problems: readonly FailureProblem[];

  constructor(message: string, { exitCode = 1, code = 'COMMAND_FAILED', problems = [], ...options }: FailureOptions = {}) {
    super(message, options);
    this.name = 'CommandFailed';
    this.exitCode = exitCode;
    this.code = code;
    this.problems = problems;
  }
}
