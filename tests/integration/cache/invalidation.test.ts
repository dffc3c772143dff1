import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { createHttpClient, type HttpResponse } from '../../support/http/http-client.ts';

const KEY = 'a key that only operators of the gateway know';
const PATH = '/cache/invalidate';

describe('POST /cache/invalidate on the internal listener', () => {
  let graph: CachedGraph;

  beforeAll(async () => {
    graph = await startCachedGraph({ cache: { invalidationKey: KEY } });
  });

  afterEach(() => {
    graph.respondWith({});
  });

  afterAll(async () => {
    await graph[Symbol.asyncDispose]();
  });

  const read = (query: string): Promise<HttpResponse> =>
    createHttpClient({ origin: graph.url }).get(`/graphql?query=${encodeURIComponent(query)}`);
  const invalidate = (json: unknown, token: string | undefined = KEY): Promise<HttpResponse> =>
    createHttpClient({ origin: graph.internalUrl }).post(PATH, json, { token });

  it.each([
    ['no key', undefined],
    ['another key', `${KEY}!`],
  ])('returns 401 with %s, and the cache remains', async (_what, token) => {
    const { text } = await read('{ page(id: 1) { text } }');
    const options = token === undefined ? {} : { token };
    const { status, body } = await createHttpClient({ origin: graph.internalUrl }).post(PATH, { types: ['Page'] }, options);
    expect({ status, error: body['error'] }).toEqual({ status: 401, error: 'UNAUTHENTICATED' });
    expect((await read('{ page(id: 1) { text } }')).text).toBe(text);
  });

  it.each([[{}], [[]], [{ types: [] }], [{ types: 'Page' }], [{ types: [1] }], [{ tags: [''] }], [{ types: ['Page'], more: 1 }]])(
    'returns 400 for %j',
    async (json) => {
      expect((await invalidate(json)).status).toBe(400);
    },
  );

  it('returns 405 for GET with the key', async () => {
    const { status, headers } = await createHttpClient({ origin: graph.internalUrl }).get(PATH, { token: KEY });
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' });
  });

  it('does not exist on the public listener', async () => {
    expect((await createHttpClient({ origin: graph.url }).post(PATH, { types: ['Page'] }, { token: KEY })).status).toBe(404);
  });

  it('invalidates responses with a type, and others remain', async () => {
    await invalidate({ types: ['Page', 'Account'] });
    const [page, account] = [await read('{ page(id: 1) { text } }'), await read('{ me { text } }')];
    const { status, body } = await invalidate({ types: ['Page'] });
    expect({ status, body }).toEqual({ status: 200, body: { invalidated: 1 } });
    expect((await read('{ page(id: 1) { text } }')).text).not.toBe(page.text);
    expect((await read('{ me { text } }')).text).toBe(account.text);
  });

  it('invalidates responses with a tag that a subgraph sent', async () => {
    graph.respondWith({ cacheTags: 'sale, winter' });
    const { text } = await read('{ other(id: 7) { text } }');
    expect((await invalidate({ tags: ['summer'] })).body).toEqual({ invalidated: 0 });
    expect((await invalidate({ tags: ['winter'] })).body).toEqual({ invalidated: 1 });
    expect((await read('{ other(id: 7) { text } }')).text).not.toBe(text);
  });

  it('prevents caching of a response in progress whose type is invalidated', async () => {
    const release = graph.hold();
    const before = graph.requested.length;
    const waiting = read('{ page(id: 9) { text } }');
    while (graph.requested.length === before) await new Promise(setImmediate);
    await invalidate({ types: ['Page'] });
    release();
    const { text } = await waiting;
    expect((await read('{ page(id: 9) { text } }')).text).not.toBe(text);
  });
});

it('the endpoint does not exist without an invalidation key in the configuration', async () => {
  await using graph = await startCachedGraph();
  expect((await createHttpClient({ origin: graph.internalUrl }).post(PATH, { types: ['Page'] })).status).toBe(404);
});
