/** Error for a port that could not be opened. */
export class ListenFailure extends Error {
  /** Error code of Node.js: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, … */
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
  readonly hostSetting: string;
  readonly host: string;
  readonly port: number;
}

/** Creates an error with a message for the operator. */
export function describeListenFailure(cause: NodeJS.ErrnoException, target: ListenTarget): ListenFailure {
  const code = cause.code ?? 'UNKNOWN';
  return new ListenFailure(code, describe(code, target), cause);
}

function describe(code: string, { name, portSetting, hostSetting, host, port }: ListenTarget): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${name} cannot listen on ${host}:${port}: the port is in use by another process. Stop that process, or choose another port with ${portSetting}.`;
    case 'EACCES':
      return `${name} cannot listen on ${host}:${port}: this user is not allowed to open the port. Choose a port above 1023 with ${portSetting}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${name} cannot listen on ${host}:${port}: this machine does not have this address. Set ${hostSetting} to an address of this machine.`;
    default:
      return `${name} cannot listen on ${host}:${port} (${code}).`;
  }
}
