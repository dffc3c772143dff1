import { describe, expect, it } from '@jest/globals';
import { sendRaw } from '../support/http/raw-socket.ts';
import { describeOnStack } from '../support/stack/shared-stack.ts';

const BODY = '{"query":"{ __typename }"}';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const LAST = 'Host: x\r\nConnection: close\r\n';
const POST = `POST /graphql HTTP/1.1\r\n${LAST}${JSON_TYPE}`;
/** A second request that must never be served when the first is ambiguous. */
const SMUGGLED = `GET /health HTTP/1.1\r\nHost: x\r\nX-Correlation-Id: smuggled\r\nConnection: close\r\n\r\n`;

/** Requests that two servers could parse differently, or that are not HTTP. They are rejected, and the connection is closed. */
const AMBIGUOUS: readonly (readonly [what: string, bytes: string])[] = [
  ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['two equal hosts', 'GET /health HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
  ['two lengths', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 26\r\nContent-Length: 5\r\n\r\n${BODY}`],
  ['two equal lengths in one header', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 26, 26\r\n\r\n${BODY}`],
  [
    'a length and chunks',
    `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'chunks and a length',
    `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  ],
  ['a negative length', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: -1\r\n\r\n`],
  ['a length with a plus', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: +26\r\n\r\n${BODY}`],
  ['a hexadecimal length', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 0x1a\r\n\r\n${BODY}`],
  ['a length that is huge', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 99999999999999999999\r\n\r\n`],
  ['a length with white space before the colon', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length : 26\r\n\r\n${BODY}`],
  ['an unknown transfer coding', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  [
    'a transfer coding behind chunked',
    `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  ],
  ['identity as transfer coding', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: identity\r\n\r\n`],
  ['gzip before chunked', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  [
    'chunked twice',
    `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a vertical tab before chunked', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
  ['a chunk size that is no number', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
  ['a chunk size that is negative', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`],
  [
    'a chunk size that is huge',
    `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n\r\n`,
  ],
  ['a chunk without an end', `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n`],
  ['a header on two lines', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n'],
  ['a header without a name', 'GET /health HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n'],
  ['a header without a colon', 'GET /health HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
  ['a header name with a space', 'GET /health HTTP/1.1\r\nHost: x\r\nX A: b\r\n\r\n'],
  ['NUL in a header', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: a\x00b\r\n\r\n'],
  ['NUL in the path', 'GET /books/1\x00 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a carriage return in a header', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: a\rb\r\n\r\n'],
  ['a space in the path', 'GET /books/1 2 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['no version', 'GET /health\r\n\r\n'],
  ['version 2.0', 'GET /health HTTP/2.0\r\nHost: x\r\n\r\n'],
  ['version 9.9', 'GET /health HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an unknown method', 'FOO /health HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a method in small letters', 'get /health HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ['a path without a slash', 'GET health HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a body on GET', 'GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello'],
  ['chunks on GET', 'GET /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['headers that are too large', `GET /health HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`],
  [
    'too many headers',
    `GET /health HTTP/1.1\r\nHost: x\r\n${Array.from({ length: 5_000 }, (_, index) => `X-${String(index)}: a\r\n`).join('')}\r\n`,
  ],
  ['a path that is too long', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
];

describeOnStack('bytes on the socket', ({ url, http }) => {
  it.each(AMBIGUOUS)('rejects %s, and never responds to a request hidden behind it', async (_what, bytes) => {
    const { statuses, text } = await sendRaw(url, `${bytes}${SMUGGLED}`);
    expect(statuses.length).toBeLessThanOrEqual(1);
    for (const status of statuses) {
      expect([400, 404, 405, 408, 413, 414, 417, 431, 501, 505]).toContain(status);
    }
    expect(text).not.toContain('smuggled');
    expect(text).not.toMatch(/127\.0\.0\.1|HPE_|node:|Error:|\bat \//);
  });

  it('responds in order to two requests in one packet', async () => {
    const one = `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: ${String(BODY.length)}\r\n\r\n${BODY}`;
    const { statuses, text } = await sendRaw(url, `${one}GET /books/1 HTTP/1.1\r\n${LAST}\r\n`);
    expect(statuses).toEqual([200, 200]);
    expect(text.indexOf('"__typename":"Query"')).toBeLessThan(text.indexOf('"title"'));
  });

  it('responds in order to a slow and a fast request in one packet', async () => {
    const { statuses, text } = await sendRaw(
      url,
      `GET /books?size=100 HTTP/1.1\r\nHost: x\r\nX-Correlation-Id: first\r\n\r\nGET /health HTTP/1.1\r\nX-Correlation-Id: second\r\n${LAST}\r\n`,
    );
    expect(statuses).toEqual([200, 200]);
    expect(text.indexOf(': first')).toBeLessThan(text.indexOf(': second'));
  });

  it('serves a request in chunks', async () => {
    const { statuses, text } = await sendRaw(
      url,
      `${POST}Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
    );
    expect(statuses).toEqual([200]);
    expect(text).toContain('{"data":{"__typename":"Query"}}');
  });

  it('serves a request in chunks of one byte', async () => {
    const bytes = `${POST}Transfer-Encoding: chunked\r\n\r\n${BODY.split('')
      .map((character) => `1\r\n${character}\r\n`)
      .join('')}0\r\n\r\n`;
    expect((await sendRaw(url, bytes)).statuses).toEqual([200]);
  });

  it('responds to HTTP/1.0 and closes the connection', async () => {
    const { statuses } = await sendRaw(url, 'GET /health HTTP/1.0\r\nHost: x\r\n\r\n');
    expect([[200], [400], [426], [505]]).toContainEqual(statuses);
  });

  it('responds to OPTIONS * without an internal error', async () => {
    const { statuses } = await sendRaw(url, `OPTIONS * HTTP/1.1\r\n${LAST}\r\n`);
    expect(statuses).toHaveLength(1);
    expect(statuses[0]).toBeLessThan(500);
  });

  it('continues with the body after Expect: 100-continue', async () => {
    const { statuses } = await sendRaw(url, `${POST}Expect: 100-continue\r\nContent-Length: ${String(BODY.length)}\r\n\r\n${BODY}`);
    expect(statuses.at(-1)).toBe(200);
  });

  it.each(['200-ok', 'nonsense'])('returns 417 for Expect: %s, or ignores it', async (expectation) => {
    const { statuses } = await sendRaw(url, `GET /health HTTP/1.1\r\n${LAST}Expect: ${expectation}\r\n\r\n`);
    expect([[417], [200], [400]]).toContainEqual(statuses);
  });

  it.each(['websocket', 'h2c', 'TLS/1.0', 'nonsense'])('rejects an upgrade to %s without hanging', async (protocol) => {
    const { statuses } = await sendRaw(
      url,
      `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    expect(statuses).toHaveLength(1);
    expect(statuses[0]).toBeGreaterThanOrEqual(400);
    expect(statuses[0]).toBeLessThan(500);
  });

  it.each([
    ['bytes beyond ASCII', '/books/\xe9'],
    ['UTF-8', Buffer.from('/books/é').toString('latin1')],
    ['a DEL', '/books/\x7f'],
    ['a fragment', '/books/1#2'],
    ['quotes and angles', '/books/"<script>"'],
    ['a bar and braces', '/books/{1}|2^`'],
    ['a whole address', 'http://evil.example/health'],
    ['a star', '*'],
  ])('rejects a target with %s without an internal error', async (_what, path) => {
    const { statuses, text } = await sendRaw(url, `GET ${path} HTTP/1.1\r\n${LAST}\r\n`);
    expect(statuses).toHaveLength(1);
    expect([400, 404]).toContain(statuses[0]);
    expect(text).not.toContain('<script>');
  });

  it.each([
    ['two tokens', 'Authorization: Bearer a.b.c\r\nAuthorization: Bearer d.e.f\r\n', [400, 401]],
    ['two correlation ids', 'X-Correlation-Id: one\r\nX-Correlation-Id: two\r\n', [200]],
    ['two media types', 'Accept: application/json\r\nAccept: text/html\r\n', [200]],
    ['a header named __proto__', '__proto__: x\r\n', [200]],
    ['a header named constructor', 'constructor: x\r\nhasOwnProperty: x\r\ntoString: x\r\n', [200]],
    ['a header of bytes', 'X-A: \xff\xfe\x80\r\n', [200]],
    ['an empty header', 'Accept:\r\n', [200, 406]],
    ['another method in a header', 'X-HTTP-Method-Override: DELETE\r\nX-Method-Override: DELETE\r\nX-HTTP-Method: DELETE\r\n', [200]],
    ['another path in a header', 'X-Original-URL: /orders\r\nX-Rewrite-URL: /orders\r\n', [200]],
    [
      'a forwarded address',
      'X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nForwarded: host=evil.example\r\n',
      [200],
    ],
  ])('returns a book or an error, and nothing else, for a request with %s', async (_what, headers, expected) => {
    const { statuses, text } = await sendRaw(url, `GET /books/1 HTTP/1.1\r\n${LAST}${headers}\r\n`);
    expect(statuses).toHaveLength(1);
    expect(expected).toContain(statuses[0]);
    expect(text).not.toContain('evil.example');
  });

  it('serves others after connections that end in the middle of a body', async () => {
    await Promise.all(
      Array.from({ length: 30 }, () =>
        sendRaw(url, `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 1000\r\n\r\n{"query":`, 50),
      ),
    );
    expect((await http.get('/health')).status).toBe(200);
  });

  describe('responses to incomplete requests', () => {
    it.each([
      'GET',
      'GET /health',
      'GET /health HTTP/1.1',
      'GET /health HTTP/1.1\r\n',
      'GET /health HTTP/1.1\r\nHost: x',
      'GET /health HTTP/1.1\r\nHost: x\r\n',
    ])('are not sent yet after %j', async (bytes) => {
      expect((await sendRaw(url, bytes, 200)).statuses).toEqual([]);
    });
  });
});
