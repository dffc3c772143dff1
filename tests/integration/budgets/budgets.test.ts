import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpAnswer, type HttpClient } from '../../support/http/http-client.ts';
import { askByWebSocket } from '../../support/websocket/ask-by-websocket.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { signToken } from '../../support/identity/tokens.ts';

const BOOK = 'query Book($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") { book(id: $id) @result { id title } }';
const DOCUMENTS = [{ path: 'book.graphql', text: BOOK }];

/** Time stands still, so that nothing comes back while a test runs; between two of them an hour passes, and all budgets are whole. */
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

/** For all that want the budgets above. */
const plain = sharedByTests(async () => start({}));

const QUERY = { query: '{ book(id: "1") { title } }' };
const post = (client: HttpClient, json: object = QUERY, headers: Record<string, string> = {}) => client.post('/graphql', json, { headers });
const codeOf = ({ body }: HttpAnswer): unknown => (body['errors'] as { extensions: { code: string } }[] | undefined)?.[0]?.extensions.code;

const DOORS: Readonly<Record<string, (client: HttpClient) => Promise<HttpAnswer>>> = {
  '/graphql': (client) => post(client),
  REST: (client) => client.get('/books/1'),
};

describe('a budget', () => {
  it.each(Object.entries(DOORS))('given it is used up, when asked by %s, then 429 says when to come back', async (_name, ask) => {
    const library = plain();
    for (let count = 0; count < 25; count += 1) expect((await ask(library.client)).status).toBe(200);
    const { status, headers, body } = await ask(library.client);
    expect(status).toBe(429);
    expect(headers).toMatchObject({ 'retry-after': '1', ratelimit: '"anonymous";r=0;t=1', 'ratelimit-policy': '"anonymous";q=25;w=25' });
    expect(JSON.stringify(body)).toContain('"RATE_LIMITED"');
  });

  it.each(Object.entries(DOORS))('given points are left, when asked by %s, then the answer tells how many', async (_name, ask) => {
    const library = plain();
    expect((await ask(library.client)).headers['ratelimit']).toBe('"anonymous";r=24;t=1');
    expect((await ask(library.client)).headers['ratelimit']).toBe('"anonymous";r=23;t=1');
  });

  it('given both doors, when asked by one, then it is missing by the other', async () => {
    const library = plain();
    await post(library.client);
    expect((await library.client.get('/books/1')).headers['ratelimit']).toBe('"anonymous";r=23;t=1');
  });

  it('given a new document of three KiB, when it is sent twice, then it costs three points at first, and what it asks for after that', async () => {
    const library = plain();
    const query = `# ${'x'.repeat(3 * 1_024 - 40)}\n{ book(id: "1") { title } }`;
    expect((await post(library.client, { query })).headers['ratelimit']).toBe('"anonymous";r=22;t=1');
    expect((await post(library.client, { query })).headers['ratelimit']).toBe('"anonymous";r=21;t=1');
  });

  const EVENTS_TOO = { accept: 'application/json, text/event-stream' };

  it('given a new document of three KiB, when its client accepts events too, then it costs the same', async () => {
    const library = plain();
    const query = `# ${'y'.repeat(3 * 1_024 - 40)}\n{ book(id: "1") { title } }`;
    expect((await post(library.client, { query }, EVENTS_TOO)).headers['ratelimit']).toBe('"anonymous";r=22;t=1');
    expect((await post(library.client, { query }, EVENTS_TOO)).headers['ratelimit']).toBe('"anonymous";r=21;t=1');
  });

  it('given a document that is not valid, when its client accepts events too, then it costs ten points', async () => {
    const library = plain();
    expect((await post(library.client, { query: '{ nothing }' }, EVENTS_TOO)).headers['ratelimit']).toBe('"anonymous";r=15;t=1');
  });

  it('given a new document of three KiB, when it is sent over a WebSocket twice, then it costs three points and one', async () => {
    const library = plain();
    const query = `# ${'z'.repeat(3 * 1_024 - 40)}\n{ book(id: "1") { title } }`;
    await askByWebSocket(library.url, { query });
    await askByWebSocket(library.url, { query });
    expect((await post(library.client)).headers['ratelimit']).toBe('"anonymous";r=20;t=1');
  });

  it('given too few points for a new document, when it is sent, then it is refused before it is parsed', async () => {
    const library = plain();
    for (let count = 0; count < 24; count += 1) await post(library.client);
    const refused = await post(library.client, { query: `# ${'x'.repeat(2_000)}\n{ book(` });
    expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '1']);
    // Parsing it would cost ten points, for which to wait nine seconds.
  });

  it.each([
    ['does not parse', '{ book('],
    ['is not valid', '{ nothing }'],
    ['is too deep', `{ book(id: "1") ${'{ a '.repeat(20)} { b } ${'}'.repeat(20)} }`],
  ])('given a document that %s, when refused, then it costs ten points, and 429 when they are not there', async (_name, query) => {
    const library = plain();
    expect((await post(library.client, { query })).headers['ratelimit']).toBe('"anonymous";r=15;t=1');
    await post(library.client, { query });
    const refused = await post(library.client, { query });
    expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '5']);
  });

  const hashed = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
  it.each([
    ['a hash that nobody has sent', {}, hashed('0'.repeat(64)), 'PERSISTED_QUERY_NOT_FOUND'],
    ['a hash where none is kept', { automatic: false }, hashed('0'.repeat(64)), 'PERSISTED_QUERY_NOT_SUPPORTED'],
    ['a hash of another text', {}, { ...QUERY, ...hashed('0'.repeat(64)) }, 'PERSISTED_QUERY_HASH_MISMATCH'],
    ['an id that stands in no manifest', { mode: 'safelist' }, { documentId: 'nothing' }, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['a text that stands in no manifest', { mode: 'safelist' }, QUERY, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['a text where ids are required', { mode: 'id-required' }, QUERY, 'PERSISTED_QUERY_ID_REQUIRED'],
  ])(
    'given %s, when refused by POST or GET, then it costs what a refused document does, and the answer tells',
    async (_name, persisted, asked, code) => {
      const folder = await mkdtemp(join(tmpdir(), 'gatefold-'));
      const file = join(folder, 'web.json');
      await writeFile(file, JSON.stringify({ known: '{ __typename }' }));
      await using library = await start({}, {}, 'mode' in persisted ? { ...persisted, manifests: { web: file } } : persisted);
      await rm(folder, { recursive: true });
      const search = Object.entries(asked).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      const ask = [() => post(library.client, asked), () => library.client.get(`/graphql?${new URLSearchParams(search).toString()}`)];
      for (const [index, left] of [15, 5].entries()) {
        const answer = await ask[index]?.();
        expect([answer && codeOf(answer), answer?.headers['ratelimit']]).toEqual([code, `"anonymous";r=${left};t=1`]);
      }
      const refused = await post(library.client, asked);
      expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
    },
  );

  it('given credentials that are not good, when refused, then the address pays for it, by either door', async () => {
    const library = plain();
    const authorization = 'Bearer nonsense';
    expect((await post(library.client, QUERY, { authorization })).status).toBe(401);
    expect((await library.client.get('/books/1', { headers: { authorization } })).status).toBe(401);
    expect((await post(library.client, QUERY, { authorization })).status).toBe(429);
    expect((await post(library.client)).headers['ratelimit']).toBe('"anonymous";r=4;t=1');
  });

  it('given two subjects, when one has used up its budget, then the other and the address have theirs', async () => {
    await using library = await start({ signedIn: { capacity: 1, refillPerSecond: 1 } });
    const as = (sub: string) => post(library.client, QUERY, { authorization: `Bearer ${signToken({ sub }, { key: DEVELOPMENT_KEY })}` });
    await as('ann');
    expect((await as('ann')).status).toBe(429);
    expect([(await as('bob')).status, (await post(library.client)).status]).toEqual([200, 200]);
  });

  it('given an operation that costs more than the whole budget, when asked, then no waiting is promised', async () => {
    await using library = await start({ weights: { query: 26 } });
    const refused = await post(library.client);
    expect([codeOf(refused), refused.headers['retry-after']]).toEqual(['COST_LIMIT_EXCEEDED', undefined]);
  });

  it('given it is only measured, when it is used up, then callers are served and told nothing', async () => {
    await using library = await start({ mode: 'measure', anonymous: { capacity: 1, refillPerSecond: 1 } });
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await post(library.client);
      expect([status, headers['ratelimit']]).toEqual([200, undefined]);
    }
  });

  it('given it is off, when asked, then nothing is counted', async () => {
    await using library = await start({ mode: 'off', headers: true });
    expect((await post(library.client)).headers['ratelimit']).toBeUndefined();
  });
});

describe('whose budget it is', () => {
  const from = (client: HttpClient, address: string) => post(client, QUERY, { 'x-forwarded-for': address });

  it('given no proxy is trusted, when a client claims other addresses, then it pays all the same', async () => {
    const library = plain();
    await from(library.client, '192.0.2.1');
    expect((await from(library.client, '192.0.2.2')).headers['ratelimit']).toBe('"anonymous";r=23;t=1');
  });

  it('given a trusted proxy, when it names its client last, then that one pays, whatever stands before it', async () => {
    await using library = await start({}, { trustedProxies: ['127.0.0.0/8'] });
    await from(library.client, '203.0.113.9, 192.0.2.1');
    expect((await from(library.client, '198.51.100.7, 192.0.2.1')).headers['ratelimit']).toBe('"anonymous";r=23;t=1');
    expect((await from(library.client, '192.0.2.1, 203.0.113.9')).headers['ratelimit']).toBe('"anonymous";r=24;t=1');
  });
});
