import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type RunningGateway, startGateway } from '../../../cli/start-gateway.ts';
import {
  type ApolloEngineOptions,
  apolloConfig,
  composedOf,
  recordingLogger,
  serve,
  startTestApolloEngine,
} from '../../fixtures/apollo-engine.ts';
import { sendRaw } from '../../support/http/raw-socket.ts';

const SDL = `
  type Query { book(id: ID, filter: Filter): Book slow: Book }
  type Mutation { renameBook(id: ID!): Book }
  type Book { id: ID! title: String next: Book }
  input Filter { title: String and: Filter }
`;
const ROUTES = `"Shows a book." query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") {
  book(id: $id) @result { id title }
}
"Shows a slow one." query GetSlow @endpoint(method: GET, path: "/slow") { slow @result { id title } }
"Renames a book." mutation RenameBook($id: ID! @in(path: "id")) @endpoint(method: POST, path: "/books/{id}", status: 200) {
  renameBook(id: $id) @result { id title }
}`;
const LONG = 'x'.repeat(3_000);

let directory: string;
let options: ApolloEngineOptions;
let subgraph: Awaited<ReturnType<typeof serve>>;
let own: RunningGateway;
let apollo: RunningGateway;

/** Starts both engines with the same settings. */
async function startBoth(more: ApolloEngineOptions): Promise<readonly [RunningGateway, RunningGateway]> {
  const { engine: _engine, ...config } = apolloConfig(more);
  return [await startGateway(config), await startTestApolloEngine(more)];
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-refusals-'));
  await writeFile(join(directory, 'books.graphql'), ROUTES);
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(join(directory, 'identity.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  subgraph = await serve((request, response) => {
    void text(request).then((body) => {
      if (body.includes('slow')) return;
      const book = { id: body.includes('null') ? null : '1', title: LONG };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: { book, renameBook: book } }));
    });
  });
  const sdl = composedOf({ books: { sdl: SDL, url: `${subgraph.url}/graphql` } });
  options = {
    config: {
      supergraph: { sdl },
      identity: { privateKeyFile: join(directory, 'identity.pem') },
      maintenance: { key: 'm'.repeat(32) },
      server: { maxBodyBytes: 20_000, maxUrlBytes: 2_000, cors: { origins: ['https://shop.example.com'] } },
      graphql: { maxTokens: 300, maxVariableDepth: 5, operationTimeoutMs: 400 },
      limits: {
        maxDepth: 4,
        maxAliases: 5,
        maxRootFields: 6,
        maxSelections: 40,
        maxDirectives: 6,
        maxDirectivesPerLocation: 2,
        maxOperations: 2,
        singleUse: ['Mutation.renameBook'],
      },
      auth: { providers: { basic: { file: join(directory, 'users.json') } } },
    },
    rest: { documents: directory },
  };
  await writeFile(join(directory, 'users.json'), JSON.stringify({ users: [] }));
  [own, apollo] = await startBoth(options);
});
afterAll(async () => {
  await own[Symbol.asyncDispose]();
  await apollo[Symbol.asyncDispose]();
  await subgraph[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

interface RestResult {
  readonly status: number;
  readonly codes: readonly string[];
}

const CODE = /"(?:code|error)":"([A-Z_]+)"/g;
const codesIn = (text: string): readonly string[] => [...text.matchAll(CODE)].map(([, code = '']) => code);

async function request(url: string, path: string, init: RequestInit = {}): Promise<RestResult> {
  const response = await fetch(`${url}${path}`, init);
  return { status: response.status, codes: codesIn(await response.text()) };
}

type Case = readonly [what: string, path: string, init?: RequestInit];

const json = { 'content-type': 'application/json' };
const posted = (query: unknown, more: object = {}): RequestInit => ({
  method: 'POST',
  headers: json,
  body: JSON.stringify({ query, ...more }),
});
const nested = (levels: number): object => (levels === 0 ? {} : { and: nested(levels - 1) });
const many = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_none, index) => part(index)).join(' ');
const FILTERED = 'query ($f: Filter) { book(filter: $f) { id } }';
const hashed = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

const REJECTED: readonly Case[] = [
  ['a form of another site', '/graphql', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"{book{id}}"}' }],
  ['no content type', '/graphql', { method: 'POST', body: Buffer.from('{"query":"{book{id}}"}') }],
  [
    'another content type',
    '/graphql',
    { method: 'POST', headers: { 'content-type': 'application/graphql', 'x-requested-with': 'x' }, body: '{book{id}}' },
  ],
  ['a long body', '/graphql', posted('{ book { id } }', { variables: { x: 'y'.repeat(30_000) } })],
  ['a body that is not JSON', '/graphql', { method: 'POST', headers: json, body: '{' }],
  ['an empty body', '/graphql', { method: 'POST', headers: json, body: '' }],
  ['a text as body', '/graphql', { method: 'POST', headers: json, body: '"x"' }],
  [
    'deep JSON',
    '/graphql',
    { method: 'POST', headers: json, body: `{"query":"{book{id}}","extensions":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}` },
  ],
  ['a batch', '/graphql', { method: 'POST', headers: json, body: '[{"query":"{book{id}}"}]' }],
  ['no document', '/graphql', posted(undefined)],
  ['a document that is not a text', '/graphql', posted(7)],
  ['variables that are not an object', '/graphql', posted('{ book { id } }', { variables: [] })],
  ['an operation name that is not a text', '/graphql', posted('{ book { id } }', { operationName: 7 })],
  ['a long document', '/graphql', posted(`{ ${many(200, () => 'book { id }')} }`)],
  ['a deep document', '/graphql', posted('{ book { next { next { next { id } } } } }')],
  ['many aliases', '/graphql', posted(`{ book { ${many(8, (index) => `a${index}: id`)} } }`)],
  ['many root fields', '/graphql', posted(`{ ${many(8, () => 'book { id }')} }`)],
  ['many selections', '/graphql', posted(`{ book { ${many(50, () => 'id')} } }`)],
  ['many directives', '/graphql', posted(`{ book { ${many(4, () => 'id @skip(if: false) @include(if: true)')} } }`)],
  ['many directives at one location', '/graphql', posted('{ book { id @a @b @c } }')],
  [
    'many operations',
    '/graphql',
    posted(
      many(3, (index) => `query A${index} { book { id } }`),
      { operationName: 'A0' },
    ),
  ],
  ['a non-repeatable field, twice', '/graphql', posted('mutation { renameBook(id: 1) { id } b: renameBook(id: 2) { id } }')],
  ['a deep variable', '/graphql', posted(FILTERED, { variables: { f: nested(8) } })],
  [
    'a reserved key',
    '/graphql',
    { method: 'POST', headers: json, body: `{"query":${JSON.stringify(FILTERED)},"variables":{"f":{"__proto__":{}}}}` },
  ],
  ['introspection in production', '/graphql', posted('{ __schema { queryType { name } } }')],
  ['invalid syntax', '/graphql', posted('{ book {')],
  ['an unknown field', '/graphql', posted('{ bok { id } }')],
  ['an unknown operation name', '/graphql', posted('query A { book { id } }', { operationName: 'B' })],
  ['a subscription that the graph does not have', '/graphql', posted('subscription { book { id } }')],
  ['a mutation by GET', `/graphql?query=${encodeURIComponent('mutation { renameBook(id: 1) { id } }')}`],
  ['a repeated parameter', '/graphql?query={book{id}}&query={book{title}}'],
  ['no parameter', '/graphql'],
  ['variables in the query string that are not JSON', '/graphql?query={book{id}}&variables=x'],
  ['a long target', `/graphql?query={book{id}}&x=${'y'.repeat(2_500)}`],
  ['credentials in the query string', '/graphql?query={book{id}}&access_token=x'],
  ['another method', '/graphql', { method: 'DELETE' }],
  ['an unsupported media type', '/graphql?query={book{id}}', { headers: { accept: 'image/png' } }],
  ['an unknown hash', '/graphql', posted(undefined, hashed('a'.repeat(64)))],
  ['a hash of another text', '/graphql', posted('{ book { id } }', hashed('a'.repeat(64)))],
  ['an invalid hash', '/graphql', posted('{ book { id } }', hashed('x'))],
  ['a wrong token', '/graphql', { ...posted('{ book { id } }'), headers: { ...json, authorization: 'Bearer x' } }],
  ['a wrong password', '/graphql', { ...posted('{ book { id } }'), headers: { ...json, authorization: `Basic ${btoa('a:b')}` } }],
  ['a trailing slash', '/graphql/'],
  ['capitals', '/GraphQL?query={book{id}}'],
  ['an unknown path', '/nothing'],
  ['a form of another site to a resource', '/books/1', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }],
  ['a wrong token for a resource', '/books/1', { headers: { authorization: 'Bearer x' } }],
  ['another method of a resource', '/books/1', { method: 'DELETE', headers: { 'x-requested-with': 'x' } }],
  ['a subgraph that takes too long, for a resource', '/slow'],
];

describe('point 23: requests that both engines reject', () => {
  it.each(REJECTED.map(([what, path, init = {}]) => [what, path, init] as const))(
    'return the same status and code for %s',
    async (_what, path, init) => {
      const expected = await request(own.url, path, init);
      expect(expected.codes.length).toBeGreaterThan(0);
      const found = await request(apollo.url, path, init);
      expect({ status: found.status, code: found.codes[0] }).toEqual({ status: expected.status, code: expected.codes[0] });
    },
  );

  it.each([
    ['two Host headers', 'GET /graphql?query={book{id}} HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n'],
    ['no Host header', 'GET /books/1 HTTP/1.1\r\n\r\n'],
    ['a GET with a body', 'GET /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}'],
    ['an unsupported transfer encoding', 'POST /graphql HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['TRACE', 'TRACE /graphql HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['a fragment in the target', 'GET /books/1#x HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['long headers', `GET /books/1 HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(30_000)}\r\n\r\n`],
    ['bytes that are not HTTP', 'hello\r\n\r\n'],
  ])('return the same status and code for the raw request: %s', async (_what, bytes) => {
    const [expected, found] = [await sendRaw(own.url, bytes, 3_000), await sendRaw(apollo.url, bytes, 3_000)];
    expect(expected.statuses[0]).toBeGreaterThanOrEqual(400);
    expect([found.statuses, codesIn(found.text)]).toEqual([expected.statuses, codesIn(expected.text)]);
  });

  it('include omitted subscriptions by POST, as without a transport, and log nothing', async () => {
    const sdl = composedOf({ books: { sdl: `${SDL} type Subscription { bookAdded: Book }`, url: `${subgraph.url}/graphql` } });
    const more: ApolloEngineOptions = { config: { supergraph: { sdl } }, engine: { subscriptions: 'omit' } };
    const { engine: _engine, ...config } = apolloConfig(more);
    const logger = recordingLogger();
    await using plain = await startGateway(config);
    await using engine = await startTestApolloEngine(more, logger);
    const atStart = logger.lines.length;
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const init = { ...posted('subscription { bookAdded { id } }'), headers: { ...json, accept } };
      const response = await fetch(`${engine.url}/graphql`, init);
      expect([response.status, codesIn(await response.text())]).toEqual([400, ['BAD_REQUEST']]);
      expect(await request(plain.url, '/graphql', init)).toEqual({ status: 400, codes: ['BAD_REQUEST'] });
    }
    const target = `/graphql?query=${encodeURIComponent('subscription { bookAdded { id } }')}`;
    expect(await request(engine.url, target)).toEqual(await request(plain.url, target));
    expect(logger.lines.slice(atStart)).toEqual([]);
  });

  it('include an operation that takes too long, which ends in time', async () => {
    const { codes } = await request(apollo.url, '/graphql', posted('{ slow { id } }'));
    expect(codes).toEqual(['GATEWAY_TIMEOUT']);
  });

  it('return an error, not only null, for a value that does not fit its field', async () => {
    const requested = posted('query ($f: Filter) { book(filter: $f) { id } }', { variables: { f: { title: 'null' } } });
    expect(await (await fetch(`${apollo.url}/graphql`, requested)).json()).toEqual({
      data: { book: null },
      errors: [expect.objectContaining({ extensions: { code: 'SUBGRAPH_INVALID_RESPONSE', requestId: expect.any(String) } })],
    });
  });

  it('suggest no name of the schema for an unknown field in production', async () => {
    const response = await fetch(`${apollo.url}/graphql`, posted('{ bok { id } }'));
    expect(await response.text()).not.toMatch(/Did you mean|"book"/);
  });

  it('include all requests except health during maintenance', async () => {
    const change = (method: string) =>
      fetch(`${apollo.internalUrl}/maintenance`, { method, headers: { authorization: `Bearer ${'m'.repeat(32)}` } });
    expect((await change('PUT')).status).toBe(200);
    for (const path of ['/graphql?query={book{id}}', '/books/1'])
      expect(await request(apollo.url, path)).toEqual({ status: 503, codes: ['MAINTENANCE'] });
    expect((await fetch(`${apollo.url}/health`)).status).toBe(200);
    await change('DELETE');
    expect((await request(apollo.url, '/books/1')).status).toBe(200);
  });
});

describe('point 23: listener features of the engine "apollo"', () => {
  it('compress a long response with Brotli if accepted, over GraphQL and REST', async () => {
    for (const path of ['/graphql?query={book{title}}', '/books/1']) {
      const response = await fetch(`${apollo.url}${path}`, { headers: { 'accept-encoding': 'br' } });
      expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'br']);
      expect(await response.text()).toContain(LONG);
    }
  });

  it('let a page of a configured origin read the response', async () => {
    const response = await fetch(`${apollo.url}/graphql?query={book{id}}`, { headers: { origin: 'https://shop.example.com' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example.com');
  });

  it('serve the public half of the identity key pair on the internal listener', async () => {
    expect(await (await fetch(`${apollo.internalUrl}/identity/keys`)).json()).toEqual({
      keys: [expect.objectContaining({ crv: 'Ed25519' })],
    });
  });

  it('serve health on both listeners', async () => {
    for (const url of [`${apollo.url}/health`, `${apollo.internalUrl}/health/ready`])
      expect(await (await fetch(url)).json()).toMatchObject({ status: 'ok' });
  });

  it.each([
    ['Idempotency-Key', { method: 'POST', headers: { ...json, 'idempotency-key': 'a' }, body: '{"query":"{book{id}}"}' }, 'BAD_REQUEST'],
    ['an id instead of a document', posted(undefined, { documentId: 'x' }), 'PERSISTED_QUERY_NOT_SUPPORTED'],
    ['@defer', posted('{ book { id ... @defer { title } } }'), 'GRAPHQL_VALIDATION_FAILED'],
  ])('reject %s, which only the engine "gatefold" supports, instead of ignoring it', async (_what, init, code) => {
    expect((await request(apollo.url, '/graphql', init)).codes).toEqual([code]);
  });

  it('return the same for requests without TLS, including health, if TLS is required', async () => {
    const server = { requireTls: true, trustedProxies: ['10.0.0.0/8'] };
    const [plain, engine] = await startBoth({ ...options, config: { ...options.config, server } });
    await using _plain = plain;
    await using _engine = engine;
    for (const path of ['/graphql?query={book{id}}', '/books/1', '/health'])
      expect(await request(engine.url, path)).toEqual(await request(plain.url, path));
    expect(await request(engine.url, '/books/1')).toEqual({ status: 403, codes: ['TLS_REQUIRED'] });
  });

  it('serve an operation beyond a limit that is only measured', async () => {
    await using engine = await startTestApolloEngine({
      ...options,
      config: { ...options.config, limits: { mode: 'measure', maxSelections: 1 } },
    });
    expect(await request(engine.url, '/graphql', posted('{ book { id title } }'))).toEqual({ status: 200, codes: [] });
  });
});
