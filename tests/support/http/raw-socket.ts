import { connect } from 'node:net';

export interface RawAnswer {
  /** Status of each answer on the connection, in order. */
  readonly statuses: readonly number[];
  /** Everything that came, as latin1. */
  readonly text: string;
}

/**
 * Writes bytes to a socket as they stand and collects what comes until the server closes, or says nothing more for a while.
 *
 * @param quietMs how long nothing must come before it counts as all; a good server closes long before
 */
export function sendRaw(origin: string, bytes: string | Buffer, quietMs = 1_500): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => socket.destroy()); // a reset after the answer is the server's good right
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({ text, statuses: [...text.matchAll(/(?:^|\n|\})HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status)) });
    });
  });
}
