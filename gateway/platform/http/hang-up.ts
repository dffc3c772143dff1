import type { Duplex } from 'node:stream';

/** Time for which a connection may stay half open. @unit milliseconds */
const LINGER_MS = 1_000;

/**
 * Ends a connection. What was written before goes out first; then the client gets a moment to read and to hang up itself. A client that never
 * closes its side must not keep the connection open.
 */
export function hangUp(socket: Duplex, lastWords = ''): void {
  socket.on('error', () => socket.destroy()).end(lastWords);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}
