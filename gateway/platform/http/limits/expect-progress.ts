import type { Socket } from 'node:net';

/**
 * Closes a connection whose client takes nothing of what waits to be written for `timeoutMs`. A slow client is not cut, and a client that
 * stops is cut within twice the time, whatever it sends. One connection may have several deadlines.
 *
 * @param onStall called before the connection is closed
 * @returns what removes the deadline; further calls do nothing
 */
export function expectProgress(socket: Socket, timeoutMs: number, onStall: (pendingBytes: number) => void): () => void {
  let before = progressOf(socket);
  let isOver = false;

  function end(): void {
    isOver = true;
    clearInterval(timer);
    socket.off('close', end);
  }

  function isStalled(): boolean {
    const now = progressOf(socket);
    const hasMoved = now.written !== before.written || now.queued !== before.queued;
    before = now;
    return !isOver && !hasMoved && socket.writableLength > 0;
  }

  function cut(): void {
    if (!isStalled()) return;
    end();
    onStall(socket.writableLength);
    socket.destroy();
  }

  // Not the timeout of the socket: it also starts again for each byte that the client sends.
  const timer = setInterval(() => {
    if (isStalled()) setImmediate(cut); // after a blocked event loop, timers run before waiting bytes are written
  }, timeoutMs).unref();
  socket.once('close', end); // a timer must not retain what waited for a client that is gone
  return end;
}

/** Counters of which one changes whenever the client takes bytes. */
interface Progress {
  /** Grows with each chunk that has been written. */
  readonly written: number;
  /** Rest of the chunk that is being written, which may be a whole response. @unit bytes */
  readonly queued: number | undefined;
}

/**
 * Handle below a socket. Its names are Node's own: no public counter changes within a chunk. The handle of TLS counts whole chunks; below it is
 * the handle of the TCP connection.
 */
interface Handle {
  readonly writeQueueSize?: number;
  readonly _parent?: Handle;
}

function progressOf(socket: Socket): Progress {
  const { bytesWritten, writableLength } = socket;
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
  return { written: bytesWritten - writableLength, queued: (handle?._parent ?? handle)?.writeQueueSize };
}
