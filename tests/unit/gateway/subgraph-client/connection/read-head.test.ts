import { describe, expect, it } from '@jest/globals';
import { MalformedResponse } from '../../../../../gateway/subgraph-client/connection/connection-errors.ts';
import { isBeginningOfHead, readHead } from '../../../../../gateway/subgraph-client/connection/read-head.ts';

const OK = 'HTTP/1.1 200 OK\r\n';

describe('readHead', () => {
  it.each([
    ['an empty head', '\r\n'],
    ['another protocol', 'ICY 200 OK\r\n'],
    ['another major version', 'HTTP/2.0 200 OK\r\n'],
    ['a version that does not exist', 'HTTP/1.2 200 OK\r\n'],
    ['a protocol in lowercase', 'http/1.1 200 OK\r\n'],
    ['two spaces before the status', 'HTTP/1.1  200 OK\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n'],
    ['a status outside the five classes', 'HTTP/1.1 600 Odd\r\n'],
    ['a control character in the reason', 'HTTP/1.1 200 O\x01K\r\n'],
    ['an empty line in front', `\r\n${OK}`],
    ['a name with a space', `${OK}a b: c\r\n`],
    ['a space before the colon', `${OK}content-length : 5\r\n`],
    ['a folded line', `${OK}a: b\r\n c\r\n`],
    ['a folded line with a colon', `${OK}a: b\r\n c: d\r\n`],
    ['a field without a colon', `${OK}abc\r\n`],
    ['a field without a name', `${OK}: b\r\n`],
    ['a name that is not in ASCII', `${OK}\xe4: b\r\n`],
    ['a lone line feed', `${OK}a: b\nc: d\r\n`],
    ['a lone carriage return', `${OK}a: b\rc: d\r\n`],
    ['a null character', `${OK}a: b\0\r\n`],
    ['a delete character', `${OK}a: \x7f\r\n`],
  ])('rejects %s', (_what, text) => {
    expect(() => readHead(text)).toThrow(MalformedResponse);
  });

  it.each([
    ['HTTP/1.1 200 OK\r\n', { statusCode: 200, isOld: false }],
    ['HTTP/1.0 503 Service Unavailable\r\n', { statusCode: 503, isOld: true }],
    ['HTTP/1.1 204 \r\n', { statusCode: 204, isOld: false }],
    ['HTTP/1.1 404\r\n', { statusCode: 404, isOld: false }],
  ])('reads status and version of %j', (text, expected) => {
    expect(readHead(text)).toMatchObject(expected);
  });

  it('reads lowercase names, trimmed values and combined duplicate fields', () => {
    const { headers } = readHead(`${OK}X-A:\t b \r\ncontent-type:application/json\r\nEmpty:\r\nX-a: c: d\r\n__proto__: x\r\n`);
    expect(Object.entries(headers)).toEqual([
      ['x-a', 'b, c: d'],
      ['content-type', 'application/json'],
      ['empty', ''],
      ['__proto__', 'x'],
    ]);
    expect(headers['constructor']).toBeUndefined();
  });
});

describe('isBeginningOfHead', () => {
  it.each(['', 'H', 'HTTP/1.', OK, `${OK}content-`, `${OK}a: b\r`, `${OK}a: b\r\n`])('accepts %j', (text) => {
    expect(isBeginningOfHead(text)).toBe(true);
  });

  it.each(['SSH-2.0', 'h', 'HTTP/2', '\r\n', 'HTTP/1.1 200 OK\n', `${OK}a: b\n`, `${OK}a\0`, `${OK}a: b\r\r`])('rejects %j', (text) => {
    expect(isBeginningOfHead(text)).toBe(false);
  });
});
