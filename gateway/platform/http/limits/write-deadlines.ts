import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../request/client-address.ts';
import type { EdgeEvents } from './edge-events.ts';
import { expectProgress } from './expect-progress.ts';

/** A connection, and the response that is being written to it. */
export interface Writing {
  readonly socket: Socket;
  readonly response: ServerResponse;
}

/** Deadlines of responses, such as those of one listener. */
export interface WriteDeadlines {
  /** Looks at one connection; to be called for all of them once in `intervalMs`, or once more when a response is closed. */
  look(connection: Writing): void;
  /** @unit milliseconds */
  readonly intervalMs: number;
}

/** At most this long after bytes began to wait, their deadline begins to run. @unit milliseconds */
const LOOK_INTERVAL_MS = 1_000;

/**
 * Looks at connections now and then in place of setting a timer for each response: almost all responses are taken by the kernel at once,
 * and whoever writes them, a mounted handler too, is covered.
 */
export function createWriteDeadlines(timeoutMs: number, report: Pick<EdgeEvents, 'writeStalled'>): WriteDeadlines {
  const running = new WeakMap<Socket, () => void>();

  function begin(socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? '');
    const cancel = expectProgress(socket, timeoutMs, (bytes) => report.writeStalled({ address, bytes }));
    running.set(socket, cancel);
  }

  return {
    intervalMs: Math.max(1, Math.min(LOOK_INTERVAL_MS, Math.floor(timeoutMs / 2))),
    look({ socket, response }) {
      const cancel = running.get(socket);
      const isWaiting = !response.writableFinished && socket.writableLength > 0 && !socket.destroyed;
      if (isWaiting === (cancel !== undefined)) return;
      if (cancel === undefined) return begin(socket);
      cancel();
      running.delete(socket);
    },
  };
}
