import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { Claim, IdempotencyLimits } from '../../../../gateway/idempotency/idempotency-store.ts';
import { createMemoryIdempotencyStore } from '../../../../gateway/idempotency/memory-idempotency-store.ts';
import { changeKeyForWorker, createPrimaryIdempotencyStore } from '../../../../gateway/idempotency/primary-idempotency-store.ts';
import { createRedisIdempotencyStore } from '../../../../gateway/idempotency/redis-idempotency-store.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { createSharedRedis } from '../../../../gateway/redis/redis.ts';
import { missingRedisServer, type RedisServer, startRedisCluster, startRedisServer } from '../../../support/redis/redis-server.ts';
import { connectToPrimary } from '../../../support/workers/primary-connection.ts';
import { claimOf, idempotencyStoreContract, LIMITS, type StoreUnderTest } from './idempotency-store-contract.ts';
import { openRedisClient, untilRedisResponds } from '../../../support/redis/redis-client.ts';

const CAPACITY = { maxEntries: 1_000, maxBytes: 10_000_000 };

idempotencyStoreContract('memory', async (limits) => {
  let now = 1_000.5;
  const clock = { now: () => now, monotonic: () => now };
  return {
    store: createMemoryIdempotencyStore({ ...limits, ...CAPACITY, clock }),
    pass: async (_claim, ms) => void (now += ms),
    async [Symbol.asyncDispose]() {},
  };
});

idempotencyStoreContract('primary process', async (limits) => {
  let now = 1_000.5;
  const clock = { now: () => now, monotonic: () => now };
  const held = createMemoryIdempotencyStore({ ...limits, ...CAPACITY, clock });
  const primary = connectToPrimary(() => ({
    run: (name, args) => (name === 'take' || name === 'surrender' ? undefined : changeKeyForWorker(held, name, args)),
    end() {},
  }));
  return {
    store: createPrimaryIdempotencyStore(primary),
    pass: async (_claim, ms) => void (now += ms),
    async [Symbol.asyncDispose]() {
      primary[Symbol.dispose]();
    },
  };
});

it('a worker whose primary does not respond has no store', async () => {
  using primary = connectToPrimary(undefined);
  const store = createPrimaryIdempotencyStore(primary);
  expect(await store.begin(claimOf('one'))).toBeUndefined();
  expect(await store.complete(claimOf('one'), 'paid')).toBe(false);
  expect(await store.release(claimOf('one'))).toBe(false);
});

describe('keys in memory', () => {
  it('evict the oldest completed key at the limit, and none in progress', async () => {
    const store = createMemoryIdempotencyStore({ ...LIMITS, maxEntries: 10, maxBytes: 3_000, clock: systemClock });
    const pending = claimOf('pending');
    await store.begin(pending);
    for (const key of ['one', 'two', 'three']) {
      const claim = claimOf(key);
      await store.begin(claim);
      await store.complete(claim, 'x'.repeat(400));
    }
    expect(await store.begin(claimOf('pending'))).toMatchObject({ state: 'busy' });
    expect(await store.begin(claimOf('three'))).toMatchObject({ state: 'done' });
    expect(await store.begin(claimOf('one'))).toEqual({ state: 'new' });
  });

  it('release a key whose record exceeds the total size', async () => {
    const store = createMemoryIdempotencyStore({ ...LIMITS, maxKeys: 1, maxEntries: 10, maxBytes: 1_000, clock: systemClock });
    const claim = claimOf('one');
    await store.begin(claim);
    await store.complete(claim, 'x'.repeat(2_000));
    expect(await store.begin(claimOf('two'))).toEqual({ state: 'new' });
  });
});

const recordKey = ({ owner, key }: Claim): string => `gatefold:idempotency:{${owner}}:${key}`;

/** Opens a store in an empty Redis. Redis uses its internal clock, so tests change stored leases and wait for short lifetimes. */
async function openShared(urls: string, limits: IdempotencyLimits): Promise<StoreUnderTest> {
  const client = openRedisClient(urls);
  for (const owner of ['alice', 'bob']) {
    const keys = `gatefold:idempotency:{${owner}}`;
    await client.del(keys, ...['one', 'two', 'three'].map((key) => `${keys}:${key}`));
  }
  const redis = createSharedRedis({ urls, clock: systemClock, logger: silentLogger, timeoutMs: 5_000 });
  await untilRedisResponds(redis, ['gatefold:idempotency:{alice}']);
  return {
    store: createRedisIdempotencyStore({ ...limits, redis }),
    async pass(claim, ms) {
      if ((await client.hexists(recordKey(claim), 'leasedUntil')) === 1) await client.hincrby(recordKey(claim), 'leasedUntil', -ms);
      else while ((await client.exists(recordKey(claim))) === 1) await sleep(20);
    },
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await redis[Symbol.asyncDispose]();
    },
  };
}

(missingRedisServer() === undefined ? describe : describe.skip)('with Redis', () => {
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

  idempotencyStoreContract('Redis', (limits) => openShared(server.url, limits));
  idempotencyStoreContract('Redis Cluster', (limits) => openShared(cluster.urls, limits));

  it('expires a completed key and the count of its caller in Redis after a day', async () => {
    await using underTest = await openShared(server.url, LIMITS);
    const claim = claimOf('one');
    await underTest.store.begin(claim);
    await underTest.store.complete(claim, 'paid');
    const client = new Redis(server.url);
    for (const key of [recordKey(claim), 'gatefold:idempotency:{alice}']) {
      const ttl = await client.pttl(key);
      expect(ttl).toBeGreaterThan(86_000_000);
      expect(ttl).toBeLessThanOrEqual(86_400_000);
    }
    expect(await client.hkeys(recordKey(claim))).toEqual(['fingerprint', 'record']);
    client.disconnect();
  });

  it('returns undefined and throws nothing when Redis is unavailable', async () => {
    const away = await startRedisServer();
    await using underTest = await openShared(away.url, LIMITS);
    await away[Symbol.asyncDispose]();
    const { store } = underTest;
    const claim = claimOf('one');
    expect(await store.begin(claim)).toBeUndefined();
    expect(await store.complete(claim, 'paid')).toBe(false);
    expect(await store.release(claim)).toBe(false);
  });
});
