import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Reading, readInPieces } from '../support/http/read-in-pieces.ts';

const SEED = Number(process.env['HTTP_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const RUNS = 4_000;

const USED = ['content-type', 'content-encoding', 'retry-after'] as const;

/** The properties of a response that the gateway reads, or that the response is rejected. */
type Classification = { readonly status: number; readonly headers: readonly (string | undefined)[]; readonly body: string } | 'refused';

/** Returns the result of Node's own client for the same bytes, after which the connection ends. */
function nodeClassification(bytes: Buffer): Promise<Classification> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    const reject = (): void => resolve('refused');
    let hasResponse = false;
    const requested = request({ createConnection: () => socket, method: 'POST', host: 'a' }, (response) => {
      hasResponse = true;
      const chunks: Buffer[] = [];
      const fields = response.rawHeaders;
      const valueOf = (name: string): string | undefined => {
        const values = fields.filter((_text, index) => index % 2 === 1 && fields[index - 1]?.toLowerCase() === name);
        return values.length === 0 ? undefined : values.join(', ');
      };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('close', () => {
        const body = Buffer.concat(chunks).toString('latin1');
        resolve(response.complete ? { status: response.statusCode ?? 0, headers: USED.map(valueOf), body } : 'refused');
      });
    });
    // An error after the response, caused by trailing bytes, does not change its result.
    requested.on('error', () => hasResponse || reject());
    requested.on('close', () => hasResponse || reject());
    requested.on('upgrade', reject);
    requested.end('{}', () => {
      socket.push(bytes);
      socket.push(null);
    });
  });
}

function classificationOf(reading: Reading): Classification {
  if (typeof reading === 'string') return 'refused';
  const { head, body } = reading;
  return { status: head.statusCode, headers: USED.map((name) => head.headers[name]), body };
}

const gatewayClassification = (...pieces: readonly Buffer[]): Classification =>
  classificationOf(readInPieces(pieces, { maxBytes: 100_000, closes: true }));

const token = fc.constantFrom(
  'X-A',
  'Date',
  'Content-Type',
  'content-type',
  'Retry-After',
  'Content-Encoding',
  'Connection',
  'Keep-Alive',
  '__proto__',
);
const value = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'identity',
  '5',
  'close',
  'keep-alive',
  'timeout=5',
  'a, b',
  '',
  '\xfc',
);
const field = fc.tuple(token, fc.constantFrom(': ', ':', ':\t '), value).map((parts) => `${parts.join('')}\r\n`);
const body = fc.constantFrom('', '{}', '{"data":{"a":"b"}}', '\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(300));
const version = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0');
const status = fc.constantFrom('200 OK', '200 ', '404 Not Found', '503 Service Unavailable', '204 No Content', '304 Not Modified');

function inChunks(text: string, size: number): string {
  let lines = '';
  for (let at = 0; at < text.length; at += size) {
    const chunk = text.slice(at, at + size);
    lines += `${chunk.length.toString(16)}${size === 7 ? ';a=b' : ''}\r\n${chunk}\r\n`;
  }
  return `${lines}0\r\n${size === 7 ? 'X-Sum: 1\r\n' : ''}\r\n`;
}

const framed = fc.oneof(
  body.map((text) => [`Content-Length: ${text.length}\r\n`, text] as const),
  fc.tuple(body, fc.constantFrom(1, 7, 1_000)).map(([text, size]) => ['Transfer-Encoding: chunked\r\n', inChunks(text, size)] as const),
  body.map((text) => ['', text] as const),
);

const interim = fc.constantFrom('', '', '', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
const fields = fc.array(field, { maxLength: 4 }).map((lines) => lines.join(''));

const response = fc
  .tuple(interim, version, status, fields, framed, fields)
  .map(([before, protocol, code, some, [framing, text], more]) => `${before}${protocol} ${code}\r\n${some}${framing}${more}\r\n${text}`);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat({ max: 8 }),
  insert: fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      '\0',
      ' ',
      '\t',
      ':',
      ';',
      ',',
      '+',
      '0',
      'chunked',
      'Content-Length: 3\r\n',
      'Transfer-Encoding: chunked\r\n',
    ),
    fc.constantFrom(
      '\r\n\r\n',
      '\r\n ',
      '0\r\n\r\n',
      'HTTP/1.1 200 OK\r\n',
      'Connection: upgrade\r\nUpgrade: h2c\r\n',
      '\xff',
      '9'.repeat(20),
      '"',
      '\x7f',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 3 }),
  ),
});

const bytes = fc.tuple(response, fc.array(edit, { maxLength: 2 })).map(([text, edits]) => {
  const edited = edits.reduce((before, { at, remove, insert }) => {
    const index = Math.floor(at * before.length);
    return before.slice(0, index) + insert + before.slice(index + remove);
  }, text);
  return Buffer.from(edited, 'latin1');
});

describe(`the response reader compared with Node’s own, from seed ${SEED} (HTTP_SEED)`, () => {
  it('reads every random or modified response that it accepts like Node', async () => {
    const taken = { byBoth: 0, byNodeAlone: 0, byNone: 0 };
    await fc.assert(
      fc.asyncProperty(bytes, fc.double({ min: 0, max: 1, noNaN: true }), async (raw, cut) => {
        const ours = gatewayClassification(raw);
        const at = Math.floor(cut * raw.length);
        expect(gatewayClassification(raw.subarray(0, at), raw.subarray(at))).toEqual(ours);
        const theirs = await nodeClassification(raw);
        if (ours !== 'refused') expect(ours).toEqual(theirs);
        taken[ours !== 'refused' ? 'byBoth' : theirs === 'refused' ? 'byNone' : 'byNodeAlone'] += 1;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // Otherwise nothing was compared.
    expect(taken.byBoth).toBeGreaterThan(RUNS / 4);
    expect(taken.byNone).toBeGreaterThan(RUNS / 20);
  });
});

describe('the response reader compared with Node’s own on ambiguous responses', () => {
  const OK = 'HTTP/1.1 200 OK\r\n';

  it.each([
    ['an empty line in front', `\r\n${OK}Content-Length: 2\r\n\r\n{}`],
    ['a status outside the five classes', 'HTTP/1.1 600 Odd\r\nContent-Length: 2\r\n\r\n{}'],
    ['a control character in the reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\n{}'],
    ['another major version', 'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['chunked coding with HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['a transfer coding other than chunked', `${OK}Transfer-Encoding: gzip\r\n\r\n{}`],
    ['a transfer coding before chunked', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['chunked coding twice', `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['an empty transfer coding', `${OK}Transfer-Encoding:\r\n\r\n{}`],
    ['a chunk size of more than eight digits', `${OK}Transfer-Encoding: chunked\r\n\r\n000000002\r\n{}\r\n0\r\n\r\n`],
    ['a length of more than fifteen digits', `${OK}Content-Length: 0000000000000002\r\n\r\n{}`],
    ['an extension with a backslash', `${OK}Transfer-Encoding: chunked\r\n\r\n2;a="\\""\r\n{}\r\n0\r\n\r\n`],
    [
      'more than 16 KB of interim responses',
      `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500)}${OK}Content-Length: 2\r\n\r\n{}`,
    ],
    ['a chunk line of more than 1 KB', `${OK}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(1_100)}\r\n{}\r\n0\r\n\r\n`],
  ])('rejects %s, which Node accepts', async (_what, text) => {
    const raw = Buffer.from(text, 'latin1');
    expect(await nodeClassification(raw)).not.toBe('refused');
    expect(gatewayClassification(raw)).toBe('refused');
  });
});
