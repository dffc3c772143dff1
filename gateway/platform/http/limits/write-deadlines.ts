import type { OutgoingResponse } from '../response/outgoing-response.ts';
import type { Socket } from 'node:net';
import { networkOf } from '../request/client-address.ts';
import type { EdgeEvents } from './edge-events.ts';
import { expectProgress } from './expect-progress.ts';

/** Connection, and the response that is being written to it. */
export interface Writing {
  readonly socket: Socket;
  readonly response: OutgoingResponse;
}

/** Write deadlines of responses, such as those of one listener. */
export interface WriteDeadlines {
  /** Checks one connection. Call it for every connection once per `intervalMs`, and when a response is closed. */
  look(connection: Writing): void;
  /** Interval between two checks. @unit milliseconds */
  readonly intervalMs: number;
}

/** Maximum time after which the deadline of pending bytes starts. @unit milliseconds */
const LOOK_INTERVAL_MS = 1_000;

/**
 * Creates write deadlines. Connections are checked periodically instead of with a timer for each response, because the kernel accepts
 * almost all responses immediately. This also covers the responses of mounted handlers.
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
