import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { GatewayError } from '../../../../../../gateway/platform/errors.ts';
import { readBody } from '../../../../../../gateway/platform/http/request/read-body.ts';
import type { OutgoingResponse, ServeRequest } from '../../../../../../gateway/platform/http/response/outgoing-response.ts';
import { sendResponse } from '../../../../../../gateway/platform/http/response/send-response.ts';
import { sendRaw, statusesOf } from '../../../../../support/http/raw-http.ts';
import { BOTH_WAYS, dial } from './both-ways.ts';

const MAX_BYTES = 1_000;
const LONG = 'a'.repeat(MAX_BYTES + 1);
const LAST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

function chunked(chunks: readonly (string | Buffer)[], lines = ''): string {
  const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk.toString('latin1')}\r\n`).join('');
  return `POST / HTTP/1.1\r\nHost: a\r\n${lines}Transfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`;
}

function gzipped(...chunks: readonly Buffer[]): string {
  return chunked(chunks, 'Content-Encoding: gzip\r\n');
}

const reading: ServeRequest = (request, response) => {
  const respond = (status: number): void => sendResponse(request, response, { status, headers: {}, body: '' });
  void readBody(request, { maxBytes: MAX_BYTES }).then(
    () => respond(200),
    (error: GatewayError) => respond(error.status),
  );
};

const unreading: ServeRequest = (request, response) => {
  // Everything that was sent together has been received by then.
  setImmediate(() => sendResponse(request, response, { status: 401, headers: {}, body: '' }));
};

describe.each(BOTH_WAYS)('a request body that is read by %s', (_way, open) => {
  it.each([
    ['larger than the maximum in its first part', reading, 413, chunked([LONG, 'b', 'c'])],
    ['larger than the maximum in its last part', reading, 413, chunked(['b', 'c', LONG])],
    ['larger than the maximum after decompression', reading, 413, gzipped(gzipSync(LONG))],
    ['larger than the maximum before decompression', reading, 413, gzipped(...LONG.split('').map(() => gzipSync('')))],
    ['invalid after decompression', reading, 400, gzipped(Buffer.from('invalid'), gzipSync('b'))],
    ['in an unsupported coding', reading, 415, chunked(['b'], 'Content-Encoding: none\r\n')],
    ['followed by other bytes', reading, 200, chunked([deflateSync('b'), Buffer.from('tail')], 'Content-Encoding: deflate\r\n')],
    ['not read', unreading, 401, chunked(['b'])],
    ['long and not read', unreading, 401, `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n${'b'.repeat(65_537)}`],
  ] as const)('ends the connection with its response if it is %s', async (_what, serve, status, bytes) => {
    await using listener = await open(serve);
    const responses = await sendRaw(listener.url, Buffer.from(bytes + LAST, 'latin1'));
    expect(statusesOf(responses)).toEqual([status]);
    expect(responses).toMatch(/\r\nconnection: close\r\n/i);
  });

  it.each([
    ['in parts and read to its end', reading, 200, chunked(['a', 'b'])],
    ['compressed and read to its end', reading, 200, gzipped(gzipSync('b'))],
    ['no text', reading, 400, chunked([Buffer.from([0xff])])],
    ['short and too large', reading, 413, `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${LONG.length}\r\n\r\n${LONG}`],
    ['short and not read', unreading, 401, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nb'],
  ] as const)('leaves the connection open if it is %s', async (_what, serve, status, bytes) => {
    await using listener = await open((request, response) => (request.method === 'GET' ? reading : serve)(request, response));
    const responses = await sendRaw(listener.url, Buffer.from(bytes + LAST, 'latin1'));
    expect(statusesOf(responses)).toEqual([status, 200]);
  });

  it.each([false, true])('is not read while the request waits behind another one (in one packet: %p)', async (isOnePacket) => {
    const pending: OutgoingResponse[] = [];
    await using listener = await open((_request, response) => void pending.push(response));
    const socket = dial(listener);
    const first = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na`;
    const second = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n${'b'.repeat(20_000)}`;
    socket.write(isOnePacket ? first + second : first);
    while (pending.length === 0) await nextTurn();
    if (!isOnePacket) socket.write(second);
    const block = Buffer.alloc(1_000_000);
    for (let blocks = 0; blocks < 30; blocks += 1) socket.write(block);
    // The buffers of the system take a few megabytes.
    for (let turn = 0; turn < 2_000; turn += 1) await nextTurn();
    expect(pending[0]?.socket?.bytesRead).toBeLessThan(1_000_000);
    socket.destroy();
    await once(socket, 'close');
  });
});

describe.each(BOTH_WAYS)('invalid bytes that are read by %s', (_way, open) => {
  const responding: ServeRequest = (request, response) => {
    const isLast = request.headers['x-last'] === 'yes';
    sendResponse(request, response, { status: 403, headers: isLast ? { connection: 'close' } : {}, body: 'no' });
  };

  it.each([false, true])('receive no response after one that ends the connection (half-closed: %p)', async (half) => {
    await using listener = await open(responding);
    expect(statusesOf(await sendRaw(listener.url, 'GET / HTTP/1.1\r\nHost: a\r\nX-Last: yes\r\n\r\ninvalid\r\n\r\n', { half }))).toEqual([
      403,
    ]);
  });

  it.each([false, true])('receive a response after one that leaves the connection open (half-closed: %p)', async (half) => {
    await using listener = await open(responding);
    expect(statusesOf(await sendRaw(listener.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\ninvalid\r\n\r\n', { half }))).toEqual([403, 400]);
  });

  it.each([false, true])('in a body do not replace the response to its request (half-closed: %p)', async (half) => {
    await using listener = await open((request, response) => {
      void Promise.resolve().then(() => responding(request, response));
    });
    const bytes = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\ninvalid\r\n\r\n';
    expect(statusesOf(await sendRaw(listener.url, bytes, { half }))).toEqual([403]);
  });

  it('behind a request whose response is in progress end the connection after the response', async () => {
    const pending: OutgoingResponse[] = [];
    await using listener = await open((_request, response) => void pending.push(response));
    const socket = dial(listener);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\ninvalid\r\n\r\n');
    while (pending.length === 0) await nextTurn();
    await nextTurn();
    pending[0]?.end('late');
    expect(statusesOf(await text(socket))).toEqual([200]);
  });
});
