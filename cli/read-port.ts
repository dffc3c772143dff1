import { InvalidArgumentError } from 'commander';

/** Reads the port of a command line option. @throws InvalidArgumentError when the text is not a port */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('Use a port from 0 to 65535. 0 selects a free port.');
}
