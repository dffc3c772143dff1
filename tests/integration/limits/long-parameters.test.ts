import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ShapesUnderTest, startShapes } from './shape-transports.ts';

// A regular expression with backtracking would take minutes for texts like these, and the test would time out.

let shapes: ShapesUnderTest;
beforeAll(async () => {
  shapes = await startShapes({ server: { port: 0, internalPort: 0, maxUrlBytes: 65_536 } });
});
afterAll(async () => shapes[Symbol.asyncDispose]());

const LENGTH = 65_536;
/** Node accepts headers of 16 KiB in total. */
const [TARGET_LENGTH, HEADER_LENGTH] = [12_000, 12_000];
const TEXTS = ['a', ' ', '1', '-', ',', '(', '%20', '.', '/', '=', ';q=', 'a,', 'a=b;', '"', '\\', '{', '1e', '0x', ':', '@'].map(
  (part) => ({
    part,
    text: `${part.repeat(Math.floor(LENGTH / part.length))}!`,
  }),
);

const QUERY_PARAMETERS = ['author', 'inStock', 'size', 'page', 'offset', 'after', 'sort', 'fields', 'limit', 'first', 'status', 'q'];
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'x-api-key',
  'if-none-match',
  'if-match',
  'idempotency-key',
  'x-correlation-id',
  'x-forwarded-for',
  'forwarded',
  'traceparent',
  'prefer',
  'origin',
  'cache-control',
  'gatefold-cost',
  'content-type',
];

/** Expects a response that is not an internal error. */
function expectResponse({ status }: { readonly status: number }): void {
  expect(status).toBeGreaterThanOrEqual(200);
  expect([status, status >= 500 && status !== 503]).toEqual([status, false]); // The test subgraphs return no data, which leads to 503.
}

describe('Backtracking', () => {
  it.each(TEXTS)('Backtracking: responds to 12 KB of $part in every parameter of a REST route', async ({ text }) => {
    for (const name of QUERY_PARAMETERS)
      expectResponse(await shapes.http.get(`/books?${name}=${encodeURIComponent(text).slice(0, TARGET_LENGTH)}`));
    expectResponse(await shapes.http.get(`/books/${encodeURIComponent(text).slice(0, TARGET_LENGTH)}`));
  });

  it.each(TEXTS)('Backtracking: responds to 64 KB of $part in variables and names, 12 KB in headers', async ({ text }) => {
    const query = 'query ($s: String, $i: ID!) { user(id: $i) { id } search(term: $s) { __typename } }';
    expectResponse(await shapes.http.post('/graphql', { query, variables: { s: text, i: text } }));
    expectResponse(await shapes.http.post('/graphql', { query: text }));
    expectResponse(await shapes.http.post('/graphql', { query: '{ me { id } }', operationName: text }));
    expectResponse(await shapes.http.post('/graphql', { documentId: text }));
    expectResponse(await shapes.http.post('/graphql', { extensions: { persistedQuery: { version: 1, sha256Hash: text } } }));
    for (const name of HEADERS) {
      expectResponse(
        await shapes.http.send({
          method: 'POST',
          path: '/graphql',
          body: '{"query":"{ me { id } }"}',
          headers: { 'content-type': 'application/json', [name]: text.slice(-HEADER_LENGTH) },
        }),
      );
    }
  });
});
