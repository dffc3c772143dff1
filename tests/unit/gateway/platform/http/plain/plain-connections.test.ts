import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readBody } from '../../../../../../gateway/platform/http/request/read-body.ts';
import type { OutgoingResponse, ServeRequest } from '../../../../../../gateway/platform/http/response/outgoing-response.ts';
import { sendResponse } from '../../../../../../gateway/platform/http/response/send-response.ts';
import type { HttpListenerOptions } from '../../../../../../gateway/platform/http/server/http-listener.ts';
import { sendRaw } from '../../../../../support/http/raw-http.ts';
import { FOREVER_MS, openTestListener } from '../../../../../support/http/test-listener.ts';

const LAST = 'Connection: close\r\n';

function post(body: string, lines = ''): string {
  return `POST / HTTP/1.1\r\nHost: a\r\n${lines}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function get(lines = ''): string {
  return `GET / HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
}

/** Responds with the way in which a request was read, and with its body. */
const echo: ServeRequest = (request, response) => {
  void readBody(request, { maxBytes: 1_000 }).then((body) => {
    const way = request instanceof IncomingMessage ? 'Node.js' : 'gateway';
    sendResponse(request, response, { status: 200, headers: { 'content-type': 'text/plain' }, body: `${way} ${body}` });
  });
};

function openPlain(serve: ServeRequest, options: Partial<HttpListenerOptions> = {}, isServed = () => true) {
  return openTestListener(serve, { plain: { serve, isServed }, ...options });
}

function dial(url: string): Socket {
  return connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true });
}

/** Waits for the response whose body ends with a text. */
async function until(socket: Socket, end: string): Promise<string> {
  let received = '';
  while (!received.endsWith(end)) received += String((await once(socket, 'data'))[0]);
  return received;
}

function bodyOf(response: string): string {
  return response.slice(response.lastIndexOf('\r\n\r\n') + 4);
}

describe('readPlainConnections', () => {
  it('responds alike to a request that arrives in two packets, split at every byte', async () => {
    await using closing = await closable(echo);
    const request = post('body', LAST);
    for (let at = 1; at < request.length; at += 1) {
      const socket = dial(closing.url);
      await once(socket, 'connect');
      socket.write(request.slice(0, at));
      await nextTurn();
      socket.write(request.slice(at));
      expect(bodyOf(await text(socket))).toMatch(/^(?:gateway|Node\.js) body$/);
    }
  });

  it('hands over the second of two requests that arrive together with it', async () => {
    await using closing = await closable(echo);
    const responses = await sendRaw(closing.url, post('1') + post('2', LAST));
    expect([...responses.matchAll(/Node\.js \d/g)].map(String)).toEqual(['Node.js 1', 'Node.js 2']);
  });

  it('serves a request that arrives during the response to another one afterwards, through Node.js', async () => {
    const held: (() => void)[] = [];
    await using closing = await closable((request, response) => {
      if (held.length > 0) return echo(request, response);
      held.push(() => echo(request, response));
    });
    const socket = dial(closing.url);
    socket.write(post('1'));
    while (held.length === 0) await nextTurn();
    socket.write(post('2', LAST));
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    held[0]?.();
    const responses = await text(socket);
    expect(responses.indexOf('gateway 1')).toBeGreaterThan(0);
    expect(responses.indexOf('Node.js 2')).toBeGreaterThan(responses.indexOf('gateway 1'));
  });

  it('reads many requests of a connection, and leaves it to Node.js after the first other one', async () => {
    await using closing = await closable(echo);
    const socket = dial(closing.url);
    for (const number of ['1', '2']) {
      socket.write(post(number));
      expect(bodyOf(await until(socket, number))).toBe(`gateway ${number}`);
    }
    socket.write(post('3', 'X-A: \t\r\n'));
    expect(bodyOf(await until(socket, '3'))).toBe('Node.js 3');
    socket.write(post('4'));
    expect(bodyOf(await until(socket, '4'))).toBe('Node.js 4');
    socket.destroy();
  });

  it('leaves requests to Node.js that the handler does not serve', async () => {
    await using closing = await closable(echo, {}, () => false);
    expect(bodyOf(await sendRaw(closing.url, post('1', LAST)))).toBe('Node.js 1');
  });

  it('sends the head and a body beyond ASCII with its length in bytes', async () => {
    await using closing = await closable(echo);
    const response = await sendRaw(closing.url, post('é€', LAST));
    expect(response).toContain('content-length: 13\r\n');
    expect(bodyOf(response)).toBe('gateway é€');
  });

  it('sends the same bytes as Node.js', async () => {
    const serve: ServeRequest = (_request, response) => {
      response.setHeader('X-First', '1');
      response.setHeader('vary', 'Origin');
      response.writeHead(201, { vary: 'Accept', 'set-cookie': ['a=1', 'b=2'] });
      response.end('created');
    };
    await using read = await closable(serve);
    await using left = await closable(serve, {}, () => false);
    const [one, other] = await Promise.all([sendRaw(read.url, get(LAST)), sendRaw(left.url, get(LAST))]);
    const sorted = (response: string) =>
      response
        .replace(/Date: .*/, '')
        .split('\r\n')
        .toSorted();
    expect(sorted(one)).toEqual(sorted(other));
  });

  it('sends a body of unknown length in chunks', async () => {
    await using closing = await closable((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('é');
      response.write('b', () => response.end('c'));
    });
    const response = await sendRaw(closing.url, get(LAST));
    expect(response).toMatch(/\r\nTransfer-Encoding: chunked\r\n\r\n2\r\né\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n$/);
  });

  it('sends no body in response to HEAD', async () => {
    await using closing = await closable(echo);
    const response = await sendRaw(closing.url, `HEAD / HTTP/1.1\r\nHost: a\r\n${LAST}\r\n`);
    expect(response).toMatch(/content-length: 8\r\n[^]*\r\n\r\n$/);
  });

  it.each(['X-A: b\r\nX-B: c', 'b\u0000'])('does not send the header value %j', async (value) => {
    const failures: unknown[] = [];
    await using closing = await closable((_request, response) => {
      try {
        response.writeHead(200, { 'x-a': value });
      } catch (error) {
        failures.push(error);
      }
      response.end('none');
    });
    const response = await sendRaw(closing.url, get(LAST));
    expect(response).not.toContain('X-B');
    expect(failures).toHaveLength(1);
  });

  it('closes the response when its client disconnects', async () => {
    const closed = new Promise<OutgoingResponse>((resolve) => {
      void closable((_request, response) => {
        response.once('close', () => resolve(response));
        socket.destroy();
      }).then((closing) => {
        socket = dial(closing.url);
        socket.write(get());
        void once(socket, 'close').then(() => closing[Symbol.asyncDispose]());
      });
    });
    let socket: Socket;
    expect(await closed).toMatchObject({ destroyed: true, writableFinished: false });
  });

  it('closes a connection whose client closes its side during the response', async () => {
    let pending: OutgoingResponse | undefined;
    await using closing = await closable((_request, response) => {
      pending = response;
    });
    expect(await sendRaw(closing.url, get(), { half: true })).toBe('');
    pending?.end('late');
    expect(pending?.writableFinished).toBe(false);
  });

  it('sends Connection: close with the response in progress when draining begins, and closes idle connections', async () => {
    const pending: OutgoingResponse[] = [];
    const listener = await openPlain((_request, response) => void pending.push(response));
    const [idle, busy] = [dial(listener.url), dial(listener.url)];
    await Promise.all([once(idle, 'connect'), once(busy, 'connect')]);
    busy.write(get());
    while (pending.length === 0) await nextTurn();
    const drained = listener.drain(FOREVER_MS);
    pending[0]?.end('done');
    expect(await text(busy)).toMatch(/\r\nConnection: close\r\n[^]*done$/i);
    expect(await text(idle)).toBe('');
    await drained;
  });

  it('aborts requests that run longer than the drain timeout', async () => {
    const listener = await openPlain(() => undefined);
    const socket = dial(listener.url);
    socket.write(get());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    await nextTurn();
    const closed = once(socket.resume(), 'close');
    await listener.drain(1);
    await closed;
  });

  it('responds to a connection without a request with 408, and closes a connection without a further one', async () => {
    await using closing = await closable(echo, { headersTimeoutMs: 1, keepAliveTimeoutMs: 1 });
    const socket = dial(closing.url);
    socket.write(post('1'));
    const [silent, used] = await Promise.all([text(dial(closing.url)), text(socket)]);
    expect(silent).toMatch(/^HTTP\/1\.1 408 [^]*REQUEST_TIMEOUT/);
    expect(bodyOf(used)).toBe('gateway 1');
  });

  it('reads requests over TLS', async () => {
    await using closing = await closable(echo, { tls: { cert: pem('server'), key: pem('server-key'), minVersion: 'TLSv1.2' } });
    const socket = connectTls({ host: '127.0.0.1', port: Number(new URL(closing.url).port), rejectUnauthorized: false });
    const request = post('body', LAST);
    // Two records in one packet are two chunks.
    socket.cork();
    socket.write(request.slice(0, 20));
    socket.write(request.slice(20));
    socket.uncork();
    expect(bodyOf(await text(socket))).toBe('gateway body');
  });
});

const pem = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../subgraph-client/certificates/${name}.pem`, import.meta.url)), 'utf8');

async function closable(serve: ServeRequest, options: Partial<HttpListenerOptions> = {}, isServed = () => true) {
  const listener = await openPlain(serve, options, isServed);
  return { url: listener.url, [Symbol.asyncDispose]: () => listener.drain(0) };
}
