import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request as openRequest } from 'node:http';
import { connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { sendRaw } from '../../../../../support/http/raw-http.ts';
import { FOREVER_MS, openTestListener } from '../../../../../support/http/test-listener.ts';

async function query(url: string, agent: Agent): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  await response.toArray();
  return response;
}

describe('openHttpListener', () => {
  it('passes a field after thousands of others to the handler', async () => {
    const listener = await openTestListener((request, response) => void response.end(request.headers['if-match']));
    const fields = 'a:b\r\n'.repeat(2_001);
    const response = await sendRaw(listener.url, `GET / HTTP/1.1\r\nHost: a\r\n${fields}If-Match: "7"\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/\r\n\r\n"7"$/);
    await listener.drain(FOREVER_MS);
  });

  it.each<[string, (request: IncomingMessage) => Promise<unknown>]>([
    ['chunk by chunk', (request) => request.toArray()],
    [
      'in flowing mode',
      (request) =>
        once(
          request.on('data', () => undefined),
          'end',
        ),
    ],
    ['through a pipe', (request) => text(request.pipe(new PassThrough()))],
    ['as a web stream', (request) => new Response(Readable.toWeb(request)).text()],
  ])('sends 100 Continue to a waiting client when the handler reads the body %s', async (_how, read) => {
    const listener = await openTestListener((request, response) => void read(request).then(() => response.end()));
    const request = openRequest(listener.url, { method: 'POST', headers: { 'content-length': '2', expect: '100-continue' } });
    request.once('continue', () => request.end('{}')).flushHeaders();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(200);
    await listener.drain(FOREVER_MS);
  });

  it('sends no 100 Continue if the handler does not read the body', async () => {
    const listener = await openTestListener((_request, response) => void response.end('served'));
    const response = await sendRaw(listener.url, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*served$/);
    await listener.drain(FOREVER_MS);
  });

  it('serves a request on a persistent connection as the last one while draining', async () => {
    const listener = await openTestListener((_request, response) => void response.end('served'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await query(listener.url, agent)).headers.connection).toBe('keep-alive');
    const drained = listener.drain(FOREVER_MS);
    const last = await query(listener.url, agent);
    expect(last.statusCode).toBe(200);
    expect(last.headers.connection).toBe('close');
    await drained;
    agent.destroy();
  });

  it('serves a connection that was established before draining, but not accepted yet', async () => {
    const listener = await openTestListener((_request, response) => void response.end('served'));
    const { hostname, port } = new URL(listener.url);
    const socket = connect(Number(port), hostname);
    // The socket connects in the next tick. The system completes the connection before the event loop accepts it.
    await new Promise<void>((resolve) => process.nextTick(() => process.nextTick(resolve)));
    const drained = listener.drain(FOREVER_MS);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*served$/);
    await drained;
  });

  it('does not wait for a connection without any request while draining', async () => {
    const listener = await openTestListener((_request, response) => void response.end('served'));
    const { hostname, port } = new URL(listener.url);
    const silent = connect(Number(port), hostname);
    await once(silent, 'connect');
    const hungUp = once(silent, 'close');
    silent.resume();
    await listener.drain(FOREVER_MS);
    await hungUp;
  });
});
