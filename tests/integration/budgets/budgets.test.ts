import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse, type HttpClient } from '../../support/http/http-client.ts';
import { queryByWebSocket } from '../../support/websocket/query-by-websocket.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { signToken } from '../../support/identity/tokens.ts';

const BOOK = 'query Book($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") { book(id: $id) @result { id title } }';
const DOCUMENTS = [{ path: 'book.graphql', text: BOOK }];

/**
 * Monotonic time, which does not advance during a test, so that no points are refilled. An hour passes between two tests, so that all
 * budgets are full.
 */
let now = 1_000;
const clock = { now: () => Date.now(), monotonic: () => now };
beforeEach(() => {
  now += 3_600_000;
});
const SMALL = { capacity: 25, refillPerSecond: 1 };

async function start(
  budget: object,
  server: object = {},
  persisted: object = {},
): Promise<LibraryGateway & { readonly client: HttpClient }> {
  const library = await startLibraryGateway({
    config: { budget: { mode: 'enforce', anonymous: SMALL, signedIn: { capacity: 50, refillPerSecond: 1 }, ...budget }, server, persisted },
    clock,
    prepare: (gateway) => gateway.mount(createRestFacade({ gateway, documents: DOCUMENTS })),
  });
  return Object.assign(library, { client: createHttpClient({ origin: library.url }) });
}

/** Gateway of all tests that use the budgets above. */
const plain = sharedByTests(async () => start({}));

const QUERY = { query: '{ book(id: "1") { title } }' };
const post = (client: HttpClient, json: object = QUERY, headers: Record<string, string> = {}) => client.post('/graphql', json, { headers });
const codeOf = ({ body }: HttpResponse): unknown =>
  (body['errors'] as { extensions: { code: string } }[] | undefined)?.[0]?.extensions.code;

const TRANSPORTS: Readonly<Record<string, (client: HttpClient) => Promise<HttpResponse>>> = {
  '/graphql': (client) => post(client),
  REST: (client) => client.get('/books/1'),
};

describe('a budget', () => {
  it.each(Object.entries(TRANSPORTS))('returns 429 with the time to wait by %s when it is exhausted', async (_name, request) => {
    const library = plain();
    for (let count = 0; count < 25; count += 1) expect((await request(library.client)).status).toBe(200);
    const { status, headers, body } = await request(library.client);
    expect(status).toBe(429);
    expect(headers).toMatchObject({ 'retry-after': '1', ratelimit: '"anonymous";r=0;t=1', 'ratelimit-policy': '"anonymous";q=25;w=25' });
    expect(JSON.stringify(body)).toContain('"RATE_LIMITED"');
  });

  it.each(Object.entries(TRANSPORTS))('reports by %s how many points are left', async (_name, request) => {
    const library = plain();
    expect((await request(library.client)).headers['ratelimit']).toBe('"anonymous";r=24;t=1');
    expect((await request(library.client)).headers['ratelimit']).toBe('"anonymous";r=23;t=1');
  });

  it('is shared by `/graphql` and REST', async () => {
    const library = plain();
    await post(library.client);
    expect((await library.client.get('/books/1')).headers['ratelimit']).toBe('"anonymous";r=23;t=1');
  });

  it('charges three points for a new document of 3 KiB, and its cost after that', async () => {
    const library = plain();
    const query = `# ${'x'.repeat(3 * 1_024 - 40)}\n{ book(id: "1") { title } }`;
    expect((await post(library.client, { query })).headers['ratelimit']).toBe('"anonymous";r=22;t=1');
    expect((await post(library.client, { query })).headers['ratelimit']).toBe('"anonymous";r=21;t=1');
  });

  const EVENTS_TOO = { accept: 'application/json, text/event-stream' };

  it('charges the same for a new document of 3 KiB when the client also accepts events', async () => {
    const library = plain();
    const query = `# ${'y'.repeat(3 * 1_024 - 40)}\n{ book(id: "1") { title } }`;
    expect((await post(library.client, { query }, EVENTS_TOO)).headers['ratelimit']).toBe('"anonymous";r=22;t=1');
    expect((await post(library.client, { query }, EVENTS_TOO)).headers['ratelimit']).toBe('"anonymous";r=21;t=1');
  });

  it('charges ten points for an invalid document when the client also accepts events', async () => {
    const library = plain();
    expect((await post(library.client, { query: '{ nothing }' }, EVENTS_TOO)).headers['ratelimit']).toBe('"anonymous";r=15;t=1');
  });

  it('charges three points and then one for a new document of 3 KiB over a WebSocket', async () => {
    const library = plain();
    const query = `# ${'z'.repeat(3 * 1_024 - 40)}\n{ book(id: "1") { title } }`;
    await queryByWebSocket(library.url, { query });
    await queryByWebSocket(library.url, { query });
    expect((await post(library.client)).headers['ratelimit']).toBe('"anonymous";r=20;t=1');
  });

  it('rejects a new document before it is parsed when too few points are left', async () => {
    const library = plain();
    for (let count = 0; count < 24; count += 1) await post(library.client);
    const rejected = await post(library.client, { query: `# ${'x'.repeat(2_000)}\n{ book(` });
    expect([rejected.status, codeOf(rejected), rejected.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '1']);
    // Parsing the document would cost ten points, with a wait of nine seconds.
  });

  it.each([
    ['does not parse', '{ book('],
    ['is not valid', '{ nothing }'],
    ['is too deep', `{ book(id: "1") ${'{ a '.repeat(20)} { b } ${'}'.repeat(20)} }`],
  ])('charges ten points for a document that %s, and returns 429 when they are missing', async (_name, query) => {
    const library = plain();
    expect((await post(library.client, { query })).headers['ratelimit']).toBe('"anonymous";r=15;t=1');
    await post(library.client, { query });
    const rejected = await post(library.client, { query });
    expect([rejected.status, codeOf(rejected), rejected.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '5']);
  });

  const hashed = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
  it.each([
    ['an unknown hash', {}, hashed('0'.repeat(64)), 'PERSISTED_QUERY_NOT_FOUND'],
    ['a hash without automatic persisted queries', { automatic: false }, hashed('0'.repeat(64)), 'PERSISTED_QUERY_NOT_SUPPORTED'],
    ['a hash of another text', {}, { ...QUERY, ...hashed('0'.repeat(64)) }, 'PERSISTED_QUERY_HASH_MISMATCH'],
    ['an id that is in no manifest', { mode: 'safelist' }, { documentId: 'nothing' }, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['a text that is in no manifest', { mode: 'safelist' }, QUERY, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['a text where ids are required', { mode: 'id-required' }, QUERY, 'PERSISTED_QUERY_ID_REQUIRED'],
  ])('charges for %s by POST and GET like for a rejected document, and reports the rest', async (_name, persisted, requested, code) => {
    const folder = await mkdtemp(join(tmpdir(), 'gatefold-'));
    const file = join(folder, 'web.json');
    await writeFile(file, JSON.stringify({ known: '{ __typename }' }));
    await using library = await start({}, {}, 'mode' in persisted ? { ...persisted, manifests: { web: file } } : persisted);
    await rm(folder, { recursive: true });
    const search = Object.entries(requested).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const request = [() => post(library.client, requested), () => library.client.get(`/graphql?${new URLSearchParams(search).toString()}`)];
    for (const [index, left] of [15, 5].entries()) {
      const response = await request[index]?.();
      expect([response && codeOf(response), response?.headers['ratelimit']]).toEqual([code, `"anonymous";r=${left};t=1`]);
    }
    const rejected = await post(library.client, requested);
    expect([rejected.status, codeOf(rejected)]).toEqual([429, 'RATE_LIMITED']);
  });

  it('charges the address for invalid credentials, by `/graphql` and by REST', async () => {
    const library = plain();
    const authorization = 'Bearer nonsense';
    expect((await post(library.client, QUERY, { authorization })).status).toBe(401);
    expect((await library.client.get('/books/1', { headers: { authorization } })).status).toBe(401);
    expect((await post(library.client, QUERY, { authorization })).status).toBe(429);
    expect((await post(library.client)).headers['ratelimit']).toBe('"anonymous";r=4;t=1');
  });

  it('of one subject does not affect another subject or the address', async () => {
    await using library = await start({ signedIn: { capacity: 1, refillPerSecond: 1 } });
    const as = (sub: string) => post(library.client, QUERY, { authorization: `Bearer ${signToken({ sub }, { key: DEVELOPMENT_KEY })}` });
    await as('ann');
    expect((await as('ann')).status).toBe(429);
    expect([(await as('bob')).status, (await post(library.client)).status]).toEqual([200, 200]);
  });

  it('sends no `Retry-After` for an operation that costs more than the whole budget', async () => {
    await using library = await start({ weights: { query: 26 } });
    const rejected = await post(library.client);
    expect([codeOf(rejected), rejected.headers['retry-after']]).toEqual(['COST_LIMIT_EXCEEDED', undefined]);
  });

  it('in mode `measure` serves callers and reports nothing when it is exhausted', async () => {
    await using library = await start({ mode: 'measure', anonymous: { capacity: 1, refillPerSecond: 1 } });
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await post(library.client);
      expect([status, headers['ratelimit']]).toEqual([200, undefined]);
    }
  });

  it('in mode `off` counts nothing', async () => {
    await using library = await start({ mode: 'off', headers: true });
    expect((await post(library.client)).headers['ratelimit']).toBeUndefined();
  });
});

describe('the caller that a budget belongs to', () => {
  const from = (client: HttpClient, address: string) => post(client, QUERY, { 'x-forwarded-for': address });

  it('is the connection when no proxy is trusted, even if the client claims addresses', async () => {
    const library = plain();
    await from(library.client, '192.0.2.1');
    expect((await from(library.client, '192.0.2.2')).headers['ratelimit']).toBe('"anonymous";r=23;t=1');
  });

  it('is the last address that a trusted proxy names, regardless of those before it', async () => {
    await using library = await start({}, { trustedProxies: ['127.0.0.0/8'] });
    await from(library.client, '203.0.113.9, 192.0.2.1');
    expect((await from(library.client, '198.51.100.7, 192.0.2.1')).headers['ratelimit']).toBe('"anonymous";r=23;t=1');
    expect((await from(library.client, '192.0.2.1, 203.0.113.9')).headers['ratelimit']).toBe('"anonymous";r=24;t=1');
  });
});
