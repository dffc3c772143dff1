import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, type Redis } from 'ioredis';
import { labelOfType } from '../../../../gateway/cache/labeled-entries.ts';
import { type Caches, openCaches } from '../../../../gateway/cache/open-caches.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { createSharedRedis, type RedisClient } from '../../../../gateway/redis/redis.ts';
import { missingRedisServer, type RedisServer, startRedisCluster, startRedisServer } from '../../../support/redis/redis-server.ts';
import {
  responseOf,
  cachesContract,
  type CachesUnderTest,
  CONFIG,
  readResponse,
  readEntities,
  responsesOf,
  storeResponse,
  storeEntity,
} from './caches-contract.ts';
import { openRedisClient, untilRedisResponds } from '../../../support/redis/redis-client.ts';

const BOOK = labelOfType('Book');

function openInMemory(): Caches {
  const caches = openCaches(CONFIG, { varyingHeaders: [], clock: systemClock });
  if (caches === undefined) throw new Error('Nothing is cached.');
  return caches;
}

cachesContract('memory', async () => {
  const caches = openInMemory();
  return { caches, others: caches, settle: async () => undefined, [Symbol.asyncDispose]: async () => caches[Symbol.dispose]() };
});

describe('openCaches', () => {
  it('returns undefined when neither responses nor entities are cached', () => {
    const config = { ...CONFIG, responses: false, entities: false };
    expect(openCaches(config, { varyingHeaders: [], clock: systemClock })).toBeUndefined();
  });
});

interface SharedUnderTest extends CachesUnderTest {
  /** Direct connection to Redis, as an operator uses it. */
  readonly client: Redis | Cluster;
  keys(): Promise<readonly string[]>;
}

/** Opens two gateways on an empty Redis. */
async function openShared(urls: string, config = CONFIG): Promise<SharedUnderTest> {
  const client = openRedisClient(urls);
  client.on('error', () => {}); // A test stops this Redis, which causes connection errors.
  const nodes = async (): Promise<readonly Redis[]> => {
    await client.ping();
    return client instanceof Cluster ? client.nodes('master') : [client];
  };
  for (const node of await nodes()) await node.flushall();
  const connections = await Promise.all([connect(urls), connect(urls)]);
  const requested = new Set<Promise<unknown>>();
  const [one, other] = connections.map((redis) => openOn(reported(redis, requested), config));
  if (one === undefined || other === undefined) throw new Error('Nothing is cached.');
  await untilLogIsRead(one);
  await untilLogIsRead(other);
  return {
    caches: one,
    others: other,
    client,
    keys: async () => (await Promise.all((await nodes()).map((node) => node.keys('*')))).flat(),
    settle: async () => void (await Promise.all(requested)),
    async [Symbol.asyncDispose]() {
      client.disconnect();
      one[Symbol.dispose]();
      other[Symbol.dispose]();
      for (const redis of connections) await redis[Symbol.asyncDispose]();
    },
  };
}

/** Wraps a shared Redis and records its pending commands until they have a response. */
function reported(redis: RedisClient, requested: Set<Promise<unknown>>): RedisClient {
  return {
    ...redis,
    run(command) {
      const response = redis.run(command);
      requested.add(response);
      void response.then(() => requested.delete(response));
      return response;
    },
  };
}

async function connect(urls: string): Promise<RedisClient> {
  const redis = createSharedRedis({ urls, clock: systemClock, logger: silentLogger, timeoutMs: 2_000 });
  const keys = ['{gatefold:invalidations}', ...Array.from({ length: 16 }, (_, shard) => `{gatefold:kept:${shard.toString(16)}}`)];
  await untilRedisResponds(redis, keys);
  return redis;
}

function openOn(redis: RedisClient, config = CONFIG): Caches | undefined {
  return openCaches(config, { redis, varyingHeaders: [], clock: systemClock });
}

async function untilLogIsRead(caches: Caches): Promise<void> {
  while (responsesOf(caches).begin().position === undefined) await sleep(5);
}

/** Waits until a gateway has removed an entry from its memory. */
async function untilDisconnected(caches: Caches, key: string): Promise<void> {
  while (responsesOf(caches).find(key) !== undefined) await sleep(5);
}

const withRedis = missingRedisServer() === undefined ? describe : describe.skip;

withRedis('caches with Redis', () => {
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

  cachesContract('Redis', () => openShared(server.url));
  cachesContract('Redis Cluster of three local nodes', () => openShared(cluster.urls));

  it('removes in-memory copies and entities when another gateway invalidates them', async () => {
    await using underTest = await openShared(server.url);
    const { caches, others, settle } = underTest;
    storeResponse(caches, 'a', [BOOK]);
    storeEntity(caches, 'a', [BOOK]);
    await settle();
    await readResponse(others, 'a');
    await readEntities(others, 'a');
    expect(responsesOf(others).find('a')).toBeDefined();
    await caches.invalidate([BOOK]);
    await untilDisconnected(others, 'a');
    expect(await readEntities(others, 'a')).toEqual([undefined]);
  });

  it('writes no caller name into a Redis key', async () => {
    await using underTest = await openShared(server.url);
    const cache = responsesOf(underTest.caches);
    cache.store('ada', responseOf('secret', 'ada'), { begun: cache.begin(), labels: [] });
    await underTest.settle();
    expect((await underTest.keys()).some((key) => key.includes('ada'))).toBe(false);
  });

  it('does not share responses between gateways with different varying headers', async () => {
    await using underTest = await openShared(server.url);
    storeResponse(underTest.caches, 'a');
    await underTest.settle();
    await using redis = await connect(server.url);
    using stranger = openCaches(CONFIG, { redis, varyingHeaders: ['x-tenant'], clock: systemClock });
    expect(stranger && (await readResponse(stranger, 'a'))).toBeUndefined();
  });

  it.each<[string, (stored: string, other: string) => string]>([
    ['garbage', () => '\u0000{'],
    ['an empty text', () => ''],
    ['another version', (stored) => stored.replace(/^1 /, '2 ')],
    ['a changed text', (stored) => stored.replace('"data"', '"atad"')],
    ['a truncated text', (stored) => stored.slice(0, -1)],
    ['a changed policy', (stored) => stored.replace('"PUBLIC"', '"PRIVATE"')],
    ['the response to another request', (_stored, other) => other],
  ])('ignores a Redis entry with %s', async (_what, write) => {
    await using underTest = await openShared(server.url);
    const { caches, others, client, settle } = underTest;
    storeResponse(caches, 'a');
    await settle();
    const [key = ''] = await entryKeys(underTest);
    storeResponse(caches, 'b');
    await settle();
    const otherKey = (await entryKeys(underTest)).find((one) => one !== key) ?? '';
    const [stored, other] = [(await client.get(key)) ?? '', (await client.get(otherKey)) ?? ''];
    await client.set(key, write(stored, other), 'KEEPTTL');
    expect(await readResponse(others, 'a')).toBeUndefined();
    await client.set(key, stored, 'KEEPTTL');
    expect(await readResponse(others, 'a')).toBe('{"data":"a ä"}');
  });

  it('works as without Redis when the keys have another type', async () => {
    await using underTest = await openShared(server.url);
    const { caches, others, client, settle } = underTest;
    storeResponse(caches, 'a');
    await settle();
    for (const key of await underTest.keys()) {
      // Both commands must run at once: the gateways poll the log of invalidations and create it again when it is missing.
      await client.multi().del(key).rpush(key, 'x').exec();
    }
    expect(await readResponse(others, 'a')).toBeUndefined();
    expect(await readEntities(others, 'a')).toEqual([undefined]);
    storeResponse(others, 'b');
    expect(await readResponse(others, 'b')).toBe('{"data":"b ä"}');
    expect(await others.invalidate([BOOK])).toMatchObject({ isShared: false });
  });

  it('stores a response with a time to live, and ignores one without it', async () => {
    await using underTest = await openShared(server.url);
    storeResponse(underTest.caches, 'a');
    await underTest.settle();
    const [key = ''] = await entryKeys(underTest);
    expect(await underTest.client.pttl(key)).toBeGreaterThan(50_000);
    expect(await underTest.client.pttl(key)).toBeLessThanOrEqual(60_000);
    await underTest.client.persist(key);
    expect(await readResponse(underTest.others, 'a')).toBeUndefined();
  });

  it('limits the number of responses in Redis, which all have a time to live', async () => {
    await using underTest = await openShared(server.url);
    for (let index = 0; index < 1_000; index += 1) storeResponse(underTest.caches, `a${index}`);
    await underTest.settle();
    expect((await entryKeys(underTest)).length).toBeLessThanOrEqual(CONFIG.maxSharedEntries);
    expect((await entryKeys(underTest)).length).toBeGreaterThan(CONFIG.maxSharedEntries / 2);
    for (const key of await underTest.keys()) {
      if (!key.startsWith('{gatefold:invalidations}')) expect(await underTest.client.pttl(key)).toBeGreaterThan(0);
    }
  });

  it('evicts responses above the total size, and stores none above the entry size', async () => {
    await using underTest = await openShared(server.url);
    const cache = responsesOf(underTest.caches);
    for (let index = 0; index < 100; index += 1) {
      cache.store(`a${index}`, responseOf('x'.repeat(19_000)), { begun: cache.begin(), labels: [] });
    }
    cache.store('long', responseOf('x'.repeat(20_000)), { begun: cache.begin(), labels: [] });
    await underTest.settle();
    const bytes = await Promise.all((await entryKeys(underTest)).map((key) => underTest.client.strlen(key)));
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(CONFIG.maxSharedBytes);
    expect(bytes.length).toBeGreaterThan(10);
    expect(await readResponse(underTest.others, 'long')).toBeUndefined();
  });

  it('discards all earlier entries after Redis was emptied, and continues', async () => {
    await using underTest = await openShared(server.url);
    const { caches, others, client, settle } = underTest;
    storeResponse(caches, 'a', [BOOK]);
    await settle();
    await readResponse(others, 'a');
    const begun = responsesOf(caches).begin();
    await client.flushall();
    await untilDisconnected(others, 'a');
    await untilDisconnected(caches, 'a');
    storeResponse(caches, 'b', [BOOK], begun);
    storeResponse(caches, 'c', [BOOK]);
    await settle();
    expect(await readResponse(others, 'b')).toBeUndefined();
    expect(await readResponse(others, 'c')).toBe('{"data":"c ä"}');
  });

  it.each<[string, (client: Redis) => Promise<unknown>]>([
    ['reports fewer invalidations than before', (client) => client.hset('{gatefold:invalidations}', 'epoch', 0)],
    ['has lost the invalidated labels', (client) => client.del('{gatefold:invalidations}:labels')],
  ])('trusts no earlier response when Redis %s', async (_what, lose) => {
    await using underTest = await openShared(server.url);
    const { caches, others, client, settle } = underTest;
    await caches.invalidate([BOOK]);
    storeResponse(caches, 'a');
    await settle();
    await lose(client as Redis);
    expect(await readResponse(others, 'a')).toBeUndefined();
    storeResponse(others, 'b');
    await settle();
    expect(await readResponse(caches, 'b')).toBe('{"data":"b ä"}');
  });

  it('trusts no earlier response after more labels than are remembered', async () => {
    await using underTest = await openShared(server.url);
    const { caches, others, settle } = underTest;
    storeResponse(caches, 'a', [BOOK]);
    await settle();
    for (let part = 0; part < 11; part += 1) await caches.invalidate(Array.from({ length: 1_000 }, (_, index) => `tag ${part} ${index}`));
    expect(await readResponse(others, 'a')).toBeUndefined();
    storeResponse(caches, 'b', [BOOK]);
    await settle();
    expect(await readResponse(others, 'b')).toBe('{"data":"b ä"}');
    expect(await underTest.client.zcard('{gatefold:invalidations}:labels')).toBe(10_000);
  });
});

withRedis('caches with an unavailable Redis', () => {
  it.each<[string, (server: RedisServer) => unknown]>([
    ['is stopped', (server) => server.kill()],
    ['hangs', (server) => server.freeze()],
  ])('uses memory alone and reports it when Redis %s', async (_what, fail) => {
    await using server = await startRedisServer();
    await using underTest = await openShared(server.url);
    const { caches, others } = underTest;
    storeResponse(caches, 'a', [BOOK]);
    await fail(server);
    expect(await readResponse(others, 'a')).toBeUndefined();
    expect(await readEntities(others, 'a', 'b')).toEqual([undefined, undefined]);
    storeResponse(others, 'b', [BOOK]);
    expect(await readResponse(others, 'b')).toBe('{"data":"b ä"}');
    expect(await others.invalidate([BOOK])).toEqual({ count: 1, isShared: false });
    expect(await readResponse(others, 'b')).toBeUndefined();
    server.thaw();
  });
});

/** Returns the keys of responses and entities, without the keys of their metadata. */
async function entryKeys({ keys }: SharedUnderTest): Promise<readonly string[]> {
  return (await keys()).filter((key) => /^\{gatefold:kept:\w\}:[0-9a-f]{64}$/.test(key));
}
