import { once } from 'node:events';
import { createServer, type IncomingMessage, request as sendRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readBody } from '../../../../../../gateway/platform/http/request/read-body.ts';

const MAX_BYTES = 1_000;

describe('readBody', () => {
  let server: Server;
  let result: Promise<unknown>;
  let url: string;

  beforeEach(async () => {
    let settle: (value: unknown) => void;
    result = new Promise((resolve) => {
      settle = resolve;
    });
    server = createServer((request, response) => {
      void readBody(request, { maxBytes: MAX_BYTES })
        .catch((error: unknown) => error)
        .then((result) => {
          settle(result);
          request.resume();
          response.end();
        });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<unknown> {
    await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
    return result;
  }

  it.each([
    ['plain', new Uint8Array(MAX_BYTES + 1), {}],
    ['gzip', new Uint8Array(gzipSync(Buffer.alloc(10_000_000))), { 'content-encoding': 'gzip' }],
    ['br', new Uint8Array(brotliCompressSync(Buffer.alloc(10_000_000))), { 'content-encoding': 'br' }],
    ['deflate', new Uint8Array(deflateSync(Buffer.alloc(MAX_BYTES + 1))), { 'content-encoding': 'deflate' }],
    [
      'gzip with many empty members',
      new Uint8Array(Buffer.concat(Array.from({ length: 100 }, () => gzipSync('')))),
      { 'content-encoding': 'gzip' },
    ],
  ])('rejects a %s body above the limit', async (_kind, body, headers) => {
    expect(await post(body, headers)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 });
  });

  it.each([['compress'], ['gzip, br'], ['zstd'], ['chunked']])(
    'rejects the content encoding %s and lists the supported ones',
    async (encoding) => {
      expect(await post('{}', { 'content-encoding': encoding })).toMatchObject({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        headers: { 'accept-encoding': 'gzip, deflate, br' },
      });
    },
  );

  it.each([['utf-16'], ['utf-7'], ['iso-8859-1'], ['"latin1"']])('rejects the charset %s', async (charset) => {
    expect(await post('{}', { 'content-type': `application/json; charset=${charset}` })).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
  });

  it.each([
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}],
    ['an overlong encoding', new Uint8Array([0x22, 0xc0, 0xaf, 0x22]), {}],
    ['broken gzip', new Uint8Array([1, 2, 3]), { 'content-encoding': 'gzip' }],
    ['gzip that ends too early', new Uint8Array(gzipSync('{"a":1}').subarray(0, 12)), { 'content-encoding': 'gzip' }],
  ])('returns a client error for %s', async (_kind, body, headers) => {
    expect(await post(body, headers)).toMatchObject({ code: 'BAD_REQUEST', status: 400 });
  });

  it.each([[{}], [{ 'content-encoding': 'gzip' }]])('ends when the client disconnects during a body with headers %j', async (headers) => {
    const request = sendRequest(url, { method: 'POST', headers: { ...headers, 'content-length': '500' } });
    request.on('error', () => {});
    server.once('request', (incoming: IncomingMessage) => incoming.once('data', () => request.destroy()));
    request.write(gzipSync('{}').subarray(0, 10));
    expect(await result).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it.each([[{}], [{ 'content-encoding': 'gzip' }]])(
    'ends when the client has disconnected before reading a body with headers %j',
    async (headers) => {
      const late = new Promise((resolve) => {
        server.removeAllListeners('request').once('request', (incoming: IncomingMessage) => {
          incoming.once('close', () => void readBody(incoming, { maxBytes: MAX_BYTES }).catch(resolve));
          request.destroy();
        });
      });
      const request = sendRequest(url, { method: 'POST', headers: { ...headers, 'content-length': '500' } });
      request.on('error', () => {}).write('{');
      expect(await late).toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  it.each([
    ['plain', (text: string) => Buffer.from(text), {}],
    ['identity', (text: string) => Buffer.from(text), { 'content-encoding': 'identity' }],
    ['gzip', gzipSync, { 'content-encoding': 'gzip' }],
    ['x-gzip', gzipSync, { 'content-encoding': 'X-GZIP' }],
    ['deflate', deflateSync, { 'content-encoding': 'deflate' }],
    ['br', brotliCompressSync, { 'content-encoding': 'br' }],
    ['UTF-8 by name', (text: string) => Buffer.from(text), { 'content-type': 'application/json; charset="UTF-8"' }],
  ])('reads a %s body within the limit', async (_kind, pack, headers) => {
    const text = JSON.stringify({ greeting: 'Grüße 🏃' });
    expect(await post(new Uint8Array(pack(text)), headers)).toBe(text);
  });

  it('accepts a body of exactly the limit', async () => {
    expect(await post('x'.repeat(MAX_BYTES))).toHaveLength(MAX_BYTES);
  });
});
