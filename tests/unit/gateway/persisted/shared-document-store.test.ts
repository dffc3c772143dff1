import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createMemoryDocumentStore } from '../../../../gateway/persisted/document-store.ts';
import { sha256Of } from '../../../../gateway/persisted/document-reference.ts';
import { createSharedDocumentStore } from '../../../../gateway/persisted/shared-document-store.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { createSharedRedis, type RedisClient } from '../../../../gateway/redis/redis.ts';
import { missingRedisServer, type RedisServer, startRedisCluster, startRedisServer } from '../../../support/redis/redis-server.ts';
import { documentStoreContract, LIMITS, type StoreUnderTest } from './document-store-contract.ts';
import { untilRedisResponds } from '../../../support/redis/redis-client.ts';

const withRedis = missingRedisServer() === undefined ? describe : describe.skip;

const KEY = '{gatefold:documents}';

const open: RedisClient[] = [];
afterEach(async () => {
  for (const redis of open.splice(0)) await redis[Symbol.asyncDispose]();
});

async function connect(urls: string): Promise<RedisClient> {
  const redis = createSharedRedis({ urls, clock: systemClock, logger: silentLogger });
  open.push(redis);
  await untilRedisResponds(redis, [KEY]);
  return redis;
}

/** Opens a store like one of several gateways, with its own memory. */
function storeOn(redis: RedisClient, limits = LIMITS): StoreUnderTest {
  const memory = createMemoryDocumentStore(limits, systemClock);
  return {
    store: createSharedDocumentStore({ memory, redis, maxEntries: limits.maxEntries, timeToLiveMs: limits.timeToLiveMs }),
    pass: sleep,
    settle: async () => void (await redis.run((commands) => commands.exists(KEY))), // Commands on one connection are executed in order.
  };
}

async function emptyStoreOn(urls: string): Promise<StoreUnderTest & { readonly redis: RedisClient }> {
  const redis = await connect(urls);
  const keys = await redis.run((commands) => commands.zrange(KEY, 0, '-1'));
  for (const key of [KEY, ...(keys?.value ?? [])]) await redis.run((commands) => commands.del(key));
  return { redis, ...storeOn(redis) };
}

withRedis('the document store in Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  documentStoreContract(() => emptyStoreOn(server.url));

  it('returns a text of another gateway, and synchronously the second time', async () => {
    const { store, redis, settle } = await emptyStoreOn(server.url);
    const { store: other } = storeOn(redis);
    store.set(sha256Of('{ a }'), '{ a }');
    await settle();
    expect(other.has(sha256Of('{ a }'))).toBe(false);
    expect(await other.get(sha256Of('{ a }'))).toBe('{ a }');
    expect(other.get(sha256Of('{ a }'))).toBe('{ a }');
  });

  it.each([
    ['garbage', '\u0000'],
    ['empty', ''],
    ['another operation', 'mutation { deleteEverything }'],
  ])('returns undefined and deletes the key when its value is %s', async (_what, written) => {
    const { store, redis } = await emptyStoreOn(server.url);
    const key = `${KEY}:${sha256Of('{ a }')}`;
    await redis.run((commands) => commands.set(key, written));
    expect(await store.get(sha256Of('{ a }'))).toBeUndefined();
    expect(await redis.run((commands) => commands.exists(key))).toEqual({ value: 0 });
  });

  it('works like the store in memory when keys have another type', async () => {
    const { store, redis, settle } = await emptyStoreOn(server.url);
    await redis.run((commands) => commands.rpush(`${KEY}:${sha256Of('{ a }')}`, '{ a }'));
    await redis.run((commands) => commands.set(KEY, 'x'));
    expect(await store.get(sha256Of('{ a }'))).toBeUndefined();
    store.set(sha256Of('{ a }'), '{ a }');
    await settle();
    expect(store.get(sha256Of('{ a }'))).toBe('{ a }');
    await redis.run((commands) => commands.flushdb());
  });

  it('limits the number of keys in Redis and sets an expiry on each of them', async () => {
    const { store, redis, settle } = await emptyStoreOn(server.url);
    for (let index = 0; index < 1_000; index += 1) store.set(sha256Of(`{ a${index} }`), `{ a${index} }`);
    await settle();
    const keys = (await redis.run((commands) => commands.keys('*')))?.value ?? [];
    expect(keys).toHaveLength(LIMITS.maxEntries + 1);
    for (const key of keys) expect((await redis.run((commands) => commands.pttl(key)))?.value).toBeGreaterThan(0);
  });
});

withRedis('the document store with a Redis that fails', () => {
  it.each<[string, (server: RedisServer) => unknown]>([
    ['is unavailable', (server) => server.kill()],
    ['hangs', (server) => server.freeze()],
  ])('uses only its memory when Redis %s', async (_what, fail) => {
    await using server = await startRedisServer();
    const { store } = await emptyStoreOn(server.url);
    await fail(server);
    expect(await store.get(sha256Of('{ a }'))).toBeUndefined();
    store.set(sha256Of('{ a }'), '{ a }');
    expect(store.get(sha256Of('{ a }'))).toBe('{ a }');
    server.thaw();
  });
});

withRedis('the document store in a Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  documentStoreContract(() => emptyStoreOn(cluster.urls));
});
