import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type LibraryGateway, startLibraryGateway } from '../fixtures/library-graph.ts';
import { sendRaw, statusesOf } from '../support/http/raw-http.ts';

const BODY = '{"query":"query ($id: ID!) { book(id: $id) { id } }","variables":{"id":"1"}}';
const PACKED = gzipSync(BODY).toString('latin1');
const JSON_HEADERS = 'Host: a\r\nContent-Type: application/json\r\n';

const SEEDS = [
  `POST /graphql HTTP/1.1\r\n${JSON_HEADERS}Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  `POST /graphql HTTP/1.1\r\n${JSON_HEADERS}Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  `POST /graphql HTTP/1.1\r\n${JSON_HEADERS}Content-Encoding: gzip\r\nContent-Length: ${PACKED.length}\r\n\r\n${PACKED}`,
  'GET /graphql?query=%7Bbook(id:%221%22)%7Bid%7D%7D&variables=%7B%7D HTTP/1.1\r\nHost: a\r\nAccept: application/json;q=0.5, */*\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a.b.c\r\nX-Correlation-Id: abc\r\n\r\n',
];

/** Statuses that a client may receive for its own mistakes. The only 5xx ones report unsupported HTTP features. */
const ALLOWED = new Set([100, 200, 204, 304, 400, 401, 404, 405, 406, 408, 413, 414, 415, 417, 431, 501, 505]);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat({ max: 12 }),
  insert: fc.oneof(
    fc.constantFrom('\r\n', '\n', '\0', ' ', ':', '%', '%00', 'chunked', 'Host: b\r\n', '\r\n\r\n', '{', '"', '\\', '\xff', '9'.repeat(30)),
    fc.string({ unit: 'binary-ascii', maxLength: 4 }),
  ),
});

const bytes = fc.tuple(fc.constantFrom(...SEEDS), fc.array(edit, { minLength: 1, maxLength: 4 })).map(([seed, edits]) =>
  edits.reduce((text, { at, remove, insert }) => {
    const index = Math.floor(at * text.length);
    return text.slice(0, index) + insert + text.slice(index + remove);
  }, seed),
);

describe('the gateway with bytes that are almost requests', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway({ config: { server: { maxBodyBytes: 10_000, headersTimeoutMs: 100, requestTimeoutMs: 100 } } });
  });
  afterAll(async () => {
    await library[Symbol.asyncDispose]();
  });

  it('responds with the status of a client error or of a success', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 10, maxLength: 10 }), async (all) => {
        const responses = await Promise.all(
          all.map((one) => sendRaw(library.url, Buffer.from(`${one}\r\n\r\n`, 'latin1'), { half: true })),
        );
        for (const response of responses) {
          expect(statusesOf(response).filter((status) => !ALLOWED.has(status))).toEqual([]);
          expect(response).not.toMatch(/\bat \S+ \(|node:internal|INTERNAL_SERVER_ERROR/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('serves the next client after a client resets the connection', async () => {
    await using patient = await startLibraryGateway({ config: { server: { maxBodyBytes: 10_000 } } }); // A busy machine makes clients slow.
    await fc.assert(
      fc.asyncProperty(bytes, fc.double({ min: 0, max: 1, noNaN: true }), async (one, at) => {
        const { hostname, port } = new URL(patient.url);
        const socket = connect({ host: hostname, port: Number(port) });
        socket.on('error', () => {});
        const closed = once(socket, 'close');
        socket.write(Buffer.from(one, 'latin1').subarray(0, Math.ceil(at * one.length)), () => socket.resetAndDestroy());
        await closed;
        expect((await fetch(`${patient.url}/health`)).status).toBe(200);
      }),
      { numRuns: 200 },
    );
  });
});
