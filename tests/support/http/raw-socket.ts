import { connect } from 'node:net';

export interface RawResponse {
  /** Status of each response on the connection, in order. */
  readonly statuses: readonly number[];
  /** Everything that was received, as latin1. */
  readonly text: string;
}

/**
 * Writes raw bytes to a socket and collects the received bytes until the server closes, or is silent for a while.
 *
 * @param quietMs silence after which the response counts as complete. A correct server closes long before
 */
export function sendRaw(origin: string, bytes: string | Buffer, quietMs = 1_500): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => socket.destroy()); // The server may reset the connection after its response.
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({ text, statuses: [...text.matchAll(/(?:^|\n|\})HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status)) });
    });
  });
}
