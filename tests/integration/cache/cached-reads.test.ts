import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GatewayDependencies } from '../../../gateway/gateway.ts';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import type { SupergraphListener } from '../../../gateway/supergraph/sources/supergraph-source.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createRestFacade, type RestFacade } from '../../../rest-facade/index.ts';
import { type CachedGraph, cachedSupergraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from '../../support/http/http-client.ts';

const INVALIDATION_KEY = 'a key that only operators of the gateway know';
const ROUTES = `
  query Page($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/pages/{id}") { page(id: $id) @result { id text } }
  query Staff($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/staff/{id}") { staff(id: $id) @result { id text } }
  query Secret($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/secrets/{id}") @noStore { other(id: $id) @result { id text } }
  query Now @endpoint(method: GET, path: "/now") { now @result { time } }
  mutation Publish($id: ID! @in(path: "id")) @endpoint(method: POST, path: "/pages/{id}/publish") { publish(id: $id) @result { id text } }
`;
const PAGE = '/pages/1';

const tokenOf = (sub: string, claims: object = {}): string => signToken({ sub, roles: ['USER'], ...claims }, { key: DEVELOPMENT_KEY });
const ownerOf = ({ body }: HttpResponse): unknown => (body as { readonly id?: unknown }).id;
const codeOf = ({ body }: HttpResponse): unknown => (body as { readonly error?: unknown }).error;

/** Returns the headers that do not belong to one response. */
function constantOf({ headers }: HttpResponse): object {
  const { date: _date, age: _age, 'x-correlation-id': _id, ...constant } = headers;
  return constant;
}

/** A read is served from the response cache. A repeated one is not validated again, but the caller and the other headers are checked. */
describe('a REST read with a cached response', () => {
  let now = 1_000;
  let wall: number;
  let graph: CachedGraph | undefined;
  let facade: RestFacade;
  let client: HttpClient;
  const clock = { now: () => wall, monotonic: () => now };

  beforeEach(() => {
    wall = Date.now();
  });

  afterEach(async () => {
    await graph?.[Symbol.asyncDispose]();
    graph = undefined;
  });

  async function start(
    config: Omit<GatewayConfigInput, 'supergraph'> = {},
    dependencies: GatewayDependencies = {},
    documents = [{ path: 'pages.graphql', text: ROUTES }],
  ): Promise<CachedGraph> {
    const started = await startCachedGraph(config, { clock, ...dependencies });
    graph = started;
    facade = createRestFacade({ gateway: started.gateway, documents });
    started.gateway.mount(facade);
    client = createHttpClient({ origin: started.url });
    return started;
  }

  /** Repeats a read until its stored response is served. */
  async function warm(path = PAGE, options: { readonly headers?: Record<string, string>; readonly token?: string } = {}) {
    for (let count = 0; count < 4; count += 1) await client.get(path, options);
    const response = await client.get(path, options);
    expect(response).toMatchObject({ status: 200, headers: { age: expect.any(String) as unknown } });
    return response;
  }

  it('has the same headers and bytes as the first response, and an age', async () => {
    const { requested } = await start();
    const first = await client.get(PAGE);
    expect(first.headers).not.toHaveProperty('age');
    now += 3_500;
    for (let count = 0; count < 4; count += 1) {
      const next = await client.get(PAGE, { headers: { 'x-correlation-id': `request-${count}` } });
      expect(next).toMatchObject({ status: 200, text: first.text, headers: { age: '3', 'x-correlation-id': `request-${count}` } });
      expect(constantOf(next)).toEqual(constantOf(first));
    }
    expect(requested).toHaveLength(1);
  });

  it('is not stored if the gateway caches no responses', async () => {
    const { requested } = await start({ cache: { responses: false } });
    for (let count = 0; count < 3; count += 1) {
      expect((await client.get(PAGE)).headers).toMatchObject({ 'cache-control': 'public, max-age=60' });
    }
    expect(requested).toHaveLength(3);
  });

  describe('callers', () => {
    it('returns to each caller its own response', async () => {
      const { requested } = await start();
      const anonymous = await warm();
      for (const sub of ['ada', 'bob', 'ada', 'bob', 'ada', 'bob']) {
        const response = await client.get(PAGE, { token: tokenOf(sub) });
        expect([ownerOf(response), response.headers['cache-control']]).toEqual([sub, 'private, max-age=60']);
      }
      expect((await client.get(PAGE)).text).toBe(anonymous.text);
      expect(requested).toHaveLength(3);
    });

    it('executes the operation for the same caller under other roles', async () => {
      const { requested } = await start();
      await warm(PAGE, { token: tokenOf('ada') });
      await client.get(PAGE, { token: tokenOf('ada', { roles: ['ADMIN'] }) });
      expect(requested).toHaveLength(2);
    });

    it('rejects credentials that are no longer valid', async () => {
      await start();
      const token = tokenOf('ada', { exp: Math.floor(wall / 1_000) + 60 });
      await warm(PAGE, { token });
      expect((await client.get(PAGE, { token: 'nonsense' })).status).toBe(401);
      wall += 120_000;
      expect((await client.get(PAGE, { token })).status).toBe(401);
    });

    it('follows a policy hook that decides otherwise', async () => {
      let isStaff = true;
      await start({}, { policies: () => (isStaff ? ['staff'] : []) });
      await warm('/staff/1', { token: tokenOf('ada') });
      isStaff = false;
      expect((await client.get('/staff/1', { token: tokenOf('ada') })).status).toBe(403);
    });

    it('costs one point each time, and returns 429 when no points are left', async () => {
      const bucket = { capacity: 40, refillPerSecond: 1 };
      await start({ budget: { mode: 'enforce', anonymous: bucket, signedIn: bucket } });
      const token = tokenOf('ada');
      const leftOf = ({ headers }: HttpResponse): number => Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
      const warmed = await warm(PAGE, { token });
      expect(leftOf(await client.get(PAGE, { token }))).toBe(leftOf(warmed) - 1);
      const known = { 'if-none-match': '*' };
      expect(leftOf(await client.get(PAGE, { token, headers: known }))).toBe(leftOf(warmed) - 2);
      const failed = await client.get(PAGE, { token, headers: { 'if-match': '"other"' } });
      expect([failed.status, leftOf(failed)]).toEqual([412, leftOf(warmed) - 3]);
      let response = failed;
      for (let count = 0; response.status !== 429 && count < bucket.capacity; count += 1) response = await client.get(PAGE, { token });
      expect(response).toMatchObject({ status: 429, headers: { 'cache-control': 'no-store' } });
      expect(codeOf(response)).toBe('RATE_LIMITED');
      expect((await client.get(PAGE, { token, headers: known })).status).toBe(429);
      expect((await warm()).headers).not.toHaveProperty('ratelimit');
    });
  });

  describe('other properties of the request', () => {
    it('separates responses by the configured headers', async () => {
      const { requested } = await start({ cache: { varyBy: ['X-Tenant'] } });
      const { headers } = await warm(PAGE, { headers: { 'x-tenant': 'a' } });
      expect(headers['vary']).toContain('x-tenant');
      await client.get(PAGE, { headers: { 'x-tenant': 'b' } });
      await client.get(PAGE);
      expect(requested).toHaveLength(3);
    });

    it.each([
      ['a media type that is not served', PAGE, { accept: 'text/plain' }, 406],
      ['the text of an absent header', PAGE, { accept: 'undefined' }, 406],
      ['another version', PAGE, { accept: 'application/vnd.gatefold.v9+json' }, 406],
      ['an unreadable precondition', PAGE, { 'if-match': 'x' }, 400],
      ['a tag that does not match', PAGE, { 'if-match': '"x"' }, 412],
      ['an unknown parameter', `${PAGE}?x=1`, {}, 400],
      ['credentials in the URL', `${PAGE}?token=1`, {}, 400],
    ])('rejects %s as before', async (_what, path, headers, status) => {
      await start();
      await warm();
      for (let count = 0; count < 3; count += 1) expect((await client.get(path, { headers })).status).toBe(status);
    });

    it('rejects a body, and methods that the resource does not support', async () => {
      await start();
      await warm();
      expect((await client.send({ path: PAGE, body: '{}', headers: { 'content-type': 'application/json' } })).status).toBe(400);
      expect((await client.send({ method: 'DELETE', path: PAGE })).status).toBe(405);
      expect((await client.send({ method: 'OPTIONS', path: PAGE })).headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS' });
    });

    it('serves each representation, and an envelope with the id of its request', async () => {
      const { requested } = await start();
      const plain = await warm();
      const wrapped = { accept: 'application/vnd.gatefold.envelope+json' };
      for (const id of ['one', 'two', 'three', 'four']) {
        const { body, headers } = await client.get(PAGE, { headers: { ...wrapped, 'x-correlation-id': id } });
        expect(body).toMatchObject({ data: plain.body, meta: { requestId: id } });
        expect(headers['etag']).not.toBe(plain.headers.etag);
      }
      expect((await client.get(PAGE, { headers: { accept: 'application/vnd.gatefold.links+json' } })).body).toHaveProperty('_links');
      expect((await warm()).text).toBe(plain.text);
      expect(requested).toHaveLength(1);
    });

    it('applies the preferences of each request', async () => {
      await start();
      const path = `${PAGE}?unknown=1`;
      const lenient = await warm(path, { headers: { prefer: 'handling=lenient' } });
      expect(lenient.headers['preference-applied']).toBe('handling=lenient');
      expect((await client.get(path)).status).toBe(400);
      expect((await warm()).headers).not.toHaveProperty('preference-applied');
    });

    it('serves each content coding with its own tag', async () => {
      const { requested } = await start();
      const plain = await warm();
      const packed = await warm(PAGE, { headers: { 'accept-encoding': 'gzip' } });
      expect(packed).toMatchObject({ headers: { 'content-encoding': 'gzip' } });
      expect(packed.headers.etag).toBe(`${String(plain.headers.etag).slice(0, -1)}-gzip"`);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
      const condition = { 'accept-encoding': 'gzip', 'if-none-match': String(plain.headers.etag) };
      expect((await client.get(PAGE, { headers: condition })).status).toBe(200);
      expect(requested).toHaveLength(1);
    });

    it('serves HEAD without a body, and the whole response for a range', async () => {
      const { requested } = await start();
      const { headers, text, bytes } = await warm();
      const head = await client.send({ method: 'HEAD', path: PAGE });
      expect(head).toMatchObject({ status: 200, text: '', headers: { etag: headers.etag, 'content-length': String(bytes.length) } });
      expect(await client.get(PAGE, { headers: { range: 'bytes=0-3' } })).toMatchObject({ status: 200, text });
      expect(requested).toHaveLength(1);
    });

    it('returns 304 when a tag matches, with the headers of the 200 except those of the content', async () => {
      await start();
      const { headers } = await warm();
      const etag = String(headers.etag);
      const get = async (condition: string) => client.get(PAGE, { headers: { 'if-none-match': condition } });
      for (const condition of [etag, `W/${etag}`, `"a", ${etag}`, '*']) expect((await get(condition)).status).toBe(304);
      for (const condition of ['"a"', etag.slice(0, -2), 'x']) expect((await get(condition)).status).toBe(200);
      const unchanged = await get(etag);
      expect(unchanged.headers).toMatchObject({ etag, vary: headers.vary, 'cache-control': headers['cache-control'], age: '0' });
      expect(unchanged.headers).not.toHaveProperty('content-type');
    });
  });

  describe('changes in the meantime', () => {
    it('executes the operation when the response is no longer fresh', async () => {
      await start();
      const { text } = await warm();
      now += 60_000;
      const next = await client.get(PAGE);
      expect(next.text).not.toBe(text);
      expect(next.headers).not.toHaveProperty('age');
      expect((await warm()).text).toBe(next.text);
    });

    it('serves an expired response while a new one is fetched, if that is configured, and states it', async () => {
      const { requested } = await start({ cache: { staleWhileRevalidateSeconds: 30 } });
      await warm();
      now += 61_000;
      const { headers } = await client.get(PAGE);
      expect(headers).toMatchObject({ age: '61', 'cache-control': 'public, max-age=60, stale-while-revalidate=30' });
      while (requested.length < 2) await sleep(5);
    });

    it('does not serve a response that was invalidated', async () => {
      const { internalUrl } = await start({ cache: { invalidationKey: INVALIDATION_KEY } });
      const { text } = await warm();
      const authorization = `Bearer ${INVALIDATION_KEY}`;
      await client.post('/cache/invalidate', { types: ['Page'] }, { origin: internalUrl, headers: { authorization } });
      expect((await client.get(PAGE)).text).not.toBe(text);
    });

    it('shows a write of any caller by any transport at once, and executes the operation on request', async () => {
      const { requested } = await start();
      await warm();
      await warm(PAGE, { token: tokenOf('ada') });
      now += 1;
      await client.post(`${PAGE}/publish`, undefined, { token: tokenOf('bob') });
      now += 1;
      const before = requested.length;
      for (const options of [{}, { token: tokenOf('ada') }]) expect((await client.get(PAGE, options)).headers).not.toHaveProperty('age');
      expect(requested).toHaveLength(before + 2);
      now += 1;
      await client.post('/graphql', { query: 'mutation { publish(id: "1") { id } }' }, { token: tokenOf('eve') });
      now += 1;
      expect((await client.get(PAGE)).headers).not.toHaveProperty('age');
      await warm();
      expect((await client.get(PAGE, { headers: { 'cache-control': 'no-cache' } })).headers).not.toHaveProperty('age');
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
      const { text } = await warm();
      const { current } = gateway.generations();
      listener?.onSupergraph(cachedSupergraph('extend type Query { further: Page }'));
      while (gateway.generations().current === current) await sleep(5);
      expect((await client.get(PAGE)).text).not.toBe(text);
      await warm();
      expect(requested).toHaveLength(2);
    });

    it('uses changed documents after their reload, also with the same operation', async () => {
      const documents = [{ path: 'pages.graphql', text: ROUTES }];
      await start({}, {}, documents);
      const { body } = await warm();
      const [document] = documents;
      if (document !== undefined)
        document.text = ROUTES.replace('{ page(id: $id) @result { id text } }', '{ page(id: $id) @result { text } }');
      facade.reload();
      expect((await warm()).body).toEqual({ text: expect.any(String) as unknown });
      expect(body).toHaveProperty('id');
      if (document !== undefined) document.text = ROUTES.replace('"/pages/{id}"', '"/sheets/{id}"');
      facade.reload();
      expect((await client.get(PAGE)).status).toBe(404);
    });
  });

  describe('responses that are never cached', () => {
    it.each([
      ['of a document with @noStore', '/secrets/1', {}],
      ['without a policy', '/now', {}],
      ['that a subgraph forbids to cache', PAGE, { cacheControl: 'no-store' }],
    ])('executes an operation %s each time', async (_what, path, extra) => {
      const { requested, respondWith } = await start();
      respondWith(extra);
      for (let count = 0; count < 3; count += 1) {
        expect((await client.get(path, { headers: { 'accept-encoding': 'identity' } })).headers).not.toHaveProperty('age');
      }
      expect(requested).toHaveLength(3);
    });

    it('does not store errors, and does not use a cached response that would be one', async () => {
      let page: object | null = null;
      let requests = 0;
      const executor: SubgraphExecutor = async ({ body }) => {
        requests += 1;
        const { query } = JSON.parse(body) as { readonly query: string };
        const [, alias = ''] = /(\w+)(?::\s*\w+)?\(/.exec(query.slice(query.indexOf('{'))) ?? [];
        return { data: { [alias]: page } };
      };
      await start({}, { subgraphExecutor: () => Object.assign(executor, { [Symbol.asyncDispose]: async () => undefined }) });
      const missing = await client.get(PAGE);
      expect(missing).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
      expect(missing.headers).not.toHaveProperty('age');
      expect((await client.get(PAGE)).status).toBe(404);
      expect(requests).toBe(2);
      // GraphQL stores the response with null under the same key.
      const query = 'query ($id: ID!) { page(id: $id) { id text } }';
      const path = `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent('{"id":"1"}')}`;
      for (let count = 0; count < 2; count += 1) expect((await client.get(path)).body).toEqual({ data: { page: null } });
      expect(requests).toBe(3);
      page = { id: '1', text: 'created by another caller' };
      expect(await client.get(PAGE)).toMatchObject({ status: 200, body: page });
    });

    it('executes the operation of a response with errors each time', async () => {
      const { requested, respondWith } = await start();
      respondWith({ errors: [{ message: 'x', path: ['page', 'text'], code: 'CONFLICT' }] });
      for (let count = 0; count < 2; count += 1) expect((await client.get(PAGE)).status).toBeGreaterThanOrEqual(400);
      expect(requested).toHaveLength(2);
    });
  });

  describe('hooks', () => {
    it('runs onOperation and onResponse each time, and adds their headers', async () => {
      const seen: string[] = [];
      await start(
        {},
        {
          hooks: {
            onOperation: () => void seen.push('operation'),
            onResponse: () => ({ headers: { 'x-added': String(seen.push('response')) } }),
          },
        },
      );
      for (let count = 1; count <= 4; count += 1) {
        const { headers } = await client.get(PAGE);
        expect(headers).toMatchObject({ 'x-added': String(2 * count), 'cache-control': 'private, no-cache' });
        expect(headers).not.toHaveProperty('age');
      }
    });

    it('runs onRequest each time, and separates responses by the headers that it sets', async () => {
      let tenant = 'a';
      const { requested } = await start(
        { cache: { varyBy: ['X-Tenant'] } },
        { hooks: { onRequest: () => ({ headers: { 'x-tenant': tenant } }) } },
      );
      for (let count = 0; count < 4; count += 1) await client.get(PAGE);
      expect(requested).toHaveLength(1);
      tenant = 'b';
      await client.get(PAGE);
      expect(requested).toHaveLength(2);
    });
  });
});
