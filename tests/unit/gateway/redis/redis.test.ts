import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createSharedRedis, type RedisClient } from '../../../../gateway/redis/redis.ts';
import { type RedisCredentials, readRedisCredentials } from '../../../../gateway/redis/redis-credentials.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { freePort } from '../../../support/http/free-port.ts';
import { missingRedisServer, startRedisCluster, startRedisServer, startRedisWithSentinel } from '../../../support/redis/redis-server.ts';

const withRedis = missingRedisServer() === undefined ? describe : describe.skip;

/** Resources to dispose of after each test. */
const open: AsyncDisposable[] = [];
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
  expect(unhandled).toEqual([]);
});

interface UnderTest {
  readonly redis: RedisClient;
  /** Levels of the logged lines, in order. */
  readonly log: string[];
}

function connect(urls: string, credentials: RedisCredentials = {}): UnderTest {
  const log: string[] = [];
  const line = (level: string) => () => void log.push(level);
  const logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const redis = createSharedRedis({ urls, credentials, clock: systemClock, logger });
  open.push(redis);
  return { redis, log };
}

const ping = (redis: RedisClient) => redis.run((commands) => commands.ping());

async function untilItResponds(redis: RedisClient): Promise<void> {
  while ((await ping(redis)) === undefined) await sleep(10);
}

/** Starts a server that sends one line in response to every command, except for the handshake commands of ioredis. */
async function responding(response: string): Promise<string> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      for (const command of bytes.toString().split(/(?=\*\d+\r\n)/)) socket.write(`${respondTo(command, response)}\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function respondTo(command: string, response: string): string {
  if (/\r\nhello\r\n/i.test(command)) return "-ERR unknown command 'HELLO'";
  if (/\r\nclient\r\n/i.test(command)) return '+OK';
  if (/\r\ninfo\r\n/i.test(command)) return '$9\r\nloading:0';
  return response;
}

describe('an unavailable Redis', () => {
  it('returns undefined for every command at once and logs one line if nothing listens', async () => {
    const { redis, log } = connect('redis://127.0.0.1:1');
    const responses = await Promise.all(Array.from({ length: 1_000 }, () => ping(redis)));
    expect(new Set(responses)).toEqual(new Set([undefined]));
    await sleep(300); // The client continues to connect, but does not log further attempts.
    await ping(redis);
    expect(log).toEqual(['warn']);
  });

  it('returns undefined after it was disposed', async () => {
    const { redis, log } = connect('redis://127.0.0.1:1');
    await redis[Symbol.asyncDispose]();
    expect(await ping(redis)).toBeUndefined();
    expect(log).toEqual([]);
  });
});

describe('a Redis that returns errors', () => {
  it.each([
    ['LOADING', '-LOADING Redis is loading the dataset in memory'],
    ['READONLY', "-READONLY You can't write against a read only replica."],
    ['OOM', "-OOM command not allowed when used memory > 'maxmemory'."],
  ])('returns undefined and logs one line when every response is %s', async (_name, response) => {
    const { redis, log } = connect(await responding(response));
    for (let count = 0; count < 40; count += 1) {
      expect(await redis.run((commands) => commands.set('key', 'value'))).toBeUndefined();
      await sleep(5);
    }
    expect(log).toEqual(['warn']);
  });

  it('still executes other commands after one command failed', async () => {
    if (missingRedisServer() !== undefined) return;
    const server = await startRedisServer();
    open.push(server);
    const { redis, log } = connect(server.url);
    await untilItResponds(redis);
    await redis.run((commands) => commands.set('text', 'a'));
    for (let count = 0; count < 20; count += 1) expect(await redis.run((commands) => commands.incr('text'))).toBeUndefined();
    expect(await redis.run((commands) => commands.get('text'))).toEqual({ value: 'a' });
    expect(log.filter((level) => level === 'warn')).toHaveLength(1);
  });
});

withRedis('a Redis that fails and recovers', () => {
  it('returns undefined after a kill and recovers within two seconds of a restart', async () => {
    const server = await startRedisServer();
    open.push(server);
    const { redis, log } = connect(server.url);
    await untilItResponds(redis);
    log.length = 0;

    await server.kill();
    for (let count = 0; count < 100; count += 1) expect(await ping(redis)).toBeUndefined();
    await server.start();
    await untilItResponds(redis);

    expect(await ping(redis)).toEqual({ value: 'PONG' });
    expect(log).toEqual(['warn', 'info']);
  });

  it('lets only a few callers wait for a frozen server, without a backlog', async () => {
    const server = await startRedisServer();
    open.push(server);
    const { redis, log } = connect(server.url);
    await untilItResponds(redis);
    log.length = 0;

    server.freeze();
    let sent = 0;
    for (let count = 0; count < 1_000; count += 1) {
      const response = await redis.run((commands) => {
        sent += 1;
        return commands.get('key');
      });
      expect(response).toBeUndefined();
    }
    expect(sent).toBeLessThan(20);
    server.thaw();
    await untilItResponds(redis);

    expect(log).toEqual(['warn', 'info']);
  });
});

withRedis('a Redis Cluster', () => {
  it('writes and reads keys on all three nodes', async () => {
    const cluster = await startRedisCluster();
    open.push(cluster);
    const { redis } = connect(cluster.urls);
    const keys = Array.from({ length: 50 }, (_value, index) => `key-${index}`);
    for (const key of keys) {
      // The client connects to a node on its first use.
      while ((await redis.run((commands) => commands.set(key, `value of ${key}`))) === undefined) await sleep(10);
    }
    for (const key of keys) expect(await redis.run((commands) => commands.get(key))).toEqual({ value: `value of ${key}` });
  });
});

withRedis('a Redis with Sentinels', () => {
  it('fails over to the new primary with the written data after the primary is killed', async () => {
    const watched = await startRedisWithSentinel();
    open.push(watched);
    const { redis } = connect(watched.url);
    await untilItResponds(redis);
    expect(await redis.run((commands) => commands.set('key', 'before'))).toEqual({ value: 'OK' });
    while ((await redis.run((commands) => commands.wait(1, 40)))?.value !== 1) await sleep(20); // Wait until the replica has the value.

    await watched.primary.kill();
    expect(await ping(redis)).toBeUndefined();
    while ((await redis.run((commands) => commands.set('other', 'after'))) === undefined) await sleep(50);

    expect(await redis.run((commands) => commands.get('key'))).toEqual({ value: 'before' });
  });
});

const certificate = (name: string): string => fileURLToPath(new URL(`../subgraph-client/certificates/${name}.pem`, import.meta.url));

describe('the files of redis.tls', () => {
  it('are an error of the configuration that names the setting when they cannot be read', () => {
    expect(() => readRedisCredentials({ tls: { caFile: '/does/not/exist.pem' } })).toThrow(
      'redis.tls.caFile: the file /does/not/exist.pem cannot be read',
    );
  });

  it('are an error of the configuration that names the setting when they are not PEM', () => {
    const tls = { caFile: certificate('ca'), certificateFile: certificate('client'), keyFile: fileURLToPath(import.meta.url) };
    expect(() => readRedisCredentials({ tls })).toThrow(/redis\.tls\.keyFile: the file .* must be in PEM format/);
  });
});

withRedis('a Redis with passwords and TLS', () => {
  const PASSWORD = 'a password of the nodes';
  const TLS = {
    caFile: certificate('ca'),
    certificateFile: certificate('client'),
    keyFile: certificate('client-key'),
    serverName: 'stock.test',
  };
  const files = [
    '--tls-cert-file',
    certificate('server'),
    '--tls-key-file',
    certificate('server-key'),
    '--tls-ca-cert-file',
    certificate('ca'),
  ];

  it('is not used with a wrong password, and one line is logged', async () => {
    const server = await startRedisServer(['--requirepass', PASSWORD], { password: PASSWORD });
    open.push(server);
    const { redis, log } = connect(server.url, { password: `not ${PASSWORD}` });
    while (log.length === 0) await sleep(10);
    expect(await ping(redis)).toBeUndefined();
    expect(log).toEqual(['warn']);
  });

  it('is used with the password of the setting', async () => {
    const server = await startRedisServer(['--requirepass', PASSWORD], { password: PASSWORD });
    open.push(server);
    const { redis } = connect(server.url, { password: PASSWORD });
    await untilItResponds(redis);
    expect(await ping(redis)).toEqual({ value: 'PONG' });
  });

  it('is used over TLS with the files of the setting, and only with them', async () => {
    const tlsPort = await freePort();
    const server = await startRedisServer(['--tls-port', String(tlsPort), ...files]);
    open.push(server);
    const urls = `rediss://127.0.0.1:${tlsPort}`;
    const trusted = connect(urls, readRedisCredentials({ tls: TLS }));
    await untilItResponds(trusted.redis);
    const unknown = connect(urls, readRedisCredentials({ tls: { caFile: TLS.caFile, serverName: TLS.serverName } }));
    while (unknown.log.length === 0) await sleep(10);
    expect(await ping(unknown.redis)).toBeUndefined();
  });

  it('is used as a Cluster whose nodes need the password and TLS', async () => {
    const cluster = await startRedisCluster({ password: PASSWORD, tls: files });
    open.push(cluster);
    const { redis } = connect(cluster.urls, readRedisCredentials({ password: PASSWORD, tls: TLS }));
    for (const key of ['a', 'b', 'c']) while ((await redis.run((commands) => commands.set(key, key))) === undefined) await sleep(10);
    expect(await redis.run((commands) => commands.get('b'))).toEqual({ value: 'b' });
  });

  it('is found through Sentinels that have another password', async () => {
    const watched = await startRedisWithSentinel({ password: PASSWORD, sentinelPassword: 'a password of the Sentinels' });
    open.push(watched);
    const { redis } = connect(watched.url, { password: PASSWORD, sentinelPassword: 'a password of the Sentinels' });
    await untilItResponds(redis);
    expect(await ping(redis)).toEqual({ value: 'PONG' });
  });
});
