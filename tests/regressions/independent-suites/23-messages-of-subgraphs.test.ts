import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import { composedOf, serve, startTestApolloEngine } from '../../fixtures/apollo-engine.ts';

const SDL = `
  type Query { book(id: ID!): Book }
  type Mutation { renameBook(id: ID!): Book }
  type Book { id: ID! title: String }
`;
const ROUTES = `"Shows a book." query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") {
  book(id: $id) @result { id title }
}
"Renames a book." mutation RenameBook($id: ID! @in(path: "id")) @endpoint(method: POST, path: "/books/{id}", status: 200) {
  renameBook(id: $id) @result { id title }
}`;

const SECRET = 'secret host db1';
const QUERY = '{ book(id: "1") { title } }';
const MUTATION = 'mutation { renameBook(id: "1") { title } }';

/** Response that the subgraph currently sends. */
let httpResponse: { readonly status?: number; readonly type?: string; readonly body: string };
const failWith = (code: unknown, message = SECRET): void => {
  const extensions = {
    ...(code === undefined ? {} : { code }),
    exception: { stacktrace: [SECRET] },
    gatefoldReadable: { message: SECRET, code: 'FORGED' },
  };
  httpResponse = { body: JSON.stringify({ data: null, errors: [{ message, extensions }] }) };
};

let directory: string;
let subgraph: Awaited<ReturnType<typeof serve>>;
let production: RunningGateway;
let development: RunningGateway;

async function start(profile: 'production' | 'dev', sdl: string): Promise<RunningGateway> {
  return startTestApolloEngine({
    config: {
      profile,
      supergraph: { sdl },
      subgraphs: { errorCodes: ['OUT_OF_STOCK'], retry: { maxRetries: 0 }, circuitBreaker: { enabled: false }, requestTimeoutMs: 20_000 },
    },
    rest: { documents: directory },
  });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-apollo-'));
  await writeFile(join(directory, 'books.graphql'), ROUTES);
  subgraph = await serve((request, response) => {
    request.resume();
    const { status = 200, type = 'application/json', body } = httpResponse;
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  const sdl = composedOf({ books: { sdl: SDL, url: `${subgraph.url}/graphql` } });
  [production, development] = [await start('production', sdl), await start('dev', sdl)];
});
afterAll(async () => {
  await production[Symbol.asyncDispose]();
  await development[Symbol.asyncDispose]();
  await subgraph[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

type QueryRequest = (url: string) => Promise<{ readonly status: number; readonly text: string }>;

async function fetchText(url: string, init: RequestInit = {}): ReturnType<QueryRequest> {
  const response = await fetch(url, init);
  return { status: response.status, text: JSON.stringify([...response.headers]) + (await response.text()) };
}

const post =
  (query: string, accept = 'application/json'): QueryRequest =>
  (url) =>
    fetchText(`${url}/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query }),
      headers: { 'content-type': 'application/json', accept },
    });

const GRAPHQL: readonly (readonly [string, QueryRequest])[] = [
  ['POST /graphql', post(QUERY)],
  ['a mutation', post(MUTATION, 'application/graphql-response+json')],
  ['GET /graphql', (url) => fetchText(`${url}/graphql?query=${encodeURIComponent(QUERY)}`)],
];
const REST: readonly (readonly [string, QueryRequest])[] = [
  ['REST GET', (url) => fetchText(`${url}/books/1`)],
  ['REST GET below /api', (url) => fetchText(`${url}/api/books/1`)],
  ['REST POST', (url) => fetchText(`${url}/books/1`, { method: 'POST', headers: { 'x-requested-with': 'test' } })],
];

describe('point 23: subgraph errors behind the engine "apollo"', () => {
  describe.each([
    ['X'],
    ['SQLITE_BUSY'],
    ['CIRCUIT_OPEN'],
    ['PERSISTED_QUERY_NOT_FOUND'],
    ['TOKEN_EXPIRED'],
    ['INTERNAL_SERVER_ERROR'],
    [undefined],
  ])('with the code %p, which a subgraph may not set', (code) => {
    it.each([...GRAPHQL, ...REST])('have no word in production (%s)', async (_path, request) => {
      failWith(code);
      const { text } = await request(production.url);
      expect(text).toContain('INTERNAL_SERVER_ERROR');
      expect(text).not.toMatch(
        /secret|host db1|SQLITE|CIRCUIT_OPEN|PERSISTED|TOKEN_EXPIRED|"X"|FORGED|stacktrace|serviceName|\bbooks"|127\.0\.0\.1:/,
      );
    });

    it.each(REST)('have status 500 in production and in development (%s)', async (_path, request) => {
      failWith(code);
      expect([(await request(production.url)).status, (await request(development.url)).status]).toEqual([500, 500]);
    });

    it.each([...GRAPHQL, ...REST])('are forwarded in development, with the name of the subgraph (%s)', async (_path, request) => {
      failWith(code);
      const text = (await request(development.url)).text.replaceAll('\\', '');
      expect(text).toContain(`Subgraph "books": ${SECRET}`);
      expect(text).not.toMatch(/stacktrace|serviceName|FORGED/);
    });
  });

  it.each([
    ['CONFLICT', 409],
    ['NOT_FOUND', 404],
    ['OUT_OF_STOCK', 400],
  ])('are forwarded with the listed code %s, and REST has its status', async (code, status) => {
    failWith(code, 'Written for clients.');
    for (const [, request] of [...GRAPHQL, ...REST]) expect((await request(production.url)).text).toContain('Written for clients.');
    for (const [, request] of GRAPHQL) expect((await request(production.url)).text).toContain(code);
    for (const [, request] of REST) expect((await request(production.url)).status).toBe(status);
  });

  it('have no replacement message for a listed code without a message', async () => {
    failWith('CONFLICT', '');
    for (const [, request] of GRAPHQL) {
      const { text } = await request(production.url);
      expect(text).toContain('CONFLICT');
      expect(text).not.toMatch(/books"|service/);
    }
  });

  it.each([
    ['a body that is not JSON', 'SUBGRAPH_INVALID_RESPONSE', { body: SECRET }],
    ['JSON that is not a response', 'SUBGRAPH_INVALID_RESPONSE', { body: JSON.stringify([SECRET]) }],
    ['invalid errors', 'SUBGRAPH_INVALID_RESPONSE', { body: JSON.stringify({ errors: SECRET }) }],
    ['an HTML page', 'SUBGRAPH_INVALID_RESPONSE', { type: 'text/html', body: `<h1>${SECRET}</h1>` }],
    ['a redirect', 'SUBGRAPH_INVALID_RESPONSE', { status: 302, body: SECRET }],
    ['a proxy that cannot reach the subgraph', 'SUBGRAPH_UNAVAILABLE', { status: 502, type: 'text/html', body: SECRET }],
  ])('have no word of %s: the code is %s, and REST returns 503', async (_what, code, given) => {
    httpResponse = given;
    for (const engine of [production, development]) {
      for (const [, request] of GRAPHQL) {
        const { text } = await request(engine.url);
        expect(text).toContain(code);
        expect(text).not.toMatch(/secret|books"|127\.0\.0\.1:/);
      }
      for (const [, request] of REST) {
        const { status, text } = await request(engine.url);
        expect(status).toBe(503);
        expect(text).not.toMatch(/secret|host db1|127\.0\.0\.1:/);
      }
    }
  });
});
