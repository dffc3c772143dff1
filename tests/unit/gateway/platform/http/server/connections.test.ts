import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { FOREVER_MS, openTestListener } from '../../../../../support/http/test-listener.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

function dial(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { socket, closed: once(socket, 'close').then(() => text) };
}

describe('a listener that is drained', () => {
  it('serves pipelined requests in order and closes with the last response', async () => {
    const waiting: ServerResponse[] = [];
    const listener = await openTestListener((_request, response) => void waiting.push(response));
    const { socket, closed } = dial(listener.url);
    socket.write(GET.repeat(3));
    while (waiting.length === 0) await new Promise(setImmediate);
    const drained = listener.drain(FOREVER_MS);
    for (let index = 0; index < 3; index += 1) {
      while (waiting.length <= index) await new Promise(setImmediate);
      expect(waiting).toHaveLength(index + 1);
      waiting[index]?.end(`answer ${index}`);
    }
    const text = await closed;
    expect([...text.matchAll(/answer \d/g)].map(([response]) => response)).toEqual(['answer 0', 'answer 1', 'answer 2']);
    expect([...text.matchAll(/Connection: ([\w-]+)/gi)].map(([, value]) => value)).toEqual(['keep-alive', 'keep-alive', 'close']);
    await drained;
  });

  it('does not wait for a connection whose client has disconnected', async () => {
    const waiting: ServerResponse[] = [];
    const listener = await openTestListener((_request, response) => void waiting.push(response));
    const { socket, closed } = dial(listener.url);
    socket.write(GET);
    while (waiting.length === 0) await new Promise(setImmediate);
    const gone = waiting.map((response) => once(response, 'close'));
    socket.destroy();
    await Promise.all([closed, ...gone]);
    await listener.drain(FOREVER_MS);
  });

  it('closes idle connections before those with a pending response', async () => {
    const waiting: ServerResponse[] = [];
    const listener = await openTestListener((_request, response) => {
      if (waiting.length === 0) waiting.push(response);
      else response.end('quick');
    });
    const slow = dial(listener.url);
    slow.socket.write(GET);
    while (waiting.length === 0) await new Promise(setImmediate);
    const quick = dial(listener.url);
    quick.socket.write(GET);
    await once(quick.socket, 'data');
    const drained = listener.drain(FOREVER_MS);
    for (const response of waiting) response.end('slow');
    expect(await slow.closed).toContain('slow');
    await quick.closed;
    await drained;
  });
});
