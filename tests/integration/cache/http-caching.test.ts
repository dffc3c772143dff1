import { brotliDecompressSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse, type HttpClient } from '../../support/http/http-client.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { signToken } from '../../support/identity/tokens.ts';

const PAGE = '{ page(id: 1) { id text } }';
const pathOf = (query: string, variables?: object): string =>
  `/graphql?query=${encodeURIComponent(query)}${variables === undefined ? '' : `&variables=${encodeURIComponent(JSON.stringify(variables))}`}`;

describe('HTTP caching of GET', () => {
  let now = 1_000;
  let graph: CachedGraph;
  let client: HttpClient;
  const clock = { now: () => Date.now(), monotonic: () => now };
  const shared = sharedByTests(async () => startCachedGraph({ cache: { staleWhileRevalidateSeconds: 30 } }, { clock }));

  beforeEach(() => {
    now += 86_400_000; // A day later, no entry of an earlier test is fresh.
    graph = shared();
    graph.reset();
    client = createHttpClient({ origin: graph.url });
  });

  const read = (path: string, headers: Record<string, string> = {}, sub?: string): Promise<HttpResponse> =>
    client.get(path, { headers, token: sub === undefined ? undefined : tokenOf(sub) });

  it.each([
    ['an operation without a policy', pathOf('{ now { time } }')],
    ['an invalid document', pathOf('{ nothing }')],
  ])('sends `no-store` for %s', async (_what, path) => {
    const { headers } = await read(path);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('etag');
  });

  it('sends `no-store` by POST for a cacheable operation, and queries the subgraph again', async () => {
    for (let count = 0; count < 2; count += 1) {
      const { headers } = await client.post('/graphql', { query: PAGE });
      expect(headers['cache-control']).toBe('no-store');
    }
    expect(graph.requested).toHaveLength(2);
    expect(graph.requested.some(({ wantsFreshness }) => wantsFreshness === true)).toBe(false);
  });

  it.each([
    ['errors next to its data', { errors: [{ message: 'no', code: 'X', path: [] }] }],
    ['Cache-Control: no-store', { cacheControl: 'no-store' }],
  ])('stores nothing when the subgraph responds with %s', async (_what, extra) => {
    graph.respondWith(extra);
    expect((await read(pathOf(PAGE))).headers['cache-control']).toBe('no-store');
    expect((await read(pathOf(PAGE))).headers['cache-control']).toBe('no-store');
    expect(graph.requested).toHaveLength(2);
  });

  it('sends the client a policy that the subgraph lowered', async () => {
    graph.respondWith({ cacheControl: 'private, max-age=7' });
    const { headers } = await read(pathOf(PAGE));
    expect(headers['cache-control']).toBe('private, max-age=7, stale-while-revalidate=30');
    expect(headers['vary']).toBe('Accept, Accept-Encoding, Authorization, X-API-Key');
  });

  it('serves a cache hit with its age, without a subgraph request', async () => {
    const first = await read(pathOf(PAGE));
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=60, stale-while-revalidate=30',
      vary: 'Accept, Accept-Encoding',
      etag: expect.stringMatching(/^"[\w-]{43}"$/) as unknown,
    });
    expect(first.headers).not.toHaveProperty('age');
    now += 12_500;
    const again = await read(pathOf('query Other { page(id: 1) { id, text } }'));
    expect(again.text).toBe(first.text);
    expect(again.headers).toMatchObject({ age: '12', etag: first.headers.etag });
    expect(graph.requested).toHaveLength(1);
  });

  it('stores a response for each set of variables, literals and aliases', async () => {
    const query = 'query ($id: ID!) { page(id: $id) { text } }';
    const paths = [
      pathOf(query, { id: '1' }),
      pathOf(query, { id: '2' }),
      pathOf('{ page(id: 3) { text } }'),
      pathOf('{ p: page(id: 3) { text } }'),
    ];
    const texts = new Set<string>();
    for (const path of [...paths, ...paths]) texts.add((await read(path)).text);
    expect(texts.size).toBe(4);
    expect(graph.requested).toHaveLength(4);
  });

  it('returns 304 with the same headers for `If-None-Match`, without a subgraph request', async () => {
    const { headers: first } = await read(pathOf(PAGE));
    const etag = String(first.etag);
    for (const condition of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      const { status, headers, text } = await read(pathOf(PAGE), { 'if-none-match': condition });
      expect({ status, text }).toEqual({ status: 304, text: '' });
      expect(headers).toMatchObject({ etag, 'cache-control': first['cache-control'], vary: first.vary, age: '0' });
      expect(headers).not.toHaveProperty('content-type');
    }
    expect((await read(pathOf(PAGE), { 'if-none-match': '"other"' })).status).toBe(200);
    expect(graph.requested).toHaveLength(1);
  });

  it('sends another tag with Brotli, which is valid for that coding only', async () => {
    const plain = await read(pathOf(PAGE));
    const packed = await read(pathOf(PAGE), { 'accept-encoding': 'br' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    expect(brotliDecompressSync(packed.bytes).toString()).toBe(plain.text);
    const tags = { 'if-none-match': String(plain.headers.etag), 'accept-encoding': 'br' };
    expect((await read(pathOf(PAGE), tags)).status).toBe(200);
    expect((await read(pathOf(PAGE), { ...tags, 'if-none-match': String(packed.headers.etag) })).status).toBe(304);
  });

  it('serves HEAD with the headers of GET and no body', async () => {
    const { headers } = await read(pathOf(PAGE));
    const head = await client.send({ method: 'HEAD', path: pathOf(PAGE) });
    expect(head.headers).toMatchObject({ etag: headers.etag, 'content-length': headers['content-length'] });
    expect(head.text).toBe('');
  });

  it('serves a stale response to several requests, and refreshes it once', async () => {
    const first = await read(pathOf(PAGE));
    now += 70_000;
    const release = graph.hold();
    const stale = await Promise.all([read(pathOf(PAGE)), read(pathOf(PAGE)), read(pathOf(PAGE))]);
    expect(stale.map(({ text }) => text)).toEqual([first.text, first.text, first.text]);
    expect(stale[0]?.headers.age).toBe('70');
    expect(graph.requested).toHaveLength(2);
    release();
    await new Promise(setImmediate);
    expect((await read(pathOf(PAGE))).text).not.toBe(first.text);
    expect(graph.requested).toHaveLength(2);
  });

  it('refreshes a response that is too old before it is served', async () => {
    const first = await read(pathOf(PAGE));
    now += 90_000;
    expect((await read(pathOf(PAGE))).text).not.toBe(first.text);
  });

  it('sends one subgraph request for concurrent equal requests on a cache miss', async () => {
    const release = graph.hold();
    const waiting = [read(pathOf(PAGE)), read(pathOf(PAGE)), read(pathOf(PAGE))];
    while (graph.requested.length === 0) await new Promise(setImmediate);
    release();
    const responses = await Promise.all(waiting);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(graph.requested).toHaveLength(1);
  });

  it('stores a public response for each caller with credentials, as private', async () => {
    const open = await read(pathOf(PAGE));
    const [ada, bob] = [await read(pathOf(PAGE), {}, 'ada'), await read(pathOf(PAGE), {}, 'bob')];
    expect([open, ada, bob].map(({ text }) => /"id":"(\w+)"/.exec(text)?.[1])).toEqual(['nobody', 'ada', 'bob']);
    expect(ada.headers['cache-control']).toBe('private, max-age=60, stale-while-revalidate=30');
    expect(ada.headers['vary']).toContain('Authorization, X-API-Key');
    expect((await read(pathOf(PAGE), { 'if-none-match': String(ada.headers.etag) }, 'bob')).status).toBe(200);
    expect((await read(pathOf(PAGE), { 'if-none-match': String(ada.headers.etag) })).status).toBe(200);
    expect((await read(pathOf(PAGE), { 'if-none-match': String(ada.headers.etag) }, 'ada')).status).toBe(304);
    expect(graph.requested).toHaveLength(3);
  });

  it('does not serve a caller what it received under other roles', async () => {
    await client.get(pathOf('{ me { id } }'), { token: tokenOf('ada', ['ADMIN']) });
    await client.get(pathOf('{ me { id } }'), { token: tokenOf('ada') });
    expect(graph.requested).toHaveLength(2);
  });

  describe('a response without a cache policy', () => {
    const methods = {
      GET: (query: string, sub?: string) => read(pathOf(query), {}, sub),
      POST: (query: string, sub?: string) => client.post('/graphql', { query }, { token: sub === undefined ? undefined : tokenOf(sub) }),
    };
    const heads = ({ headers }: HttpResponse) => [headers['cache-control'], headers['vary']];
    const notStored = ['no-store', 'Accept, Accept-Encoding'];
    const caller = ['private, no-cache', 'Accept, Accept-Encoding, Authorization, X-API-Key'];

    it.each(Object.entries(methods))('is `no-store` for an anonymous caller by %s', async (_method, request) => {
      expect(heads(await request('{ now { time } }'))).toEqual(notStored);
    });

    it.each(Object.entries(methods))('is `private, no-cache` for a caller with credentials by %s', async (_method, request) => {
      expect(heads(await request('{ now { time } }', 'ada'))).toEqual(caller);
    });

    it.each(Object.entries(methods))('is `no-store` for a caller with credentials by %s when it has errors', async (_method, request) => {
      graph.respondWith({ errors: [{ message: 'no', code: 'X', path: [] }] });
      expect(heads(await request('{ now { time } }', 'ada'))).toEqual(notStored);
      expect(heads(await request('{ nothing }', 'ada'))).toEqual(notStored);
    });

    it('is `no-store` for a mutation of a caller with credentials', async () => {
      const response = await methods.POST('mutation { publish(id: 1) { id } }', 'ada');
      expect(response.text).toContain('"publish"');
      expect(heads(response)).toEqual(notStored);
    });

    it('is `no-store` by GET with credentials when a subgraph removes the policy', async () => {
      graph.respondWith({ cacheControl: 'no-store' });
      expect(heads(await methods.GET(PAGE, 'ada'))).toEqual(notStored);
    });

    it('is `private, no-cache` by POST with credentials and a policy', async () => {
      expect(heads(await methods.POST(PAGE, 'ada'))).toEqual(caller);
    });

    it('is private to an anonymous caller who may see a guarded field', async () => {
      await using open = await startCachedGraph({}, { policies: () => ['staff'] });
      const response = await createHttpClient({ origin: open.url }).post('/graphql', { query: '{ staff(id: 1) { id } }' });
      expect(heads(response)).toEqual(caller);
    });
  });

  it('rejects an invalid token although the response is cached', async () => {
    await read(pathOf('{ me { id } }'), {}, 'ada');
    const { status, headers } = await client.get(pathOf('{ me { id } }'), { token: 'nonsense' });
    expect(status).toBe(401);
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('HTTP caching by configuration', () => {
  it('without a response cache queries the subgraph, and still returns 304', async () => {
    await using graph = await startCachedGraph({ cache: { responses: false } });
    const client = createHttpClient({ origin: graph.url });
    graph.respondWith({});
    const { headers } = await client.get(pathOf('{ me { id } }'));
    expect(headers).not.toHaveProperty('age');
    const { status } = await client.get(pathOf('{ me { id } }'), { headers: { 'if-none-match': String(headers.etag) } });
    expect(status).toBe(304);
    expect(graph.requested).toHaveLength(2);
  });

  it('stores a response for each value of propagated headers, and lists them in `Vary`', async () => {
    await using graph = await startCachedGraph({ subgraphs: { headers: { propagate: ['X-Tenant'] } }, cache: { varyBy: ['X-Shop'] } });
    const client = createHttpClient({ origin: graph.url });
    for (const tenant of ['a', 'b', 'a']) {
      const { headers } = await client.get(pathOf(PAGE), { headers: { 'x-tenant': tenant } });
      expect(headers['vary']).toBe('Accept, Accept-Encoding, x-shop, x-tenant');
    }
    await client.get(pathOf(PAGE), { headers: { 'x-tenant': 'a', 'x-shop': 'c' } });
    expect(graph.requested).toHaveLength(3);
  });
});

function tokenOf(sub: string, roles: readonly string[] = ['USER']): string {
  return signToken({ sub, roles }, { key: DEVELOPMENT_KEY });
}
