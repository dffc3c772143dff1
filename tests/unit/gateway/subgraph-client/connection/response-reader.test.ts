import { describe, expect, it } from '@jest/globals';
import { ResponseReader } from '../../../../../gateway/subgraph-client/connection/response-reader.ts';
import { type Reading, readInPieces, type ReadingOptions } from '../../../../support/http/read-in-pieces.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

/** The bytes whole, one by one, and cut in two at every place. */
function waysToCut(text: string): readonly (readonly Buffer[])[] {
  const bytes = Buffer.from(text, 'latin1');
  const cut = Array.from({ length: bytes.length }, (_byte, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [[bytes], Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)), ...cut.slice(1)];
}

/** What is read, however the bytes come, and whether or not an answer with the same head came before it. */
function read(text: string, options?: ReadingOptions): Reading {
  const [whole = 'waiting', ...others] = waysToCut(text).map((pieces) => readInPieces(pieces, options));
  for (const other of others) expect(other).toEqual(whole);
  if (typeof whole === 'object' && whole.keepsConnection) {
    const reader = new ResponseReader();
    for (const pieces of waysToCut(text)) expect(readInPieces(pieces, { ...options, reader })).toEqual(whole);
  }
  return whole;
}

const closing: ReadingOptions = { closes: true };

describe('ResponseReader, however the bytes come in', () => {
  it.each<readonly [what: string, text: string, options?: ReadingOptions]>([
    ['a length and chunks', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
    ['two lengths', `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
    ['one length twice', `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`],
    ['a list of lengths', `${OK}Content-Length: 5, 5\r\n\r\nhello`],
    ['a length with a sign', `${OK}Content-Length: +5\r\n\r\nhello`],
    ['a negative length', `${OK}Content-Length: -5\r\n\r\nhello`],
    ['a length in hexadecimal', `${OK}Content-Length: 0x5\r\n\r\nhello`],
    ['a length with a fraction', `${OK}Content-Length: 5.0\r\n\r\nhello`],
    ['an empty length', `${OK}Content-Length:\r\n\r\nhello`],
    ['a length that no number holds', `${OK}Content-Length: 99999999999999999999\r\n\r\nhello`],
    ['a length above the limit', `${OK}Content-Length: 101\r\n\r\n`],
    ['another coding', `${OK}Transfer-Encoding: gzip\r\n\r\n`],
    ['a coding before the chunks', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunks in chunks', `${OK}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    ['chunks twice', `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an empty coding', `${OK}Transfer-Encoding:\r\n\r\n`],
    ['chunks by HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a chunk without a size', `${CHUNKED}\r\nhello\r\n`],
    ['a size that is none', `${CHUNKED}0x5\r\nhello\r\n`],
    ['a negative size', `${CHUNKED}-5\r\nhello\r\n`],
    ['a blank after the size', `${CHUNKED}5 \r\nhello\r\n`],
    ['a size of nine digits', `${CHUNKED}000000005\r\nhello\r\n`],
    ['an extension without a name', `${CHUNKED}5;\r\nhello\r\n`],
    ['an extension with a lone line feed', `${CHUNKED}5;a\n\r\nhello\r\n`],
    ['a chunk that is longer than it says', `${CHUNKED}5\r\nhello!\r\n0\r\n\r\n`],
    ['a chunk that is shorter than it says', `${CHUNKED}6\r\nhello\r\n0\r\n\r\n`],
    ['a chunk that ends in a lone line feed', `${CHUNKED}5\r\nhello\n0\r\n\r\n`],
    ['chunks above the limit', `${CHUNKED}64\r\n${'x'.repeat(100)}\r\n1\r\nx\r\n0\r\n\r\n`],
    ['a trailer that is none', `${CHUNKED}0\r\nabc\r\n\r\n`],
    ['a trailer that is folded', `${CHUNKED}0\r\na: b\r\n c\r\n\r\n`],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['lines that end in line feeds', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello'],
    ['another protocol that was switched to', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n'],
    ['an end within the body', `${OK}Content-Length: 5\r\n\r\nhell`, closing],
    ['an end within a chunk', `${CHUNKED}5\r\nhell`, closing],
    ['an end before the last chunk', `${CHUNKED}5\r\nhello\r\n`, closing],
    ['an end within the trailer', `${CHUNKED}0\r\n`, closing],
    ['a body until the end above the limit', `${OK}\r\n${'x'.repeat(101)}`],
  ])('given %s, when read, then it is refused', (_what, text, options = {}) => {
    expect(read(text, options)).toBe('malformed');
  });

  it.each([
    ['a head that goes on and on', `${OK}a: ${'b'.repeat(17_000)}`],
    ['a head that is too long', `${OK}a: ${'b'.repeat(16_400)}\r\n\r\n`],
    ['answers to come that are too many', 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n'.repeat(500)],
    ['an extension that goes on and on', `${CHUNKED}5;${'a'.repeat(1_024)}\r\nhello\r\n`],
    ['a trailer that is too long', `${CHUNKED}0\r\n${'a: b\r\n'.repeat(5_000)}\r\n`],
  ])('given %s, when read, then it is refused', (_what, text) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(readInPieces([bytes])).toBe('malformed');
    expect(
      readInPieces(Array.from({ length: Math.ceil(bytes.length / 100) }, (_piece, at) => bytes.subarray(at * 100, at * 100 + 100))),
    ).toBe('malformed');
  });

  it.each([
    ['nothing', ''],
    ['half a head', `${OK}content-ty`],
    ['an answer to come', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('given %s, when the connection is closed, then there was no answer', (_what, text) => {
    expect(read(text, closing)).toBe('closed');
  });

  it.each<readonly [what: string, text: string, body: string, keepsConnection: boolean]>([
    ['a length', `${OK}Content-Length: 5\r\n\r\nhello`, 'hello', true],
    ['a length of zero', `${OK}Content-Length: 0\r\n\r\n`, '', true],
    ['a length with zeros in front', `${OK}Content-Length: 005\r\n\r\nhello`, 'hello', true],
    ['a length of just the limit', `${OK}Content-Length: 100\r\n\r\n${'x'.repeat(100)}`, 'x'.repeat(100), true],
    ['chunks', `${CHUNKED}5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n`, 'hello!', true],
    ['no chunk but the last', `${CHUNKED}0\r\n\r\n`, '', true],
    ['chunks in capitals', `${OK}TRANSFER-ENCODING: Chunked\r\n\r\n0A\r\n0123456789\r\n000\r\n\r\n`, '0123456789', true],
    ['chunks of one byte', `${CHUNKED}${'1\r\nx\r\n'.repeat(50)}0\r\n\r\n`, 'x'.repeat(50), true],
    ['extensions', `${CHUNKED}5;a;b=c;d="e f;"\r\nhello\r\n0;a\r\n\r\n`, 'hello', true],
    ['a trailer', `${CHUNKED}5\r\nhello\r\n0\r\nX-Sum: 1\r\nContent-Length: 9\r\n\r\n`, 'hello', true],
    ['line breaks in a body', `${OK}Content-Length: 6\r\n\r\n\r\n\r\n\r\n`, '\r\n\r\n\r\n', true],
    ['an answer to come before it', `HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 5\r\n\r\nhello`, 'hello', true],
    ['hints with a length', `HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\n${OK}Content-Length: 5\r\n\r\nhello`, 'hello', true],
    ['a connection that is kept', `${OK}Connection: x, Keep-Alive\r\nContent-Length: 5\r\n\r\nhello`, 'hello', true],
    ['an option that ends like "close"', `${OK}Connection: x-close\r\nContent-Length: 5\r\n\r\nhello`, 'hello', true],
    ['a connection that is not kept', `${OK}Connection: x , Close\r\nContent-Length: 5\r\n\r\nhello`, 'hello', false],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello', false],
    ['HTTP/1.0 that keeps the connection', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello', 'hello', true],
    ['HTTP/1.0 that says both', 'HTTP/1.0 200 OK\r\nConnection: keep-alive, close\r\nContent-Length: 5\r\n\r\nhello', 'hello', false],
    ['bytes behind it', `${OK}Content-Length: 5\r\n\r\nhelloHTTP/1.1`, 'hello', false],
    ['a second answer behind it', `${OK}Content-Length: 5\r\n\r\nhello`.repeat(2), 'hello', false],
    ['bytes behind the last chunk', `${CHUNKED}5\r\nhello\r\n0\r\n\r\n\r\n`, 'hello', false],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', '', true],
    ['204 that announces chunks', 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n', '', false],
    ['304 with the length of what it stands for', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', '', false],
  ])('given %s, when read, then its body is known, and whether the connection can be used again', (_what, text, body, keeps) => {
    expect(read(text)).toMatchObject({ body, keepsConnection: keeps });
  });

  it.each([
    ['a body', `${OK}\r\nhello`, 'hello'],
    ['no body', `${OK}\r\n`, ''],
  ])('given %s until the end of the connection, when it ends, then that is all, and there is no next one', (_what, text, body) => {
    expect(read(text, closing)).toMatchObject({ body, keepsConnection: false });
  });

  it.each([
    ['a body', `${OK}Content-Length: 5\r\n\r\nhell`],
    ['a body until the end', `${OK}\r\nhello`],
    ['the last chunk', `${CHUNKED}5\r\nhello\r\n`],
    ['the end of the trailer', `${CHUNKED}0\r\na: b\r\n`],
  ])('given all but %s, when read, then more is waited for', (_what, text) => {
    expect(read(text)).toBe('waiting');
  });

  it.each([
    ['another status', 'HTTP/1.1 201 OK\r\nContent-Length: 5\r\n\r\nhello', { statusCode: 201 }, 'hello'],
    ['another length', `${OK}Content-Length: 4\r\n\r\nhell`, { headers: { 'content-length': '4' } }, 'hell'],
    ['another field behind it', `${OK}Content-Length: 5\r\nAge: 1\r\n\r\nhello`, { headers: { age: '1' } }, 'hello'],
    ['no length', `${CHUNKED}5\r\nhello\r\n0\r\n\r\n`, { headers: { 'transfer-encoding': 'chunked' } }, 'hello'],
  ])('given an answer before it, when one with %s is read, then it has its own head', (_what, text, head, body) => {
    const reader = new ResponseReader();
    for (const pieces of waysToCut(text)) {
      readInPieces([Buffer.from(`${OK}Content-Length: 5\r\n\r\nfirst`)], { reader });
      expect(readInPieces(pieces, { reader })).toMatchObject({ head, body });
    }
  });

  it('given an answer before it, when one with the same head is longer than its own limit, then it is refused', () => {
    const reader = new ResponseReader();
    const bytes = Buffer.from(`${OK}Content-Length: 5\r\n\r\nhello`);
    expect(readInPieces([bytes], { reader })).toMatchObject({ body: 'hello' });
    expect(readInPieces([bytes], { reader, maxBytes: 4 })).toBe('malformed');
  });

  it('given a length that is announced and does not come, when read, then no memory is taken for it', () => {
    const before = process.memoryUsage().arrayBuffers;
    const bytes = Buffer.from(`${OK}Content-Length: 1000000000\r\n\r\nx`, 'latin1');
    expect(readInPieces([bytes], { maxBytes: 1_073_741_824 })).toBe('waiting');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_194_304);
  });
});
