import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/time/eventually.ts';
import { doubling, nestedDoubling } from '../../../bench/admission/hostile-documents.ts';
import { sha256Of } from '../../../gateway/persisted/document-reference.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { createSharedRedis } from '../../../gateway/redis/redis.ts';
import { startConnectedGraph } from '../../fixtures/connected-graph.ts';
import { DEVELOPMENT_KEY, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { getGraphql, postGraphql } from '../../support/http/graphql-over-http.ts';
import { createHttpClient } from '../../support/http/http-client.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { missingRedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { type ShapesUnderTest, startShapes } from './shape-transports.ts';

const QUERY = '{ book(id: "1") { title } }';
const RENAME = 'mutation { renameBook(id: "1", title: "x") { title } }';
const hashed = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

describe('Hash mismatch', () => {
  const library = sharedByTests(startLibraryGateway);

  it.each<[string, unknown, number, string]>([
    ['of another text', sha256Of('{ a }'), 400, 'PERSISTED_QUERY_HASH_MISMATCH'],
    ['that is not hexadecimal', 'g'.repeat(64), 400, 'BAD_REQUEST'],
    ['that is an object', {}, 400, 'BAD_REQUEST'],
    ['that is a number', 1, 400, 'BAD_REQUEST'],
    ['that is a list', [sha256Of(QUERY)], 400, 'BAD_REQUEST'],
    ['of 900 KB', 'a'.repeat(900_000), 400, 'BAD_REQUEST'],
  ])('Hash mismatch: rejects a text with a hash %s', async (_what, hash, status, code) => {
    expect(await postGraphql(`${library().url}/graphql`, { query: QUERY, ...hashed(hash) })).toMatchObject({ status, code });
  });

  it('Hash mismatch: accepts a text with its hash in capitals', async () => {
    const response = await postGraphql(`${library().url}/graphql`, { query: QUERY, ...hashed(sha256Of(QUERY).toUpperCase()) });
    expect(response).toMatchObject({ status: 200, code: undefined });
  });
});

(missingRedisServer() === undefined ? describe : describe.skip)('Poisoned shared store', () => {
  const redis = sharedByTests(startRedisServer);
  const library = sharedByTests(async () => startLibraryGateway({ config: { redis: { url: redis().url } } }));
  let registered = 0;

  it.each([
    ['garbage', '\u0000garbage'],
    ['another operation', RENAME],
    ['nothing', ''],
  ])('Poisoned shared store: does not serve %s in Redis under a hash', async (what, written) => {
    const query = `query ${what.replaceAll(' ', '_')} ${QUERY}`; // A text that no client has sent before.
    await using intruder = createSharedRedis({ urls: redis().url, clock: systemClock, logger: silentLogger });
    const url = `${library().url}/graphql`;
    const keyOf = (text: string) => `{gatefold:documents}:${sha256Of(text)}`;
    const isStored = async (text: string) => (await intruder.run((commands) => commands.exists(keyOf(text))))?.value === 1;
    // A document that is registered before the connection to Redis is open is known to its own gateway only.
    await eventually(async () => {
      registered += 1;
      const known = `{ known${registered}: book(id: "1") { title } }`;
      await postGraphql(url, { query: known, ...hashed(sha256Of(known)) });
      return isStored(known);
    });
    await intruder.run((commands) => commands.set(keyOf(query), written));
    expect(await getGraphql(url, hashed(sha256Of(query)))).toMatchObject({ status: 200, code: 'PERSISTED_QUERY_NOT_FOUND' });
  });
});

it('Flooding of persisted queries: executes texts above the limit without storing them', async () => {
  await using library = await startLibraryGateway({
    config: { budget: { mode: 'off' } },
    clock: { now: () => Date.now(), monotonic: () => 1_000 },
  });
  const url = `${library.url}/graphql`;
  let stored = 0;
  for (let index = 0; index < 200; index += 1) {
    const query = `{ a${index}: book(id: "1") { title } }`;
    expect(await postGraphql(url, { query, ...hashed(sha256Of(query)) })).toMatchObject({ status: 200, code: undefined });
    if ((await postGraphql(url, hashed(sha256Of(query)))).code === undefined) stored += 1;
  }
  expect(stored).toBe(60);
});

describe('Mutations and subscriptions by GET', () => {
  const library = sharedByTests(startLibraryGateway);

  it.each([
    ['a mutation', RENAME, 405, 'METHOD_NOT_ALLOWED'],
    ['a subscription, for a client that accepts no events', 'subscription { bookRenamed { id } }', 400, undefined],
  ])('Mutations and subscriptions by GET: does not execute %s', async (_what, query, status, code) => {
    const response = await getGraphql(`${library().url}/graphql`, { query }, { accept: 'application/graphql-response+json' });
    expect(response.body).not.toHaveProperty('data');
    expect(response.status).toBeGreaterThanOrEqual(status);
    expect(response.status).toBeLessThan(500);
    if (code !== undefined) expect([response.code, response.headers.get('allow')]).toEqual([code, 'POST']);
  });
});

describe('Requests forged across sites', () => {
  const library = sharedByTests(startLibraryGateway);

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])(
    'Requests forged across sites: blocks a POST of type %s from another site',
    async (type) => {
      const { status, text } = await createHttpClient({ origin: library().url }).send({
        method: 'POST',
        path: '/graphql',
        body: JSON.stringify({ query: RENAME }),
        headers: type === undefined ? {} : { 'content-type': type },
      });
      expect([status, text]).toEqual([400, expect.stringContaining('CSRF_BLOCKED')]);
    },
  );

  it('Requests forged across sites: rejects a GET with a foreign content type', async () => {
    const path = `/graphql?query=${encodeURIComponent(QUERY)}`;
    const { status } = await createHttpClient({ origin: library().url }).get(path, { headers: { 'content-type': 'text/plain' } });
    expect(status).toBe(415);
  });
});

it('Fetches shared between callers: does not share requests between callers', async () => {
  const requested: string[] = [];
  await using shapes = await startShapes(
    { auth: { developmentKey: DEVELOPMENT_KEY }, subgraphs: { dedupe: true } },
    {
      respond: async ({ context: { principal } }) => {
        requested.push(JSON.stringify(principal));
        await sleep(50);
        return { data: { me: { __typename: 'User', id: JSON.stringify(principal).length.toString(), name: JSON.stringify(principal) } } };
      },
    },
  );
  // A caller has one token: tokens of different seconds have different claims.
  const [one, other] = ['1', '2'].map((sub) => signToken({ sub }, { key: DEVELOPMENT_KEY }));
  const request = (token: string | undefined) => shapes.http.post('/graphql', { query: '{ me { id name } }' }, { token });
  const responses = await Promise.all([one, other, one, other].map(request));
  expect(new Set(requested).size).toBe(2);
  const names = responses.map(({ body }) => (body['data'] as { me: { name: string } }).me.name);
  expect([names[0] === names[2], names[1] === names[3], names[0] === names[1]]).toEqual([true, true, false]);
});

describe('graphql.dedupe', () => {
  it('executes equal concurrent queries over HTTP once', async () => {
    await using graph = await startConnectedGraph({ graphql: { dedupe: true } });
    const responses = await Promise.all(['one', 'two', 'three'].map((agent) => graph.query('{ books { id } }', { headers: { agent } })));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses[0]?.data).toMatchObject({ books: [{ id: '1' }, { id: '2' }, { id: '3' }] });
    expect(graph.requested).toEqual(['GET /catalogue/books']);
  });

  it('executes queries separately that differ in a header for a back end', async () => {
    await using graph = await startConnectedGraph({ graphql: { dedupe: true } });
    const tenants = await Promise.all(['t1', 't2'].map((tenant) => graph.query('{ tenant }', { headers: { 'x-tenant': tenant } })));
    expect(tenants.map(({ data }) => data)).toEqual([{ tenant: 't1' }, { tenant: 't2' }]);
  });

  it('compares all headers if the application executes the requests to subgraphs', async () => {
    let requests = 0;
    await using shapes = await startShapes(
      { graphql: { dedupe: true } },
      {
        respond: async () => {
          requests += 1;
          await sleep(50);
          return { data: { me: { __typename: 'User', id: '1', name: 'Ada' } } };
        },
      },
    );
    const send = (agent: string) => shapes.http.post('/graphql', { query: '{ me { id name } }' }, { headers: { agent } });
    await Promise.all([send('one'), send('one'), send('two')]);
    expect(requests).toBe(2);
  });
});

it('Plans of other operations: executes the named one when names are swapped', async () => {
  await using library = await startLibraryGateway();
  const url = `${library.url}/graphql`;
  const documents = [
    'query A { book(id: "1") { id } } query B { book(id: "1") { title } }',
    'query B { book(id: "1") { id } } query A { book(id: "1") { title } }',
  ];
  for (let round = 0; round < 3; round += 1) {
    for (const [index, query] of documents.entries()) {
      for (const operationName of ['A', 'B']) {
        const expected = (operationName === 'A') === (index === 0) ? { id: '1' } : { title: 'Momo' };
        expect((await postGraphql(url, { query, operationName })).body).toEqual({ data: { book: expected } });
      }
    }
  }
});

it('Deceived caches and split responses: returns 404 for paths like files, uncached', async () => {
  await using shapes = await startShapes();
  for (const path of ['/books/1.css', '/books/1/x.css', '/books/1;x.css', '/books;x=.css', '/graphql.css', '/graphql;x.css']) {
    const { status, headers } = await shapes.http.get(path);
    expect([path, status]).toEqual([path, 404]);
    expect(headers['cache-control'] ?? 'no-store').not.toMatch(/public|max-age=[1-9]/);
  }
  const { text, headers } = await shapes.http.get('/graphql/x.css'); // This path has the id of a document.
  expect([text, headers['cache-control']]).toEqual([expect.stringContaining('PERSISTED_QUERY_NOT_SUPPORTED'), 'no-store']);
  expect(shapes.requested()).toBe(0);
});

describe('Root and breadth overload', () => {
  const BOMBS = [
    ['939 bytes', doubling(22)],
    ['1 KB', nestedDoubling(12)],
  ] as const;
  let directory: string;
  let shapes: ShapesUnderTest;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-bombs-'));
    const file = join(directory, 'bombs.json');
    const operations = BOMBS.map(([, body], index) => ({ id: `bomb${index}`, name: 'bomb', type: 'query', body }));
    await writeFile(file, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
    shapes = await startShapes({ persisted: { mode: 'safelist', manifests: { web: file } } });
  });
  afterAll(async () => {
    await shapes[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it.each(BOMBS.map(([what], index) => [what, `bomb${index}`]))(
    'Root and breadth overload: rejects %s of bombs as a trusted document',
    async (_what, id) => {
      for (const response of [
        await shapes.http.post('/graphql', { documentId: id }),
        await shapes.http.get(`/graphql?documentId=${id}`),
        await shapes.http.get(`/graphql/${id}`),
      ]) {
        expect(response.text).toMatch(/"code":"(?:SELECTION|DEPTH)_LIMIT_EXCEEDED"/);
      }
      expect(shapes.requested()).toBe(0);
    },
  );
});
