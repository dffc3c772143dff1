/** Thrown by a command that cannot complete, for a reason that the operator can resolve. The message is printed as is. */
export class CommandFailed extends Error {
  /** 1: the command failed; 2: it was called or configured incorrectly. */
  readonly exitCode: 1 | 2;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: 1 | 2 } = {}) {
    super(message, options);
    this.name = 'CommandFailed';
    this.exitCode = options.exitCode ?? 1;
  }
}
