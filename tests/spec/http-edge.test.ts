import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LibraryGateway, startLibraryGateway } from '../fixtures/library-graph.ts';
import { sendRaw, statusesOf } from '../support/http/raw-http.ts';

/** A valid request that must get no response when it follows an invalid one on the same connection. */
const FOLLOWER = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const EVENTS = 'Accept: text/event-stream\r\n';
const CLOSE = 'Connection: close\r\n\r\n';
/** More fields than Node stores by default, in fewer bytes than the limit. */
const MANY_FIELDS = 'a:b\r\n'.repeat(2_001);

describe('the HTTP edge with raw bytes', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway({ config: { server: { maxBodyBytes: 20_000, maxUrlBytes: 1_000 } } });
  });
  afterAll(async () => {
    await library[Symbol.asyncDispose]();
  });

  const long = 'x'.repeat(2_000);
  it.each([
    ['no Host', `GET /health HTTP/1.1\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['an empty Host', `GET /health HTTP/1.1\r\nHost:\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['two Host headers', `GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['two equal Host headers', `GET /health HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['a Host with a path', `GET /health HTTP/1.1\r\nHost: a/b\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['HTTP/1.0 with two Host headers', `GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['HTTP/1.0 with a chunked body', `POST /graphql HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['an unknown transfer coding', `POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['two transfer codings', `POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 501, 'BAD_REQUEST'],
    [
      'chunked twice',
      `POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'BAD_REQUEST',
    ],
    [
      'a length and a transfer coding',
      `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'BAD_REQUEST',
    ],
    ['two lengths', `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`, 400, 'BAD_REQUEST'],
    ['a length that is not a number', `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello`, 400, 'BAD_REQUEST'],
    ['a folded header', `GET /health HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['a space before the colon', `GET /health HTTP/1.1\r\nHost : a\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['a NUL in a header', `GET /health HTTP/1.1\r\nHost: a\r\nX-A: \0\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['a body on GET', `GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello`, 400, 'BAD_REQUEST'],
    ['a chunked body on GET', `GET /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['TRACE', `TRACE /health HTTP/1.1\r\nHost: a\r\n\r\n`, 501, 'METHOD_NOT_IMPLEMENTED'],
    ['CONNECT', `CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n`, 501, 'METHOD_NOT_IMPLEMENTED'],
    ['an unknown method', `FETCH /health HTTP/1.1\r\nHost: a\r\n\r\n`, 501, 'METHOD_NOT_IMPLEMENTED'],
    ['a lower-case method', `get /health HTTP/1.1\r\nHost: a\r\n\r\n`, 501, 'METHOD_NOT_IMPLEMENTED'],
    ['a method with a known prefix', `GETS /health HTTP/1.1\r\nHost: a\r\n\r\n`, 501, 'METHOD_NOT_IMPLEMENTED'],
    ['an unknown method after an empty line', `\r\nFETCH /health HTTP/1.1\r\nHost: a\r\n\r\n`, 501, 'METHOD_NOT_IMPLEMENTED'],
    ['an unknown method of another protocol', `FETCH /health RTSP/1.0\r\nHost: a\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['the greeting of another protocol', `SSH-2.0-OpenSSH_9.2\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['the version 2.0', `GET /health HTTP/2.0\r\nHost: a\r\n\r\n`, 505, 'BAD_REQUEST'],
    ['the version 2.0 to /graphql', `GET /graphql?query={__typename} HTTP/2.0\r\nHost: a\r\n\r\n`, 505, 'BAD_REQUEST'],
    ['the version 9.9', `GET /health HTTP/9.9\r\nHost: a\r\n\r\n`, 505, 'BAD_REQUEST'],
    ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`, 505, 'BAD_REQUEST'],
    ['bytes that are not HTTP', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['a second Host after thousands of fields', `GET /health HTTP/1.1\r\nHost: a\r\n${MANY_FIELDS}Host: b\r\n\r\n`, 400, 'BAD_REQUEST'],
    [
      'a body on GET announced after thousands of fields',
      `GET /health HTTP/1.1\r\nHost: a\r\n${MANY_FIELDS}Content-Length: 5\r\n\r\nhello`,
      400,
      'BAD_REQUEST',
    ],
    ['too many header bytes', `GET /health HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(30_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ])('rejects %s and ignores everything after it', async (_case, bytes, status, code) => {
    const responses = await sendRaw(library.url, bytes + FOLLOWER);
    expect(statusesOf(responses)).toEqual([status]);
    expect(responses).toMatch(new RegExp(`"(?:error|code)":"${code}"`));
    expect(responses).toMatch(/^connection: close\r$/im);
    expect(responses).toMatch(/^x-correlation-id: \S+\r$/im);
    expect(responses).toMatch(/^x-content-type-options: nosniff\r$/im);
    expect(responses).not.toMatch(/^allow:/im); // No resource was read, so no `Allow` header exists.
  });

  it.each([
    ['the URL of another host', `GET http://other/health HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
    ['an asterisk without OPTIONS', `GET * HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
    ['a fragment', `GET /health#x HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
    ['broken percent-encoding in the path', `GET /%zz HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
    ['broken percent-encoding in the query', `GET /graphql?query=%7 HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
    ['percent-encoded bytes that are not UTF-8', `GET /graphql?query=%ff HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
    ['an overlong encoding of a slash', `GET /%c0%af HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
    ['more bytes than allowed', `GET /${long} HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 414],
    ['a token', `GET /graphql?query={__typename}&%74oken=abc HTTP/1.1\r\nHost: a\r\n${CLOSE}`, 400],
  ])('rejects a request target with %s', async (_case, bytes, status) => {
    expect(statusesOf(await sendRaw(library.url, bytes))).toEqual([status]);
  });

  it.each([
    ['the URL of another host', 'http://other/health'],
    ['a URL without a host', 'http:///health'],
  ])('names the valid form of a request target with %s', async (_case, target) => {
    const response = await sendRaw(library.url, `GET ${target} HTTP/1.1\r\nHost: a\r\n${CLOSE}`);
    expect(response).toContain('must be a path that starts with \\"/\\", or an absolute URL with the host of the Host header.');
  });

  it.each([
    ['a path', 'http://a/graphql?query={__typename}'],
    ['no path', 'HTTP://A?query={__typename}'],
  ])('accepts a request target in absolute form with %s', async (_what, target) => {
    const response = await sendRaw(library.url, `GET ${target} HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n${CLOSE}`);
    expect(statusesOf(response)).toEqual([200]);
  });

  it('reads credentials that follow thousands of header fields', async () => {
    const response = await sendRaw(
      library.url,
      `GET /graphql?query={__typename} HTTP/1.1\r\nHost: a\r\n${MANY_FIELDS}Authorization: Bearer a\r\n${CLOSE}`,
    );
    expect(statusesOf(response)).toEqual([401]);
  });

  it('rejects two Authorization headers', async () => {
    const response = await sendRaw(
      library.url,
      `GET /graphql?query={__typename} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n${CLOSE}`,
    );
    expect(statusesOf(response)).toEqual([401]);
    expect(response).toMatch(/^www-authenticate: Bearer realm="gatefold"\r$/im);
  });

  it('rejects two Content-Type headers', async () => {
    const body = '{"query":"{__typename}"}';
    const response = await sendRaw(
      library.url,
      `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${CLOSE}${body}`,
    );
    expect(statusesOf(response)).toEqual([415]);
  });

  const requesting = 'Content-Length: 30000\r\nExpect: 100-continue\r\n\r\n';
  it.each([
    ['an unknown path', `POST /nothing HTTP/1.1\r\nHost: a\r\n${requesting}`, 404],
    ['an unsupported method', `PUT /graphql HTTP/1.1\r\nHost: a\r\n${requesting}`, 405],
    ['no acceptable response type', `POST /graphql HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Accept: image/png\r\n${requesting}`, 406],
    ['an unsupported body type', `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\n${requesting}`, 415],
    ['invalid credentials', `POST /graphql HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Authorization: Bearer a\r\n${requesting}`, 401],
    ['a body that is too large', `POST /graphql HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}${requesting}`, 413],
    ['a body that is too large for an event stream', `POST /graphql HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}${EVENTS}${requesting}`, 413],
  ])('responds without 100 Continue to %s', async (_case, head, status) => {
    const response = await sendRaw(library.url, head);
    expect(statusesOf(response)).toEqual([status]);
    expect(response).toMatch(/^connection: close\r$/im); // The server cannot know whether the client sends the body anyway.
  });

  it('sends 100 Continue once when it needs the body', async () => {
    const { hostname, port } = new URL(library.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const body = '{"query":"{__typename}"}';
    socket.write(`POST /graphql HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n${CLOSE}`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    expect(statusesOf(await text(socket))).toEqual([200]);
  });

  it('ignores an unknown expectation', async () => {
    const response = await sendRaw(library.url, `GET /graphql?query={__typename} HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n${CLOSE}`);
    expect(statusesOf(response)).toEqual([200]);
  });

  it('delivers the response to a too large body that the client sends before it reads', async () => {
    const size = 8_000_000;
    const response = await sendRaw(
      library.url,
      `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n${' '.repeat(size)}`,
    );
    expect(statusesOf(response)).toEqual([413]);
    expect(response).toContain('"PAYLOAD_TOO_LARGE"');
    expect(response).toMatch(/^connection: close\r$/im);
  });

  it('responds while the client still sends when a chunked body exceeds the limit', async () => {
    const { hostname, port } = new URL(library.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write('POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    socket.write(chunk + chunk);
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(statusesOf(response.toString())).toEqual([413]);
    socket.destroy();
  });

  it('rejects a small compressed body that exceeds the limit', async () => {
    const packed = gzipSync(Buffer.alloc(50_000_000, ' '));
    const head = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n`;
    const response = await sendRaw(
      library.url,
      Buffer.concat([
        Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${packed.length.toString(16)}\r\n`),
        packed,
        Buffer.from('\r\n0\r\n\r\n'),
      ]),
    );
    expect(statusesOf(response)).toEqual([413]);
  });

  it('serves the next request after a rejected request with a short body', async () => {
    const responses = await sendRaw(
      library.url,
      `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: 5\r\n\r\nhello${FOLLOWER}`,
    );
    expect(statusesOf(responses)).toEqual([415, 200]);
  });

  it('serves two pipelined requests in order', async () => {
    const responses = await sendRaw(library.url, `GET /graphql?query={__typename} HTTP/1.1\r\nHost: a\r\n\r\n${FOLLOWER}`);
    expect(statusesOf(responses)).toEqual([200, 200]);
    expect(responses.indexOf('__typename')).toBeLessThan(responses.indexOf('"status":"ok"'));
  });

  it('responds to a valid request before invalid bytes, rejects those, and then closes the connection', async () => {
    const responses = await sendRaw(library.url, 'GET /graphql?query={__typename} HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n');
    expect(statusesOf(responses)).toEqual([200, 400]);
    expect(responses).toContain('{"data":{"__typename":"Query"}}');
  });

  it('rejects a malformed chunk', async () => {
    const responses = await sendRaw(
      library.url,
      'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    );
    expect(statusesOf(responses)).toEqual([400]);
  });

  it.each([
    ['headers', 'GET /health HTTP/1.1\r\nHost: a\r\n'],
    ['a body', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'],
  ])('returns 408 and closes the connection when a client never finishes %s', async (_part, bytes) => {
    await using impatient = await startLibraryGateway({ config: { server: { headersTimeoutMs: 1, requestTimeoutMs: 1 } } });
    const responses = await sendRaw(impatient.url, bytes);
    expect(statusesOf(responses)).toEqual([408]);
    expect(responses).toContain('"error":"REQUEST_TIMEOUT"');
  });

  it('returns the headers of GET and no body for HEAD', async () => {
    const response = await sendRaw(library.url, `HEAD /graphql?query={__typename} HTTP/1.1\r\nHost: a\r\n${CLOSE}`);
    expect(statusesOf(response)).toEqual([200]);
    expect(response).toMatch(/^content-length: 31\r$/im);
    expect(response.split('\r\n\r\n')[1]).toBe('');
  });
});
