import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { type EntityGraph, startEntityGraph } from '../../fixtures/entity-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse } from '../../support/http/http-client.ts';
import { missingRedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { signToken } from '../../support/identity/tokens.ts';

const KEY = 'a key that only operators of the gateway know';

const items = (ids: readonly string[], fields: string): string => `{ items(ids: ${JSON.stringify(ids)}) { ${fields} } }`;

const pathsOf = (errors: unknown): unknown =>
  (errors as readonly { path: unknown; extensions: { code: string } }[]).map(({ path, extensions }) => [extensions.code, path]);

describe('cached entities', () => {
  let now = 1_000;
  let graph: EntityGraph;
  const clock = { now: () => Date.now(), monotonic: () => now };
  const start = () => startEntityGraph({ cache: { invalidationKey: KEY } }, { clock });
  const shared = sharedByTests(start);

  beforeEach(() => {
    now += 86_400_000; // A day later, no entry of an earlier test is fresh.
    graph = shared();
    graph.reset();
  });

  const request = async (
    query: string,
    { sub, variables }: { sub?: string; variables?: object } = {},
  ): Promise<{ data?: unknown; errors?: unknown }> => {
    const token = sub === undefined ? undefined : signToken({ sub, roles: ['USER'] }, { key: DEVELOPMENT_KEY });
    return (await createHttpClient({ origin: graph.url }).post('/graphql', { query, variables }, { token })).body;
  };
  const invalidate = (json: unknown): Promise<HttpResponse> =>
    createHttpClient({ origin: graph.internalUrl }).post('/cache/invalidate', json, { token: KEY });

  it('exclude a response with errors, which are reported at their entities again', async () => {
    await using plain = await startEntityGraph({ cache: { entities: false } });
    const query = items(['1', '2', 'bad', '3'], 'id seller { id } title');
    const { body } = await createHttpClient({ origin: plain.url }).post('/graphql', { query });
    await request(items(['1', '3'], 'title'));
    for (let count = 0; count < 2; count += 1) {
      const { data, errors } = await request(query);
      expect({ data, errors: pathsOf(errors) }).toEqual({ data: body['data'], errors: pathsOf(body['errors']) });
    }
    await request(items(['1', '2'], 'title'));
    expect(graph.latest()).toEqual([['2']]);
  });

  it.each([['no-store'], ['no-cache'], ['private'], ['max-age=0']])('exclude a response with %s', async (cacheControl) => {
    graph.changeResponses((response) => ({ ...response, cacheControl }));
    await request(items(['1'], 'title'));
    await request(items(['1'], 'title'));
    expect(graph.requested).toHaveLength(2);
  });

  it.each([
    ['a field that is never fresh', 'title now'],
    ['an object without a hint', 'title seller { name } rating { stars } now'],
  ])('exclude %s: the subgraph is queried for all entities again', async (_what, fields) => {
    await request(items(['1', '2'], fields));
    await request(items(['1', '2'], fields));
    expect(graph.requested).toHaveLength(2);
    expect(graph.requested[1]?.wantsFreshness).not.toBe(true);
  });

  it('exclude an entity that does not exist', async () => {
    await request(items(['none'], 'id title'));
    await request(items(['none'], 'id title'));
    expect(graph.requested).toHaveLength(2);
  });

  it('remain correct when the subgraph returns a wrong number of entities', async () => {
    await request(items(['1', '2'], 'title'));
    graph.changeResponses(({ data }) => ({ data: { _entities: [...((data?.['_entities'] ?? []) as unknown[]), { title: 'too much' }] } }));
    const { data, errors } = await request(items(['1', '2', '3'], 'title'));
    expect(data).toBeNull();
    expect(pathsOf(errors)).toEqual(['1', '2', '3'].map((_id, index) => ['SUBGRAPH_INVALID_RESPONSE', ['items', index, 'title']]));
  });

  it('count for the limit on the responses of an operation', async () => {
    await request(items(['1', '2'], 'title'));
    const found = graph.requested.at(-1)?.usage?.responseBytes;
    await request(items(['1', '2', '3'], 'title'));
    expect([found, graph.requested.at(-1)?.usage?.responseBytes]).toEqual([0, '{"title":"\\"1\\" 1!"}{"title":"\\"2\\" 1!"}'.length]);
  });

  it('are not requested again, and all entities are in the requested order', async () => {
    await request(items(['1', '2'], 'id title'));
    const { data } = await request(items(['3', '2', '4', '1'], 'id title'));
    expect(graph.latest()).toEqual([['3', '4']]);
    expect(data).toEqual({
      items: [
        { id: '3', title: '"3" 2!' },
        { id: '2', title: '"2" 1!' },
        { id: '4', title: '"4" 2!' },
        { id: '1', title: '"1" 1!' },
      ],
    });
  });

  it('are served under other names without a request, and never modified', async () => {
    const { data } = await request(items(['1', '2'], 'id title rating { stars }'));
    for (let count = 0; count < 3; count += 1) {
      const query = '{ a: items(ids: ["1", "2"]) { id title rating { stars } } }';
      expect((await request(query)).data).toEqual({ a: (data as { items: unknown }).items });
    }
    expect(graph.requested).toHaveLength(1);
  });

  it('are stored separately for other fields, arguments and values of variables', async () => {
    const query = 'query ($suffix: String) { items(ids: ["1"]) { title(suffix: $suffix) } }';
    const requests = [
      () => request(items(['1'], 'title')),
      () => request(items(['1'], 'title rating { stars }')),
      () => request(items(['1'], 'title(suffix: "?")')),
      () => request(query, { variables: { suffix: 'a' } }),
      () => request(query, { variables: { suffix: 'b' } }),
    ];
    const first = [];
    for (const one of requests) first.push(await one());
    const again = [];
    for (const one of requests) again.push(await one());
    expect(again).toEqual(first);
    expect(new Set(first.map((one) => JSON.stringify(one))).size).toBe(5);
    expect(graph.requested).toHaveLength(5);
  });

  it('are fetched again when the shortest of several ages is over', async () => {
    await request(items(['1'], 'title stock'));
    now += 9_999;
    await request(items(['1'], 'title stock'));
    expect(graph.requested).toHaveLength(1);
    now += 1;
    await request(items(['1'], 'title stock'));
    expect(graph.requested).toHaveLength(2);
  });

  it('are fetched again after an age that the subgraph lowered', async () => {
    graph.changeResponses((response) => ({ ...response, cacheControl: 'max-age=5' }));
    await request(items(['1'], 'title'));
    now += 5_000;
    await request(items(['1'], 'title'));
    expect(graph.requested).toHaveLength(2);
  });

  it('are shared between callers when they are public', async () => {
    await request(items(['1'], 'title'), { sub: 'ada' });
    await request(items(['1'], 'title'), { sub: 'bob' });
    await request(items(['1'], 'title'));
    expect(graph.requested).toHaveLength(1);
  });

  it.each([['mine'], ['secret']])('are stored for each caller when the field is private or guarded: %s', async (field) => {
    const read = async (sub: string) => (await request(items(['1'], field), { sub })).data;
    for (const sub of ['ada', 'bob', 'ada', 'bob']) expect(await read(sub)).toEqual({ items: [{ [field]: sub }] });
    expect(graph.requested).toHaveLength(2);
  });

  it('of two types in one request lead to requests for the missing ones only', async () => {
    const both = (one: readonly string[], other: readonly string[]): string =>
      `{ items(ids: ${JSON.stringify(one)}) { id title } people(ids: ${JSON.stringify(other)}) { id name } }`;
    await request(both(['1', '2'], ['1', '2']));
    const { data } = await request(both(['2', '1'], ['3', '2']));
    expect(graph.latest().flat()).toEqual(['3']);
    expect(data).toEqual({
      items: [
        { id: '2', title: '"2" 1!' },
        { id: '1', title: '"1" 1!' },
      ],
      people: [
        { id: '3', name: '3 2' },
        { id: '2', name: '2 1' },
      ],
    });
  });

  it('are fetched again when their type or tag is invalidated, and others remain', async () => {
    await using own = await start(); // A separate graph, because the test counts the invalidated entries.
    graph = own;
    graph.changeResponses((response) => ({ ...response, cacheTags: 'sale, shop' }));
    await request(items(['1', '2'], 'title'));
    graph.changeResponses((response) => response);
    await request('{ people(ids: ["1"]) { name } }');
    expect((await invalidate({ tags: ['sale'] })).body).toEqual({ invalidated: 2 });
    await request(items(['1', '2'], 'title'));
    expect(graph.latest()).toEqual([['1', '2']]);
    expect((await invalidate({ types: ['Item'] })).body).toEqual({ invalidated: 2 });
    await request(items(['1', '2'], 'title'));
    await request('{ people(ids: ["1"]) { name } }');
    expect(graph.requested).toHaveLength(4);
  });
});

describe('cached entities below cached responses', () => {
  it('limit the age of a response, and give it their tags', async () => {
    let now = 1_000;
    const clock = { now: () => Date.now(), monotonic: () => now };
    await using graph = await startEntityGraph({ cache: { invalidationKey: KEY } }, { clock });
    const client = createHttpClient({ origin: graph.url });
    graph.changeResponses((response) => ({ ...response, cacheTags: 'sale' }));
    const query = items(['1'], 'title');
    await client.post('/graphql', { query });
    now += 50_500;
    const { headers } = await client.get(`/graphql?query=${encodeURIComponent(query)}`);
    expect(headers['cache-control']).toBe('public, max-age=9');
    expect(graph.requested).toHaveLength(1);
    const options = { token: KEY };
    const { body } = await createHttpClient({ origin: graph.internalUrl }).post('/cache/invalidate', { tags: ['sale'] }, options);
    expect(body).toEqual({ invalidated: 2 });
  });

  it('do not change the subgraph requests when caching of entities is off', async () => {
    await using graph = await startEntityGraph({ cache: { entities: false } });
    const client = createHttpClient({ origin: graph.url });
    for (let count = 0; count < 2; count += 1) await client.post('/graphql', { query: items(['1'], 'title') });
    expect(graph.requested.map(({ wantsFreshness }) => wantsFreshness)).toEqual([undefined, undefined]);
  });
});

(missingRedisServer() === undefined ? describe : describe.skip)('cached entities in Redis', () => {
  it('are not fetched again when another gateway has fetched them', async () => {
    await using redis = await startRedisServer();
    const config = { redis: { url: redis.url }, cache: { invalidationKey: KEY } };
    await using one = await startEntityGraph(config);
    await using other = await startEntityGraph(config);
    const [client, otherClient] = [one, other].map(({ url }) => createHttpClient({ origin: url }));
    const read = async (from: typeof client, ids: readonly string[]) =>
      (await from?.post('/graphql', { query: items(ids, 'title') }))?.body['data'];
    await read(client, ['a', 'b']);
    const stored = new Redis(redis.url);
    while ((await stored.keys('{gatefold:kept:*}:*')).length < 3) await sleep(10); // Two entries and their sizes.
    stored.disconnect();
    const data = (await read(otherClient, ['b', 'd', 'a'])) as { items: readonly { title: string }[] };
    expect(data.items.map(({ title }) => title)).toEqual(['"b" 1!', '"d" 1!', '"a" 1!']);
    expect(other.latest()).toEqual([['d']]);
  });
});
