import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse } from '../../support/http/http-client.ts';
import { missingRedisServer, type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { signToken } from '../../support/identity/tokens.ts';

const KEY = 'a key that only operators of the gateway know';
const PAGE = '{ page(id: 1) { id text } }';

(missingRedisServer() === undefined ? describe : describe.skip)('two gateways that cache responses in one Redis', () => {
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

  const read = ({ url }: CachedGraph, query: string, sub?: string): Promise<HttpResponse> =>
    createHttpClient({ origin: url }).get(`/graphql?query=${encodeURIComponent(query)}`, {
      token: sub === undefined ? undefined : signToken({ sub, roles: ['USER'] }, { key: DEVELOPMENT_KEY }),
    });
  const invalidate = ({ internalUrl }: CachedGraph): Promise<HttpResponse> =>
    createHttpClient({ origin: internalUrl }).post('/cache/invalidate', { types: ['Page'] }, { token: KEY });

  /** Waits until a gateway can send invalidations to others. It listens before it is connected to Redis. */
  async function untilShared(graph: CachedGraph): Promise<void> {
    while ((await invalidate(graph)).status !== 200) await sleep(20);
  }

  /** Waits until the other gateway can find the new response, which is the only entry. */
  async function untilStored(): Promise<void> {
    const client = new Redis(redis.url);
    while (!(await client.keys('*')).some((key) => /^\{gatefold:kept:\w\}:[0-9a-f]{64}$/.test(key))) await sleep(10);
    client.disconnect();
  }

  it('serve a response of each other with its tag, without a subgraph request', async () => {
    const made = await read(one, PAGE);
    await untilStored();
    const found = await read(other, PAGE);
    expect(found.text).toBe(made.text);
    expect(found.headers).toMatchObject({ etag: made.headers.etag, 'cache-control': 'public, max-age=60', age: '0' });
    expect(other.requested).toHaveLength(0);
  });

  it('do not serve a response of one caller to another', async () => {
    await read(one, PAGE, 'ada');
    await untilStored();
    expect((await read(other, PAGE, 'bob')).text).toContain('bob');
    expect((await read(other, PAGE, 'ada')).text).toContain('ada');
    expect(other.requested.map(({ context }) => context.principal.id)).toEqual(['bob']);
  });

  it('refresh a response within the interval after an invalidation on the other', async () => {
    const { text } = await read(one, PAGE);
    await untilStored();
    expect((await read(other, PAGE)).text).toBe(text);
    expect((await invalidate(one)).body).toEqual({ invalidated: 1 });
    while ((await read(other, PAGE)).headers.age !== undefined) await sleep(10);
    expect(other.requested).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ['is killed', () => redis.kill()],
    ['hangs', () => redis.freeze()],
  ])('use their own entries and report an invalidation as pending when Redis %s', async (_what, fail) => {
    const { text } = await read(one, PAGE);
    await fail();
    expect((await read(one, PAGE)).text).toBe(text);
    for (let id = 2; id < 12; id += 1) expect((await read(other, `{ page(id: ${id}) { text } }`)).status).toBe(200);
    const { status, body } = await invalidate(one);
    expect({ status, body }).toEqual({ status: 202, body: { invalidated: 1, pending: true } });
    expect((await read(one, PAGE)).text).not.toBe(text);
    redis.thaw();
  });

  it('apply an invalidation of the other gateway after an outage of Redis', async () => {
    await read(one, PAGE);
    await untilStored();
    const { text } = await read(other, PAGE);
    redis.freeze();
    expect((await invalidate(one)).status).toBe(202);
    expect((await read(other, PAGE)).text).toBe(text);
    redis.thaw();
    while ((await read(other, PAGE)).headers.age !== undefined) await sleep(20);
    expect(other.requested).toHaveLength(1);
  });
});
