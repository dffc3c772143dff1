import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { sendRaw, statusesOf } from '../../support/http/raw-http.ts';
import { openRawWebSocket } from '../../support/websocket/raw-websocket.ts';

describe('point 19: responses about the server', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway();
  });
  afterAll(async () => library[Symbol.asyncDispose]());

  it.each(['*', '/', '/studio'])('OPTIONS %s returns 204 with Allow', async (target) => {
    const response = await sendRaw(library.url, `OPTIONS ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(statusesOf(response)).toEqual([204]);
    expect(response).toMatch(/^allow: .*OPTIONS\r$/im);
  });

  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['too many header bytes', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['CONNECT', 'CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n'],
  ])('an error response to %s has a Date', async (_title, bytes) => {
    const [, date = ''] = /^date: (.*)\r$/im.exec(await sendRaw(library.url, bytes)) ?? [];
    expect(new Date(date).toUTCString()).toBe(date);
  });

  it('a pong carries the payload of its ping', async () => {
    await using socket = await openRawWebSocket(library.url);
    for (const payload of [{ a: 1 }, {}, { nested: { list: [1, null, 'x'] } }]) {
      socket.send({ type: 'ping', payload });
      expect(await socket.next()).toEqual({ type: 'pong', payload });
    }
    socket.send({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong' });
  });
});
