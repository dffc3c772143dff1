import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpAnswer } from '../../support/http/http-client.ts';
import { missingRedisServer, type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { signToken } from '../../support/identity/tokens.ts';

const KEY = 'a key that only operators of the gateway know';
const PAGE = '{ page(id: 1) { id text } }';

(missingRedisServer() === undefined ? describe : describe.skip)('two gateways that keep answers in one Redis', () => {
  let redis: RedisServer;
  let one: CachedGraph;
  let other: CachedGraph;

  beforeEach(async () => {
    redis = await startRedisServer();
    const config = { redis: { url: redis.url }, cache: { invalidationKey: KEY, sharedIntervalMs: 50 } };
    [one, other] = await Promise.all([startCachedGraph(config), startCachedGraph(config)]);
    for (const graph of [one, other]) await untilShared(graph);
  });

  afterEach(async () => {
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  const read = ({ url }: CachedGraph, query: string, sub?: string): Promise<HttpAnswer> =>
    createHttpClient({ origin: url }).get(`/graphql?query=${encodeURIComponent(query)}`, {
      token: sub === undefined ? undefined : signToken({ sub, roles: ['USER'] }, { key: DEVELOPMENT_KEY }),
    });
  const invalidate = ({ internalUrl }: CachedGraph): Promise<HttpAnswer> =>
    createHttpClient({ origin: internalUrl }).post('/cache/invalidate', { types: ['Page'] }, { token: KEY });

  /** Until it could tell others of an invalidation: it does not wait for Redis before it listens. */
  async function untilShared(graph: CachedGraph): Promise<void> {
    while ((await invalidate(graph)).status !== 200) await sleep(20);
  }

  /** Until another gateway would find what was made just now, which is all that there is. */
  async function untilStored(): Promise<void> {
    const client = new Redis(redis.url);
    while (!(await client.keys('*')).some((key) => /^\{gatefold:kept:\w\}:[0-9a-f]{64}$/.test(key))) await sleep(10);
    client.disconnect();
  }

  it('given an answer that one made, when the other is asked, then it is the same, with its tag, and no subgraph is asked again', async () => {
    const made = await read(one, PAGE);
    await untilStored();
    const found = await read(other, PAGE);
    expect(found.text).toBe(made.text);
    expect(found.headers).toMatchObject({ etag: made.headers.etag, 'cache-control': 'public, max-age=60', age: '0' });
    expect(other.asked).toHaveLength(0);
  });

  it('given an answer to one caller, when another asks the other gateway for the same, then it is made for him', async () => {
    await read(one, PAGE, 'ada');
    await untilStored();
    expect((await read(other, PAGE, 'bob')).text).toContain('bob');
    expect((await read(other, PAGE, 'ada')).text).toContain('ada');
    expect(other.asked.map(({ context }) => context.principal.id)).toEqual(['bob']);
  });

  it('given a copy in both, when one is told to invalidate it, then the other makes it anew within its interval', async () => {
    const { text } = await read(one, PAGE);
    await untilStored();
    expect((await read(other, PAGE)).text).toBe(text);
    expect((await invalidate(one)).body).toEqual({ invalidated: 1 });
    while ((await read(other, PAGE)).headers.age !== undefined) await sleep(10);
    expect(other.asked).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ['is killed', () => redis.kill()],
    ['hangs', () => redis.freeze()],
  ])(
    'given a Redis that %s, when asked, then each goes on with its own, and an invalidation is told to be pending',
    async (_what, fail) => {
      const { text } = await read(one, PAGE);
      await fail();
      expect((await read(one, PAGE)).text).toBe(text);
      for (let id = 2; id < 12; id += 1) expect((await read(other, `{ page(id: ${id}) { text } }`)).status).toBe(200);
      const { status, body } = await invalidate(one);
      expect({ status, body }).toEqual({ status: 202, body: { invalidated: 1, pending: true } });
      expect((await read(one, PAGE)).text).not.toBe(text);
      redis.thaw();
    },
  );

  it('given an invalidation while Redis is away, when Redis is back, then the other gateway hears of it', async () => {
    await read(one, PAGE);
    await untilStored();
    const { text } = await read(other, PAGE);
    redis.freeze();
    expect((await invalidate(one)).status).toBe(202);
    expect((await read(other, PAGE)).text).toBe(text);
    redis.thaw();
    while ((await read(other, PAGE)).headers.age !== undefined) await sleep(20);
    expect(other.asked).toHaveLength(1);
  });
});
