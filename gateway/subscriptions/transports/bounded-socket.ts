import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { MessageEdge } from '../../platform/http/limits/edge-limits.ts';
import { expectProgress } from '../../platform/http/limits/expect-progress.ts';
import { bytesWhileWaiting, encodeLong } from '../../platform/http/limits/waiting-body.ts';
import { toReason } from '../socket-closure.ts';
import { WATERMARK_BYTES } from '../live-operations.ts';
import type { SessionSocket } from '../session-messages.ts';

export interface BoundedSocketOptions {
  readonly webSocket: WebSocket;
  /** TCP connection of the WebSocket. */
  readonly connection: Socket;
  /** Limits of the listener. @defaultValue no limit */
  readonly edge: MessageEdge | undefined;
  /** Time for which the client may read nothing while messages are waiting. @unit milliseconds */
  readonly stallTimeoutMs: number;
  /** Called before the connection is closed because the client has read nothing for that time. */
  readonly onStall: () => void;
}

const AS_TEXT = { binary: false } as const;

/**
 * A WebSocket whose unread messages count toward the limits of its listener. While more bytes are buffered than the watermark, the gateway
 * does not read from the client. The TCP window then stops the client, and it must make progress with reading. It is a class to save
 * memory, because there are ten thousand of them.
 */
export class BoundedSocket implements SessionSocket {
  isDelayed = false;
  readonly #options: BoundedSocketOptions;
  #endDeadline: (() => void) | undefined;

  constructor(options: BoundedSocketOptions) {
    this.#options = options;
  }

  get bufferedAmount(): number {
    return this.#options.webSocket.bufferedAmount;
  }

  send(text: string, sent?: () => void): boolean {
    const { webSocket, edge } = this.#options;
    const bytes = bytesWhileWaiting(text);
    if (edge !== undefined && !edge.pending.admit(bytes)) return false;
    webSocket.send(encodeLong(text), AS_TEXT, () => {
      edge?.pending.giveBack(bytes);
      if (this.isDelayed) this.#readOn();
      sent?.();
    });
    if (!this.isDelayed && webSocket.bufferedAmount >= WATERMARK_BYTES) this.#holdBack();
    return true;
  }

  ping(): void {
    this.#options.webSocket.ping();
  }

  close(code: number, reason: string): void {
    this.#options.webSocket.close(code, toReason(reason));
  }

  terminate(): void {
    this.#options.webSocket.terminate();
  }

  /** Handles the close of the socket, by either side. */
  clientDisconnected(): void {
    this.#endDeadline?.();
    this.#options.edge?.pending.close();
  }

  #holdBack(): void {
    const { webSocket, connection, edge, stallTimeoutMs, onStall } = this.#options;
    this.isDelayed = true;
    webSocket.pause();
    const timeoutMs = Math.min(stallTimeoutMs, edge?.writeTimeoutMs ?? stallTimeoutMs);
    this.#endDeadline = expectProgress(connection, timeoutMs, (bytes) => {
      edge?.stalled(bytes);
      onStall();
    });
  }

  #readOn(): void {
    const { webSocket } = this.#options;
    if (webSocket.bufferedAmount >= WATERMARK_BYTES) return;
    this.isDelayed = false;
    this.#endDeadline?.();
    webSocket.resume();
  }
}
