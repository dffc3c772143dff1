import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';
import { sendRaw, statusesOf } from '../../support/http/raw-http.ts';
import { FOREVER_MS, openTestListener } from '../../support/http/test-listener.ts';

const OFFER = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';

describe('point 18: offers of other protocols', () => {
  it.each([
    ['with WebSockets', true],
    ['without WebSockets', false],
  ])('get the response of a pipelined h2c request in order, %s', async (_title, enabled) => {
    await using library = await startLibraryGateway({ config: { subscriptions: { websocket: { enabled } } } });
    const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n${headers}\r\n`;
    const responses = sendRaw(
      library.url,
      get('/graphql?query={heldBook{id}}') + get('/health/live', OFFER) + get('/health', OFFER) + get('/health', 'Connection: close\r\n'),
    );
    await library.subgraph.held;
    library.subgraph.release();
    const text = await responses;
    expect(statusesOf(text)).toEqual([200, 200, 200, 200]);
    expect(text.indexOf('heldBook')).toBeLessThan(text.indexOf('"checks":{}'));
  });

  it('leave no listener on the connection', async () => {
    const counts: number[] = [];
    const sockets: Socket[] = [];
    const listener = await openTestListener(({ socket }, response) => {
      sockets.push(socket);
      counts.push(socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0));
      response.end();
    });
    const offer = `GET / HTTP/1.1\r\nHost: a\r\n${OFFER}\r\n`;
    await sendRaw(listener.url, `${offer.repeat(30)}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(counts).toHaveLength(31);
    expect(new Set(sockets).size).toBe(1);
    expect(counts.at(-1)).toBe(counts[3]);
    await listener.drain(FOREVER_MS);
  });

  it('open a WebSocket after the previous response', async () => {
    await using library = await startLibraryGateway();
    const { connect } = await import('node:net');
    const socket = connect(Number(new URL(library.url).port), '127.0.0.1');
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n';
    socket.write(
      `GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /graphql HTTP/1.1\r\nHost: a\r\n${upgrade}Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
    );
    let text = '';
    while (!text.includes(' 101 ')) text += String(((await once(socket, 'data')) as [Buffer])[0]);
    expect(statusesOf(text)).toEqual([200, 101]);
    socket.destroy();
  });
});
