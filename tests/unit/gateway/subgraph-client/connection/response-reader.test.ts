import { describe, expect, it } from '@jest/globals';
import { ResponseReader } from '../../../../../gateway/subgraph-client/connection/response-reader.ts';
import { type Reading, readInPieces, type ReadingOptions } from '../../../../support/http/read-in-pieces.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

/** Returns the bytes as a whole, byte by byte, and split in two at every position. */
function waysToCut(text: string): readonly (readonly Buffer[])[] {
  const bytes = Buffer.from(text, 'latin1');
  const cut = Array.from({ length: bytes.length }, (_byte, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [[bytes], Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)), ...cut.slice(1)];
}

/** Expects the same result for every way to split the bytes, also after a response with the same head. Returns this result. */
function read(text: string, options?: ReadingOptions): Reading {
  const [whole = 'waiting', ...others] = waysToCut(text).map((pieces) => readInPieces(pieces, options));
  for (const other of others) expect(other).toEqual(whole);
  if (typeof whole === 'object' && whole.keepsAlive) {
    const reader = new ResponseReader();
    for (const pieces of waysToCut(text)) expect(readInPieces(pieces, { ...options, reader })).toEqual(whole);
  }
  return whole;
}

const closing: ReadingOptions = { closes: true };

describe('ResponseReader, with any chunks of bytes', () => {
  it.each<readonly [what: string, text: string, options?: ReadingOptions]>([
    ['both a length and chunks', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
    ['two lengths', `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
    ['a duplicate length', `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`],
    ['a list of lengths', `${OK}Content-Length: 5, 5\r\n\r\nhello`],
    ['a length with a sign', `${OK}Content-Length: +5\r\n\r\nhello`],
    ['a negative length', `${OK}Content-Length: -5\r\n\r\nhello`],
    ['a length in hexadecimal', `${OK}Content-Length: 0x5\r\n\r\nhello`],
    ['a length with a fraction', `${OK}Content-Length: 5.0\r\n\r\nhello`],
    ['an empty length', `${OK}Content-Length:\r\n\r\nhello`],
    ['a length that exceeds any safe integer', `${OK}Content-Length: 99999999999999999999\r\n\r\nhello`],
    ['a length above the limit', `${OK}Content-Length: 101\r\n\r\n`],
    ['another coding', `${OK}Transfer-Encoding: gzip\r\n\r\n`],
    ['a coding before chunked', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunked in chunked', `${OK}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    ['two chunked fields', `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an empty coding', `${OK}Transfer-Encoding:\r\n\r\n`],
    ['chunks by HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a chunk without a size', `${CHUNKED}\r\nhello\r\n`],
    ['an invalid chunk size', `${CHUNKED}0x5\r\nhello\r\n`],
    ['a negative size', `${CHUNKED}-5\r\nhello\r\n`],
    ['a space after the size', `${CHUNKED}5 \r\nhello\r\n`],
    ['a size of nine digits', `${CHUNKED}000000005\r\nhello\r\n`],
    ['an extension without a name', `${CHUNKED}5;\r\nhello\r\n`],
    ['an extension with a lone line feed', `${CHUNKED}5;a\n\r\nhello\r\n`],
    ['a chunk that is longer than its size', `${CHUNKED}5\r\nhello!\r\n0\r\n\r\n`],
    ['a chunk that is shorter than its size', `${CHUNKED}6\r\nhello\r\n0\r\n\r\n`],
    ['a chunk that ends in a lone line feed', `${CHUNKED}5\r\nhello\n0\r\n\r\n`],
    ['chunks above the limit', `${CHUNKED}64\r\n${'x'.repeat(100)}\r\n1\r\nx\r\n0\r\n\r\n`],
    ['an invalid trailer', `${CHUNKED}0\r\nabc\r\n\r\n`],
    ['a trailer that is folded', `${CHUNKED}0\r\na: b\r\n c\r\n\r\n`],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['lines that end in line feeds', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello'],
    ['a switch to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n'],
    ['an end within the body', `${OK}Content-Length: 5\r\n\r\nhell`, closing],
    ['an end within a chunk', `${CHUNKED}5\r\nhell`, closing],
    ['an end before the last chunk', `${CHUNKED}5\r\nhello\r\n`, closing],
    ['an end within the trailer', `${CHUNKED}0\r\n`, closing],
    ['a body until the end above the limit', `${OK}\r\n${'x'.repeat(101)}`],
  ])('rejects %s as malformed', (_what, text, options = {}) => {
    expect(read(text, options)).toBe('malformed');
  });

  it.each([
    ['a head without an end', `${OK}a: ${'b'.repeat(17_000)}`],
    ['a head that is too long', `${OK}a: ${'b'.repeat(16_400)}\r\n\r\n`],
    ['too many informational responses', 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n'.repeat(500)],
    ['an extension without an end', `${CHUNKED}5;${'a'.repeat(1_024)}\r\nhello\r\n`],
    ['a trailer that is too long', `${CHUNKED}0\r\n${'a: b\r\n'.repeat(5_000)}\r\n`],
  ])('rejects %s above a size limit', (_what, text) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(readInPieces([bytes])).toBe('malformed');
    expect(
      readInPieces(Array.from({ length: Math.ceil(bytes.length / 100) }, (_piece, at) => bytes.subarray(at * 100, at * 100 + 100))),
    ).toBe('malformed');
  });

  it.each([
    ['no bytes', ''],
    ['half a head', `${OK}content-ty`],
    ['an informational response', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('reports a closed connection without a response after %s', (_what, text) => {
    expect(read(text, closing)).toBe('closed');
  });

  it.each<readonly [what: string, text: string, body: string, keepsAlive: boolean]>([
    ['a length', `${OK}Content-Length: 5\r\n\r\nhello`, 'hello', true],
    ['a length of zero', `${OK}Content-Length: 0\r\n\r\n`, '', true],
    ['a length with leading zeros', `${OK}Content-Length: 005\r\n\r\nhello`, 'hello', true],
    ['a length of just the limit', `${OK}Content-Length: 100\r\n\r\n${'x'.repeat(100)}`, 'x'.repeat(100), true],
    ['chunks', `${CHUNKED}5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n`, 'hello!', true],
    ['only the last chunk', `${CHUNKED}0\r\n\r\n`, '', true],
    ['uppercase chunk sizes', `${OK}TRANSFER-ENCODING: Chunked\r\n\r\n0A\r\n0123456789\r\n000\r\n\r\n`, '0123456789', true],
    ['chunks of one byte', `${CHUNKED}${'1\r\nx\r\n'.repeat(50)}0\r\n\r\n`, 'x'.repeat(50), true],
    ['extensions', `${CHUNKED}5;a;b=c;d="e f;"\r\nhello\r\n0;a\r\n\r\n`, 'hello', true],
    ['a trailer', `${CHUNKED}5\r\nhello\r\n0\r\nX-Sum: 1\r\nContent-Length: 9\r\n\r\n`, 'hello', true],
    ['line breaks in a body', `${OK}Content-Length: 6\r\n\r\n\r\n\r\n\r\n`, '\r\n\r\n\r\n', true],
    ['an informational response before it', `HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 5\r\n\r\nhello`, 'hello', true],
    ['hints with a length', `HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\n${OK}Content-Length: 5\r\n\r\nhello`, 'hello', true],
    ['a persistent connection', `${OK}Connection: x, Keep-Alive\r\nContent-Length: 5\r\n\r\nhello`, 'hello', true],
    ['an option that ends like "close"', `${OK}Connection: x-close\r\nContent-Length: 5\r\n\r\nhello`, 'hello', true],
    ['a connection that is not persistent', `${OK}Connection: x , Close\r\nContent-Length: 5\r\n\r\nhello`, 'hello', false],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello', false],
    ['HTTP/1.0 with a persistent connection', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello', 'hello', true],
    ['HTTP/1.0 with both options', 'HTTP/1.0 200 OK\r\nConnection: keep-alive, close\r\nContent-Length: 5\r\n\r\nhello', 'hello', false],
    ['bytes after it', `${OK}Content-Length: 5\r\n\r\nhelloHTTP/1.1`, 'hello', false],
    ['a second response after it', `${OK}Content-Length: 5\r\n\r\nhello`.repeat(2), 'hello', false],
    ['bytes after the last chunk', `${CHUNKED}5\r\nhello\r\n0\r\n\r\n\r\n`, 'hello', false],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', '', true],
    ['204 that announces chunks', 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n', '', false],
    ['304 with the length of its representation', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', '', false],
  ])('reads the body of %s and whether the connection is reusable', (_what, text, body, keeps) => {
    expect(read(text)).toMatchObject({ body, keepsAlive: keeps });
  });

  it.each([
    ['a body', `${OK}\r\nhello`, 'hello'],
    ['no body', `${OK}\r\n`, ''],
  ])('reads %s until the connection ends and does not reuse it', (_what, text, body) => {
    expect(read(text, closing)).toMatchObject({ body, keepsAlive: false });
  });

  it.each([
    ['a body', `${OK}Content-Length: 5\r\n\r\nhell`],
    ['a body until the end', `${OK}\r\nhello`],
    ['the last chunk', `${CHUNKED}5\r\nhello\r\n`],
    ['the end of the trailer', `${CHUNKED}0\r\na: b\r\n`],
  ])('waits for more bytes if only %s is missing', (_what, text) => {
    expect(read(text)).toBe('waiting');
  });

  it.each([
    ['another status', 'HTTP/1.1 201 OK\r\nContent-Length: 5\r\n\r\nhello', { statusCode: 201 }, 'hello'],
    ['another length', `${OK}Content-Length: 4\r\n\r\nhell`, { headers: { 'content-length': '4' } }, 'hell'],
    ['another field after it', `${OK}Content-Length: 5\r\nAge: 1\r\n\r\nhello`, { headers: { age: '1' } }, 'hello'],
    ['no length', `${CHUNKED}5\r\nhello\r\n0\r\n\r\n`, { headers: { 'transfer-encoding': 'chunked' } }, 'hello'],
  ])('reads the head of a later response with %s', (_what, text, head, body) => {
    const reader = new ResponseReader();
    for (const pieces of waysToCut(text)) {
      readInPieces([Buffer.from(`${OK}Content-Length: 5\r\n\r\nfirst`)], { reader });
      expect(readInPieces(pieces, { reader })).toMatchObject({ head, body });
    }
  });

  it('applies its own limit to a later response with the same head', () => {
    const reader = new ResponseReader();
    const bytes = Buffer.from(`${OK}Content-Length: 5\r\n\r\nhello`);
    expect(readInPieces([bytes], { reader })).toMatchObject({ body: 'hello' });
    expect(readInPieces([bytes], { reader, maxBytes: 4 })).toBe('malformed');
  });

  it('allocates no memory for an announced length before the bytes arrive', () => {
    const before = process.memoryUsage().arrayBuffers;
    const bytes = Buffer.from(`${OK}Content-Length: 1000000000\r\n\r\nx`, 'latin1');
    expect(readInPieces([bytes], { maxBytes: 1_073_741_824 })).toBe('waiting');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_194_304);
  });
});
