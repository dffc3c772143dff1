import type { Socket } from 'node:net';

/** A complete HTTP/1.1 message. */
export interface HttpMessage {
  /** Start line. */
  readonly start: string;
  readonly body: Buffer;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * Reads the messages of a connection that has one message in flight. It costs a few microseconds per message, so that a load generator uses
 * little of the CPU that a benchmark measures. A message must have the header `Content-Length`, except for a GET request.
 */
export function readMessages(socket: Socket, onMessage: (message: HttpMessage) => void): void {
  let received: Buffer | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf(HEAD_END);
    if (end === -1) return;
    const head = received.toString('latin1', 0, end);
    const length = LENGTH.exec(head)?.[1] ?? (head.startsWith('GET ') ? '0' : undefined);
    if (length === undefined) {
      socket.destroy(new Error(`A message without Content-Length: ${head.slice(0, 200)}`));
      return;
    }
    const bodyStart = end + HEAD_END.length;
    const bodyEnd = bodyStart + Number(length);
    if (received.length < bodyEnd) return;
    const body = received.subarray(bodyStart, bodyEnd);
    received = undefined;
    onMessage({ start: head.slice(0, head.indexOf('\r\n')), body });
  });
}
