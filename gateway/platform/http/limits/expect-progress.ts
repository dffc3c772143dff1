import type { Socket } from 'node:net';

/**
 * Closes a connection whose client takes nothing of what waits to be written for `timeoutMs`. Node starts a socket's timer again whenever
 * bytes have gone out since it last looked, so that a slow client is not cut, and a client that stops is cut within twice the time.
 *
 * @param onStall called before the connection is closed
 * @returns what removes the deadline; further calls do nothing
 */
export function expectProgress(socket: Socket, timeoutMs: number, onStall: (pendingBytes: number) => void): () => void {
  const pendingBytes = socket.writableLength;
  const expire = (): void => {
    if (socket.writableLength === 0) return;
    onStall(pendingBytes);
    socket.destroy();
  };
  socket.setTimeout(timeoutMs);
  // Before the listener of the HTTP server, which closes the connection as well and tells nobody why.
  socket.prependOnceListener('timeout', expire);
  return () => socket.off('timeout', expire);
}
