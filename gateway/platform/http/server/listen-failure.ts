/** A port that could not be opened. */
export class ListenFailure extends Error {
  /** Node's code: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, … */
  readonly code: string;

  constructor(code: string, message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ListenFailure';
    this.code = code;
  }
}

export interface ListenTarget {
  readonly name: string;
  readonly portSetting: string;
  readonly host: string;
  readonly port: number;
}

/** What went wrong, in words for whoever starts the process. */
export function describeListenFailure(cause: NodeJS.ErrnoException, target: ListenTarget): ListenFailure {
  const code = cause.code ?? 'UNKNOWN';
  return new ListenFailure(code, describe(code, target), cause);
}

function describe(code: string, { name, portSetting, host, port }: ListenTarget): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${name} cannot listen on ${host}:${port}: the port is taken by another process. Stop that one, or choose another port with ${portSetting}.`;
    case 'EACCES':
      return `${name} cannot listen on ${host}:${port}: this user may not open the port. Choose one above 1023 with ${portSetting}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${name} cannot listen on ${host}:${port}: this machine has no such address.`;
    default:
      return `${name} cannot listen on ${host}:${port} (${code}).`;
  }
}
