import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request as openRequest } from 'node:http';
import { connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { sendRaw } from '../../../../../support/http/raw-http.ts';
import { FOREVER_MS, openTestListener } from '../../../../../support/http/test-listener.ts';

async function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  await response.toArray();
  return response;
}

describe('openHttpListener', () => {
  it('given thousands of fields, when another one follows them, then the handler is told of that too', async () => {
    const listener = await openTestListener((request, response) => void response.end(request.headers['if-match']));
    const fields = 'a:b\r\n'.repeat(2_001);
    const answer = await sendRaw(listener.url, `GET / HTTP/1.1\r\nHost: a\r\n${fields}If-Match: "7"\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/\r\n\r\n"7"$/);
    await listener.drain(FOREVER_MS);
  });

  it.each<[string, (request: IncomingMessage) => Promise<unknown>]>([
    ['chunk by chunk', (request) => request.toArray()],
    [
      'as it flows',
      (request) =>
        once(
          request.on('data', () => undefined),
          'end',
        ),
    ],
    ['into something else', (request) => text(request.pipe(new PassThrough()))],
    ['as a stream of the web', (request) => new Response(Readable.toWeb(request)).text()],
  ])('given a client that waits to be asked for its body, when a handler reads it %s, then the client is asked', async (_how, read) => {
    const listener = await openTestListener((request, response) => void read(request).then(() => response.end()));
    const request = openRequest(listener.url, { method: 'POST', headers: { 'content-length': '2', expect: '100-continue' } });
    request.once('continue', () => request.end('{}')).flushHeaders();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(200);
    await listener.drain(FOREVER_MS);
  });

  it('given a client that waits to be asked for its body, when nobody reads it, then it is not asked', async () => {
    const listener = await openTestListener((_request, response) => void response.end('served'));
    const answer = await sendRaw(listener.url, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*served$/);
    await listener.drain(FOREVER_MS);
  });

  it('given a connection kept alive, when it brings a request while draining, then that is answered as the last one', async () => {
    const listener = await openTestListener((_request, response) => void response.end('served'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await ask(listener.url, agent)).headers.connection).toBe('keep-alive');
    const drained = listener.drain(FOREVER_MS);
    const last = await ask(listener.url, agent);
    expect(last.statusCode).toBe(200);
    expect(last.headers.connection).toBe('close');
    await drained;
    agent.destroy();
  });

  it('given a connection that never brought a byte, when draining, then nobody waits for it', async () => {
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
