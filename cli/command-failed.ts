/** A command that ends without doing its work, for a reason the person at the keyboard can act on. Printed as it stands. */
export class CommandFailed extends Error {
  /** 1: the world is not as it should be; 2: the command was told something wrong. */
  readonly exitCode: 1 | 2;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: 1 | 2 } = {}) {
    super(message, options);
    this.name = 'CommandFailed';
    this.exitCode = options.exitCode ?? 1;
  }
}
