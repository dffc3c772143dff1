import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMemoryBuckets } from '../../../../gateway/budget/buckets.ts';
import { createPrimaryBuckets } from '../../../../gateway/budget/primary-buckets.ts';
import { createPrimaryLeaseBook } from '../../../../gateway/budget/primary-lease-book.ts';
import { createRedisBuckets } from '../../../../gateway/budget/redis-buckets.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { createSharedRedis, type RedisClient } from '../../../../gateway/redis/redis.ts';
import { missingRedisServer, type RedisServer, startRedisCluster, startRedisServer } from '../../../support/redis/redis-server.ts';
import { connectToPrimary } from '../../../support/workers/primary-connection.ts';
import { type BucketsUnderTest, bucketsContract } from './buckets-contract.ts';
import { openRedisClient, untilRedisResponds } from '../../../support/redis/redis-client.ts';

const bucketKey = (key: string): string => `gatefold:budget:{${key}}`;
const SLOW = { capacity: 100, refillPerSecond: 1 };

bucketsContract('memory', async () => {
  let now = 1_000.5;
  const clock = { now: () => now, monotonic: () => now };
  return {
    buckets: createMemoryBuckets({ maxEntries: 10, clock }),
    pass: async (_key, ms) => void (now += ms),
    async [Symbol.asyncDispose]() {},
  };
});

describe('buckets in memory', () => {
  it('evict the oldest caller at the limit, whose next bucket is full', () => {
    const buckets = createMemoryBuckets({ maxEntries: 2, clock: systemClock });
    buckets.take('alice', SLOW, 100);
    buckets.take('bob', SLOW, 100);
    buckets.take('carol', SLOW, 100);
    expect(buckets.take('bob', SLOW, 1)).toMatchObject({ isGranted: false });
    expect(buckets.take('alice', SLOW, 100)).toMatchObject({ isGranted: true });
  });
});

bucketsContract('primary process', async () => {
  let now = 1_000.5;
  const clock = { now: () => now, monotonic: () => now };
  const held = createMemoryBuckets({ maxEntries: 10, clock });
  const book = createPrimaryLeaseBook({ buckets: held, clock, schedule: () => () => {} });
  const primary = connectToPrimary((notify) => {
    const { take, surrender, end } = book.open(notify);
    return { run: (name, args) => (name === 'take' ? take(args) : surrender(args)), end };
  });
  return {
    buckets: createPrimaryBuckets({ primary, local: createMemoryBuckets({ maxEntries: 10, clock }), clock }),
    pass: async (_key, ms) => void (now += ms),
    async [Symbol.asyncDispose]() {
      primary[Symbol.dispose]();
    },
  };
});

describe('buckets of a worker whose primary does not respond', () => {
  it('grant its share of the bucket', async () => {
    using primary = connectToPrimary(undefined);
    const buckets = createPrimaryBuckets({
      primary,
      local: createMemoryBuckets({ maxEntries: 10, clock: systemClock }),
      clock: systemClock,
    });
    expect(await buckets.take('alice', SLOW, 50)).toMatchObject({ isGranted: true, remaining: 0 });
    expect(await buckets.take('alice', SLOW, 1)).toMatchObject({ isGranted: false });
  });
});

/** Opens buckets in an empty Redis. Redis uses its internal clock, so tests change the stored time to advance it. */
async function openShared(urls: string): Promise<BucketsUnderTest & { readonly redis: RedisClient }> {
  const client = openRedisClient(urls);
  for (const key of ['alice', 'bob']) await client.del(bucketKey(key));
  const redis = createSharedRedis({ urls, clock: systemClock, logger: silentLogger, timeoutMs: 2_000 });
  await untilRedisResponds(redis, [bucketKey('alice')]);
  return {
    redis,
    buckets: createRedisBuckets({ redis, local: createMemoryBuckets({ maxEntries: 10, clock: systemClock }), instances: 4 }),
    pass: async (key, ms) => void (await client.hincrby(bucketKey(key), 'at', -ms)),
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await redis[Symbol.asyncDispose]();
    },
  };
}

const missing = missingRedisServer();
(missing === undefined ? describe : describe.skip)('with Redis', () => {
  let server: RedisServer;
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;

  beforeAll(async () => {
    server = await startRedisServer();
    cluster = await startRedisCluster();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  bucketsContract('Redis', () => openShared(server.url));
  bucketsContract('Redis Cluster', () => openShared(cluster.urls));

  it('deletes a bucket from Redis when it is full again', async () => {
    await using underTest = await openShared(server.url);
    await underTest.buckets.take('alice', SLOW, 40);
    const ttl = await underTest.redis.run((commands) => commands.pttl(bucketKey('alice')));
    expect(ttl?.value).toBeGreaterThan(30_000);
    expect(ttl?.value).toBeLessThanOrEqual(40_000);
    await underTest.buckets.take('alice', SLOW, -40);
    expect(await underTest.redis.run((commands) => commands.exists(bucketKey('alice')))).toEqual({ value: 0 });
  });

  it('uses the bucket of the gateway when the Redis key has another type', async () => {
    await using underTest = await openShared(server.url);
    await underTest.redis.run((commands) => commands.set(bucketKey('alice'), 'text'));
    expect(await underTest.buckets.take('alice', SLOW, 20)).toMatchObject({ isGranted: true, remaining: 5 });
  });

  it('grants a quarter to each of four gateways when Redis is unavailable', async () => {
    const away = await startRedisServer();
    await using underTest = await openShared(away.url);
    await away[Symbol.asyncDispose]();
    expect(await underTest.buckets.take('alice', SLOW, 25)).toMatchObject({ isGranted: true, remaining: 0 });
    expect(await underTest.buckets.take('alice', SLOW, 1)).toMatchObject({ isGranted: false });
    expect(await underTest.buckets.take('bob', SLOW, 80)).toMatchObject({ isGranted: true, remaining: 0 });
  });
});
