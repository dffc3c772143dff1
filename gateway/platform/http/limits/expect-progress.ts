import type { Socket } from 'node:net';

/**
 * Closes a connection whose client reads none of the pending data for `timeoutMs`. A slow client is not disconnected. A client that stops
 * reading is disconnected within twice the time, regardless of what it sends. One connection may have several deadlines.
 *
 * @param onStall called before the connection is closed
 * @returns function that removes the deadline; further calls have no effect
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

  // The timeout of the socket is not used, because each byte from the client restarts it.
  const timer = setInterval(() => {
    if (isStalled()) setImmediate(cut); // After a blocked event loop, timers run before pending bytes are written.
  }, timeoutMs).unref();
  socket.once('close', end); // The timer must not retain the data of a closed connection.
  return end;
}

/** Counters, at least one of which changes whenever the client reads bytes. */
interface Progress {
  /** Number of bytes written. It increases with each completed chunk. */
  readonly written: number;
  /** Rest of the chunk that is being written, which may be a complete response. @unit bytes */
  readonly queued: number | undefined;
}

/**
 * Handle of a socket. These are internal names of Node.js, because no public counter changes within a chunk. The TLS handle counts complete
 * chunks; its parent is the handle of the TCP connection.
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
