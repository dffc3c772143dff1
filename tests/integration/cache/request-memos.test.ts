import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import type { GatewayDependencies } from '../../../gateway/gateway.ts';
import { sha256Of } from '../../../gateway/persisted/document-reference.ts';
import type { SupergraphListener } from '../../../gateway/supergraph/sources/supergraph-source.ts';
import { type CachedGraph, cachedSupergraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse, type HttpClient } from '../../support/http/http-client.ts';
import { sendRaw } from '../../support/http/raw-socket.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { signToken } from '../../support/identity/tokens.ts';

const PAGE = '{ page(id: 1) { id text } }';
const INVALIDATION_KEY = 'a key that only operators of the gateway know';

const pathOf = (query: string): string => `/graphql?query=${encodeURIComponent(query)}`;
const hashPathOf = (sha256: string): string =>
  `/graphql?extensions=${encodeURIComponent(JSON.stringify({ persistedQuery: { version: 1, sha256Hash: sha256 } }))}`;
const tokenOf = (sub: string, claims: object = {}): string => signToken({ sub, roles: ['USER'], ...claims }, { key: DEVELOPMENT_KEY });
const ownerOf = ({ text }: HttpResponse): string | undefined => /"id":"(\w+)"/.exec(text)?.[1];
const codeOf = ({ body }: HttpResponse): unknown =>
  (body as { errors?: readonly { extensions: { code: string } }[] }).errors?.[0]?.extensions.code;

/**
 * A target that was requested before and is a cache hit is not parsed and prepared again. The caller and the other properties of the
 * request are still checked each time.
 */
describe('a memoized request with a cached response', () => {
  let now = 1_000;
  let wall: number;
  /** Gateway of one test only. */
  let graph: CachedGraph | undefined;
  let client: HttpClient;
  const clock = { now: () => wall, monotonic: () => now };
  const plain = sharedByTests(async () => startCachedGraph({}, { clock }));

  beforeEach(() => {
    now += 86_400_000; // A day later, no entry of an earlier test is fresh.
    wall = Date.now();
  });

  afterEach(async () => {
    await graph?.[Symbol.asyncDispose]();
    graph = undefined;
  });

  /** Uses the shared gateway of all tests without settings. */
  function usePlain(): CachedGraph {
    const shared = plain();
    shared.reset();
    client = createHttpClient({ origin: shared.url });
    return shared;
  }

  async function start(config: Omit<GatewayConfigInput, 'supergraph'> = {}, dependencies: GatewayDependencies = {}): Promise<CachedGraph> {
    graph = await startCachedGraph(config, { clock, ...dependencies });
    client = createHttpClient({ origin: graph.url });
    return graph;
  }

  /** Repeats a request until it is a cache hit of a memoized target. */
  async function warm(
    path: string,
    options: { readonly headers?: Record<string, string>; readonly token?: string } = {},
  ): Promise<HttpResponse> {
    for (let count = 0; count < 3; count += 1) await client.get(path, options);
    const response = await client.get(path, options);
    expect(response).toMatchObject({ status: 200, headers: { age: expect.any(String) as unknown } });
    return response;
  }

  describe('callers', () => {
    it('returns to each caller its own response to the same public request', async () => {
      const { requested } = usePlain();
      await warm(pathOf(PAGE));
      for (const sub of ['ada', 'bob', 'ada', 'bob']) expect(ownerOf(await client.get(pathOf(PAGE), { token: tokenOf(sub) }))).toBe(sub);
      expect(ownerOf(await client.get(pathOf(PAGE)))).toBe('nobody');
      expect(requested).toHaveLength(3);
    });

    it('fetches a new response for the same caller under other roles', async () => {
      const { requested } = usePlain();
      await warm(pathOf('{ me { id } }'), { token: tokenOf('ada') });
      await client.get(pathOf('{ me { id } }'), { token: tokenOf('ada', { roles: ['ADMIN'] }) });
      expect(requested).toHaveLength(2);
    });

    it('returns to each caller its own response when the memo holds fewer callers', async () => {
      usePlain();
      const subs = Array.from({ length: 70 }, (_, index) => `caller${index}`);
      for (let turn = 0; turn < 3; turn += 1) {
        for (const sub of subs) expect(ownerOf(await client.get(pathOf(PAGE), { token: tokenOf(sub) }))).toBe(sub);
      }
    });

    it('rejects credentials that are no longer valid', async () => {
      usePlain();
      const path = pathOf('{ me { id } }');
      const token = tokenOf('ada', { exp: Math.floor(wall / 1_000) + 60 });
      await warm(path, { token });
      expect((await client.get(path, { token: 'nonsense' })).status).toBe(401);
      wall += 120_000;
      expect((await client.get(path, { token })).status).toBe(401);
    });

    it('does not return 304 for the tag of another caller', async () => {
      usePlain();
      const { headers } = await warm(pathOf(PAGE), { token: tokenOf('ada') });
      await warm(pathOf(PAGE), { token: tokenOf('bob') });
      const condition = { 'if-none-match': String(headers.etag) };
      expect((await client.get(pathOf(PAGE), { token: tokenOf('bob'), headers: condition })).status).toBe(200);
      expect((await client.get(pathOf(PAGE), { headers: condition })).status).toBe(200);
      expect((await client.get(pathOf(PAGE), { token: tokenOf('ada'), headers: condition })).status).toBe(304);
    });

    it('follows a policy hook that decides otherwise', async () => {
      let isStaff = true;
      await start({}, { policies: () => (isStaff ? ['staff'] : []) });
      const path = pathOf('{ staff(id: 1) { id } }');
      await warm(path, { token: tokenOf('ada') });
      isStaff = false;
      expect(codeOf(await client.get(path, { token: tokenOf('ada') }))).toBe('FORBIDDEN');
    });
  });

  describe('other properties of the request', () => {
    it('separates responses by the configured headers, also if missing or repeated', async () => {
      const { requested, url } = await start({ cache: { varyBy: ['X-Tenant'] } });
      await warm(pathOf(PAGE), { headers: { 'x-tenant': 'a' } });
      await client.get(pathOf(PAGE), { headers: { 'x-tenant': 'b' } });
      await client.get(pathOf(PAGE));
      const { statuses } = await sendRaw(
        url,
        `GET ${pathOf(PAGE)} HTTP/1.1\r\nHost: a\r\nX-Tenant: a\r\nX-Tenant: b\r\nConnection: close\r\n\r\n`,
      );
      expect(statuses).toEqual([200]);
      expect(requested).toHaveLength(4);
    });

    it.each([
      ['a foreign content type', { 'content-type': 'text/plain' }, 415],
      ['no media type that is served', { accept: 'text/plain' }, 406],
      ['a body', { 'content-length': '2' }, 400],
    ])('rejects %s as before', async (_what, headers, status) => {
      usePlain();
      await warm(pathOf(PAGE));
      const body = 'content-length' in headers ? { body: '{}' } : {};
      expect((await client.send({ path: pathOf(PAGE), headers, ...body })).status).toBe(status);
    });

    it.each([
      ['two hosts', 'Host: a\r\nHost: b\r\n', 400],
      ['no host', '', 400],
      ['another coding', 'Host: a\r\nTransfer-Encoding: gzip, chunked\r\n', 501],
    ])('rejects framing with %s as before', async (_what, headers, status) => {
      const { url } = usePlain();
      await warm(pathOf(PAGE));
      const { statuses } = await sendRaw(url, `GET ${pathOf(PAGE)} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
      expect(statuses).toEqual([status]);
    });

    it('serves each media type and content coding that a client accepts', async () => {
      const { requested } = usePlain();
      const plain = await warm(pathOf(PAGE));
      const other = await client.get(pathOf(PAGE), { headers: { accept: 'application/graphql-response+json' } });
      expect(other.headers['content-type']).toBe('application/graphql-response+json; charset=utf-8');
      const packed = await client.get(pathOf(PAGE), { headers: { 'accept-encoding': 'gzip' } });
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
      expect((await client.get(pathOf(PAGE))).text).toBe(plain.text);
      expect(requested).toHaveLength(1);
    });

    it('serves one cached response to a client that accepts streams and multipart too', async () => {
      const { requested } = usePlain();
      const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';
      const { headers, text } = await warm(pathOf(PAGE), { headers: { accept } });
      expect(headers['content-type']).toBe('application/graphql-response+json; charset=utf-8');
      expect((await client.get(pathOf(PAGE))).text).toBe(text);
      expect(requested).toHaveLength(1);
    });

    it('serves an operation with @defer with or without multipart, as accepted', async () => {
      usePlain();
      const path = pathOf('{ page(id: 1) { id ... @defer { text } } }');
      for (let turn = 0; turn < 3; turn += 1) {
        const parts = await client.get(path, { headers: { accept: 'multipart/mixed, application/json' } });
        expect(parts.headers['content-type']).toMatch(/^multipart\/mixed/);
        const whole = await client.get(path);
        expect(whole.headers['content-type']).toBe('application/json; charset=utf-8');
      }
    });

    it('serves HEAD, POST and other methods by their own rules', async () => {
      const { requested } = usePlain();
      const { headers, bytes } = await warm(pathOf(PAGE));
      const head = await client.send({ method: 'HEAD', path: pathOf(PAGE) });
      expect(head).toMatchObject({ status: 200, text: '', headers: { etag: headers.etag, 'content-length': String(bytes.length) } });
      expect(requested).toHaveLength(1);
      const posted = await client.post(pathOf(PAGE), { query: '{ other(id: 1) { id } }' });
      expect(posted.text).toContain('"other"');
      expect(posted.headers['cache-control']).toBe('no-store');
      expect((await client.send({ method: 'PUT', path: pathOf(PAGE) })).status).toBe(405);
    });

    it('serves the whole response for a range', async () => {
      usePlain();
      const { text } = await warm(pathOf(PAGE));
      expect(await client.get(pathOf(PAGE), { headers: { range: 'bytes=0-3' } })).toMatchObject({ status: 200, text });
    });

    it('returns 304 when one of several tags matches', async () => {
      usePlain();
      const { headers } = await warm(pathOf(PAGE));
      const etag = String(headers.etag);
      const statusOf = async (condition: string) => (await client.get(pathOf(PAGE), { headers: { 'if-none-match': condition } })).status;
      for (const condition of [etag, `W/${etag}`, `"a", W/${etag} , "b"`, '*', ' * ']) expect(await statusOf(condition)).toBe(304);
      for (const condition of ['', '"a"', etag.slice(0, -1), etag.replaceAll('"', ''), '"*"']) expect(await statusOf(condition)).toBe(200);
    });
  });

  describe('the spelling of the target', () => {
    it.each([
      ['a parameter twice', `${pathOf(PAGE)}&query=%7B+me+%7B+id+%7D+%7D`],
      ['a parameter twice, one of them spelled otherwise', `${pathOf(PAGE)}&%71uery=x`],
      ['credentials', `${pathOf(PAGE)}&access_token=x`],
      ['a broken coding', `${pathOf(PAGE)}&a=%f`],
    ])('rejects a known target with %s in addition', async (_what, path) => {
      usePlain();
      await warm(pathOf(PAGE));
      for (let count = 0; count < 3; count += 1) expect((await client.get(path)).status).toBe(400);
    });

    it('serves one response for several spellings of a request', async () => {
      const { requested } = usePlain();
      const { text } = await warm(pathOf(PAGE));
      for (const path of [pathOf(PAGE).replace('query', '%71uery'), `${pathOf(PAGE)}&unknown=1`, pathOf(PAGE).replaceAll('%20', '+')]) {
        expect((await warm(path)).text).toBe(text);
      }
      expect(requested).toHaveLength(1);
    });

    it('separates responses by operation name and variables', async () => {
      usePlain();
      const query = 'query A($id: ID!) { page(id: $id) { text } } query B($id: ID!) { other(id: $id) { text } }';
      const seen = new Map<string, string>();
      for (let turn = 0; turn < 3; turn += 1) {
        for (const name of ['A', 'B']) {
          for (const id of ['1', '2']) {
            const path = `${pathOf(query)}&operationName=${name}&variables=${encodeURIComponent(JSON.stringify({ id }))}`;
            const { text } = await client.get(path);
            expect(seen.get(path) ?? text).toBe(text);
            seen.set(path, text);
          }
        }
      }
      expect(new Set(seen.values()).size).toBe(4);
    });
  });

  describe('changes in the meantime', () => {
    it('refreshes a response that is no longer fresh', async () => {
      usePlain();
      const { text } = await warm(pathOf(PAGE));
      now += 60_000;
      const next = await client.get(pathOf(PAGE));
      expect(next.text).not.toBe(text);
      expect(next.headers).not.toHaveProperty('age');
      expect((await warm(pathOf(PAGE))).text).toBe(next.text);
    });

    it('does not serve a response that was invalidated', async () => {
      const { internalUrl } = await start({ cache: { invalidationKey: INVALIDATION_KEY } });
      const { text } = await warm(pathOf(PAGE));
      const authorization = `Bearer ${INVALIDATION_KEY}`;
      await client.post('/cache/invalidate', { types: ['Page'] }, { origin: internalUrl, headers: { authorization } });
      expect((await client.get(pathOf(PAGE))).text).not.toBe(text);
    });

    it('queries another supergraph after a reload', async () => {
      let listener: SupergraphListener | undefined;
      const source = {
        name: 'a test',
        isLocal: true,
        start(given: SupergraphListener) {
          listener = given;
          given.onSupergraph(cachedSupergraph());
        },
        [Symbol.asyncDispose]: async () => undefined,
      };
      const { gateway, requested } = await start({}, { supergraphSource: () => source });
      const { text } = await warm(pathOf(PAGE));
      const { current } = gateway.generations();
      listener?.onSupergraph(cachedSupergraph('extend type Query { further: Page }'));
      while (gateway.generations().current === current) await sleep(5);
      expect((await client.get(pathOf(PAGE))).text).not.toBe(text);
      await warm(pathOf(PAGE));
      expect(requested).toHaveLength(2);
    });

    it('returns PERSISTED_QUERY_NOT_FOUND for an evicted document with a cached response', async () => {
      const { requested } = await start({ persisted: { timeToLiveMs: 10_000, maxEntries: 1 } });
      const register = (query: string) =>
        client.post('/graphql', { query, extensions: { persistedQuery: { version: 1, sha256Hash: sha256Of(query) } } });
      await register(PAGE);
      const path = hashPathOf(sha256Of(PAGE));
      await warm(path);
      expect(hashPathOf(sha256Of(PAGE).toUpperCase())).not.toBe(path);
      expect((await warm(hashPathOf(sha256Of(PAGE).toUpperCase()))).status).toBe(200);
      const before = requested.length;
      await register('{ other(id: 1) { id } }'); // Evicts the document, because the store has one entry.
      expect(codeOf(await client.get(path))).toBe('PERSISTED_QUERY_NOT_FOUND');
      await register(PAGE);
      await warm(path);
      now += 10_001;
      expect(codeOf(await client.get(path))).toBe('PERSISTED_QUERY_NOT_FOUND');
      expect(requested.length - before).toBe(2);
    });

    it.each(['safelist', 'id-required'] as const)('follows changed manifests in mode %s, and rejects removed ids', async (mode) => {
      const folder = await mkdtemp(join(tmpdir(), 'gatefold-'));
      const file = join(folder, 'web.json');
      const write = async (documents: Record<string, string>) => {
        await writeFile(`${file}.new`, JSON.stringify(documents));
        await rename(`${file}.new`, file);
      };
      try {
        await write({ first: PAGE, second: '{ me { id } }' });
        const { requested } = await start({ persisted: { mode, manifests: { web: file } } });
        const path = '/graphql?documentId=first';
        expect((await warm(path)).text).toContain('"page"');
        await warm('/graphql/second');
        const plain = { status: mode === 'safelist' ? 404 : 400 };
        expect(await client.get(pathOf('{ now { time } }'))).toMatchObject(plain);
        await write({ first: '{ page(id: 2) { id text } }' });
        while ((await client.get('/graphql/second')).status !== 404) await sleep(20);
        const { text } = await client.get(path);
        expect(text).toContain('\\"2\\"');
        expect(requested).toHaveLength(3);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });

  it('costs one point each time, and returns 429 when no points are left', async () => {
    const anonymous = { capacity: 12, refillPerSecond: 1 };
    await start({ budget: { mode: 'enforce', anonymous } });
    const remainingOf = ({ headers }: HttpResponse): number => Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    await warm(pathOf(PAGE));
    const left = remainingOf(await client.post('/graphql', { query: PAGE }));
    expect(left).toBeGreaterThan(0);
    for (let count = 0; count < left; count += 1) expect((await client.get(pathOf(PAGE))).status).toBe(200);
    const rejected = await client.get(pathOf(PAGE));
    expect(rejected).toMatchObject({ status: 429, headers: { 'cache-control': 'no-store', 'retry-after': '1' } });
    expect(codeOf(rejected)).toBe('RATE_LIMITED');
    expect(remainingOf(rejected)).toBe(0);
    const condition = { 'if-none-match': '*' };
    expect((await client.get(pathOf(PAGE), { headers: condition })).status).toBe(429);
  });
});
