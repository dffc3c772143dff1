import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../http/free-port.ts';

/** A separate Redis server for tests, in a process that can be killed, frozen and started again. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Starts it on its port, empty. Resolves when it responds. */
  start(): Promise<void>;
  /** Kills the process immediately. */
  kill(): Promise<void>;
  /** Makes it accept connections without responses. */
  freeze(): void;
  thaw(): void;
}

/**
 * Returns why no Redis is available for tests, or undefined when `redis-server` is installed.
 *
 * @throws Error when `CI=true` and Redis is missing, because the tests must run there
 */
export function missingRedisServer(): string | undefined {
  if (spawnSync('redis-server', ['--version']).status === 0) return undefined;
  const missing = 'no redis-server in the PATH';
  if (process.env['CI'] === 'true') throw new Error(`${missing}. With CI=true these tests must run.`);
  process.stderr.write(`\nNOT TESTED: ${missing}.\n`);
  return missing;
}

/** Maximum number of attempts. Another process may take a port between its selection and its use. */
const MAX_ATTEMPTS = 5;

/** Credentials with which the tests themselves connect. */
export interface RedisTestAccess {
  /** Password that a server requires. */
  readonly password?: string;
}

/** Starts a Redis server without persistence. */
export async function startRedisServer(more: readonly string[] = [], access: RedisTestAccess = {}): Promise<RedisServer> {
  for (let attempt = 1; ; attempt += 1) {
    const server = prepareRedisServer(await freePort(), more, access);
    try {
      await server.start();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function prepareRedisServer(port: number, more: readonly string[], access: RedisTestAccess): RedisServer {
  const directory = mkdtempSync(join(tmpdir(), 'gatefold-redis-'));
  let running: ChildProcess | undefined;

  async function kill(): Promise<void> {
    const child = running;
    running = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async function start(): Promise<void> {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no'];
    const child = spawn('redis-server', [...settings, ...more], { stdio: 'ignore' });
    running = child;
    await withClient({ port, ...access }, async (client) => {
      const ended = once(child, 'exit').then(([code]) =>
        Promise.reject(new Error(`Redis on port ${port} exited with code ${String(code)}.`)),
      );
      ended.catch(() => undefined); // The process ends eventually, after the race.
      const info = await Promise.race([client.info('server'), ended]);
      if (!info.includes(`process_id:${String(child.pid)}\r`)) throw new Error(`Another Redis server uses port ${port}.`);
    });
  }

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void running?.kill('SIGSTOP'),
    thaw: () => void running?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface RedisClusterOptions extends RedisTestAccess {
  /** Arguments with the files for TLS. Clients then need TLS, and the nodes use it among themselves. @defaultValue no TLS */
  readonly tls?: readonly string[];
}

/** Starts three nodes with a third of the slots each. */
export async function startRedisCluster({ password, tls }: RedisClusterOptions = {}): Promise<{ readonly urls: string } & AsyncDisposable> {
  const access = password === undefined ? {} : { password };
  const required = password === undefined ? [] : ['--requirepass', password, '--masterauth', password];
  const nodes = await Promise.all(
    [0, 1, 2].map(async () => {
      const tlsPort = tls === undefined ? undefined : await freePort();
      const secure = tlsPort === undefined ? [] : [...(tls ?? []), '--tls-port', String(tlsPort), '--tls-cluster', 'yes'];
      const server = await startRedisServer(['--cluster-enabled', 'yes', ...required, ...secure], access);
      const url = tlsPort === undefined ? server.url : `rediss://127.0.0.1:${tlsPort}`;
      return { server, port: server.port, url, meetPort: tlsPort ?? server.port };
    }),
  );
  const clients = nodes.map(({ port }) => ({ port, ...access }));
  await Promise.all(clients.map(takeSlots));
  for (const client of clients) await withClient(client, async (connected) => untilClusterReady(connected, nodes));
  return {
    urls: nodes.map(({ url }) => url).join(','),
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map(({ server }) => server[Symbol.asyncDispose]()));
    },
  };
}

/** Starts a primary, a replica, and a Sentinel that promotes the replica when the primary fails. */
export async function startRedisWithSentinel({
  password,
  sentinelPassword,
}: RedisTestAccess & { readonly sentinelPassword?: string } = {}): Promise<
  { readonly url: string; readonly primary: RedisServer } & AsyncDisposable
> {
  const access = password === undefined ? {} : { password };
  const required = password === undefined ? [] : ['--requirepass', password, '--masterauth', password];
  const primary = await startRedisServer(required, access);
  const replica = await startRedisServer(['--replicaof', '127.0.0.1', String(primary.port), ...required], access);
  await withClient({ port: replica.port, ...access }, async (client) => {
    while (!(await client.info('replication')).includes('master_link_status:up')) await sleep(20);
  });
  const directory = mkdtempSync(join(tmpdir(), 'gatefold-sentinel-'));
  const port = await freePort();
  const file = join(directory, 'sentinel.conf');
  const watched = 'gatefold';
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${directory}`,
    `sentinel monitor ${watched} 127.0.0.1 ${primary.port} 1`,
    `sentinel down-after-milliseconds ${watched} 300`,
    `sentinel failover-timeout ${watched} 3000`,
    ...(password === undefined ? [] : [`sentinel auth-pass ${watched} "${password}"`]),
    ...(sentinelPassword === undefined ? [] : [`requirepass "${sentinelPassword}"`]),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const sentinel = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  const sentinelAccess = sentinelPassword === undefined ? {} : { password: sentinelPassword };
  await withClient({ port, ...sentinelAccess }, async (client) => {
    while (!String(await client.call('SENTINEL', 'REPLICAS', watched)).includes(String(replica.port))) await sleep(50);
  });
  return {
    url: `redis+sentinel://127.0.0.1:${port}/${watched}`,
    primary,
    async [Symbol.asyncDispose]() {
      const ended = once(sentinel, 'exit');
      sentinel.kill('SIGKILL');
      await ended;
      await Promise.all([primary[Symbol.asyncDispose](), replica[Symbol.asyncDispose]()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const SLOTS = 16_384;
const LOOKS_BEFORE_MEETING = 100;

async function takeSlots(target: RedisTarget, index: number, { length }: readonly RedisTarget[]): Promise<void> {
  const first = Math.ceil((index * SLOTS) / length);
  const last = Math.ceil(((index + 1) * SLOTS) / length) - 1;
  await withClient(target, async (client) => {
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    await client.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
  });
}

/** Nodes forget an introduction without a response in time, so it is repeated until all nodes know each other. */
async function untilClusterReady(client: Redis, nodes: readonly { readonly port: number; readonly meetPort: number }[]): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    const info = String(await client.call('CLUSTER', 'INFO'));
    if (info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}`)) return;
    if (looks % LOOKS_BEFORE_MEETING === 0) {
      for (const { port, meetPort } of nodes) {
        if (port !== client.options.port) await client.call('CLUSTER', 'MEET', '127.0.0.1', meetPort);
      }
    }
    await sleep(20);
  }
}

interface RedisTarget extends RedisTestAccess {
  readonly port: number;
}

async function withClient<T>(target: RedisTarget, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis({ ...target, host: '127.0.0.1', retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => {}); // The process does not listen yet.
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}
