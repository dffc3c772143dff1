import { describe, expect, it } from '@jest/globals';
import { createPlainReader } from '../../../../../../gateway/platform/http/plain/plain-reader.ts';

const BODY = '{"query":"{ a }"}';
const GET = 'GET /graphql?query={a} HTTP/1.1\r\nHost: a.example:4000\r\nAccept: */*\r\n\r\n';
const POST = post('Host: a\r\nContent-Type: application/json');

function post(lines: string, body = BODY): string {
  return `POST /graphql HTTP/1.1\r\n${lines}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function get(lines: string): string {
  return `GET /graphql HTTP/1.1\r\n${lines}\r\n\r\n`;
}

function read(text: string) {
  return createPlainReader().read(Buffer.from(text, 'latin1'));
}

describe('createPlainReader', () => {
  it.each([
    ['no host', get('Accept: */*')],
    ['an empty host', get('Host:')],
    ['two hosts', get('Host: a\r\nHost: a')],
    ['a host with a path', get('Host: a/b')],
    ['a host with a user', get('Host: b@a')],
    ['a repeated header', get('Host: a\r\nX-A: 1\r\nx-a: 2')],
    ['a transfer coding', get('Host: a\r\nTransfer-Encoding: chunked')],
    ['an expectation', post('Host: a\r\nExpect: 100-continue')],
    ['an upgrade', get('Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket')],
    ['several connection options', get('Host: a\r\nConnection: close, te')],
    ['a connection option of a proxy', get('Host: a\r\nProxy-Connection: close')],
    ['an encoded body', post('Host: a\r\nContent-Encoding: gzip')],
    ['an upload', post('Host: a\r\nContent-Type: multipart/form-data; boundary=b')],
    ['a body on GET', `${get('Host: a\r\nContent-Length: 1')}x`],
    ['an empty body on GET', get('Host: a\r\nContent-Length: 0')],
    ['POST without a length', 'POST /graphql HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a list of lengths', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 2, 2\r\n\r\n{}'],
    ['two lengths', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
    ['a length with a sign', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n{}'],
    ['a length with a leading zero', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 02\r\n\r\n{}'],
    ['a length in hexadecimal', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 0x2\r\n\r\n{}'],
    ['a length beyond the limit', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n'],
    ['a length beyond all integers', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551618\r\n\r\n{}'],
    ['another method', 'PUT /items/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'],
    ['a method in lower case', 'get /graphql HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another version', 'GET /graphql HTTP/1.0\r\nHost: a\r\n\r\n'],
    ['an absolute target', 'GET http://a/graphql HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an authority as target', 'GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a fragment', 'GET /graphql#a HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET /graph ql HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['two spaces before the version', 'GET /graphql  HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an empty line first', `\r\n${GET}`],
    ['a folded header', get('Host: a\r\nX-A: 1\r\n 2')],
    ['a space before the colon', get('Host : a')],
    ['a header without a colon', get('Host: a\r\nnothing')],
    ['a header without a name', get('Host: a\r\n: b')],
    ['a bare LF', get('Host: a\nX-A: 1')],
    ['a bare CR', get('Host: a\r\nX-A: 1\r2')],
    ['NUL', get('Host: a\r\nX-A: \u0000')],
    ['a tab', get('Host: a\r\nX-A: 1\t2')],
    ['a byte beyond ASCII', get('Host: a\r\nX-A: é')],
    ['a name of a property of every object', get('Host: a\r\n__proto__: 1')],
    ['a head beyond the limit', get(`Host: a\r\nX-A: ${'a'.repeat(8_192)}`)],
    ['no end of the head within the limit', 'a'.repeat(8_192)],
    ['a byte after the body', `${POST}x`],
    ['a second request', POST + GET],
  ])('leaves a request with %s to Node.js', (_what, text) => {
    expect(read(text)).toBe('other');
  });

  it.each([
    ['GET', GET],
    ['POST', POST],
    ['POST whose body contains the end of a head', post('Host: a', 'a\r\n\r\nb')],
    ['POST with an empty body', post('Host: a', '')],
    ['the last request of a connection', get('Host: a\r\nConnection: Close')],
    ['an IPv6 host', get('Host: [::1]:4000')],
  ])('reads %s only when its last byte has arrived', (_what, text) => {
    const reader = createPlainReader();
    for (const _again of [1, 2]) {
      for (let length = 1; length < text.length; length += 1) {
        expect(reader.read(Buffer.from(text.slice(0, length), 'latin1'))).toBe('incomplete');
      }
      expect(reader.read(Buffer.from(text, 'latin1'))).toHaveProperty(
        'body',
        Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1'),
      );
    }
  });

  it('reads the fields of a head like Node.js', () => {
    expect(read(get('Host: a\r\nX-Empty:\r\nX-Spaces:   a  b  \r\nConnection: keep-alive'))).toMatchObject({
      head: {
        method: 'GET',
        target: '/graphql',
        headers: { host: 'a', 'x-empty': '', 'x-spaces': 'a  b', connection: 'keep-alive' },
        rawHeaders: ['Host', 'a', 'X-Empty', '', 'X-Spaces', 'a  b', 'Connection', 'keep-alive'],
        isLast: false,
      },
    });
    expect(read(get('Host: a\r\nConnection: close'))).toHaveProperty('head.isLast', true);
  });

  it('does not confuse heads of equal length', () => {
    const reader = createPlainReader();
    for (const host of ['a', 'b', 'a']) expect(reader.read(Buffer.from(get(`Host: ${host}`)))).toHaveProperty('head.headers.host', host);
  });
});
