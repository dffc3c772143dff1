import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { REFERENCE_NO_STORE, REFERENCE_SINGLE_USE } from '../../cli/dev/reference-graph.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { type CliProcess, cleanEnvironment, requireBuild, watchProcess } from '../support/process/built-cli.ts';
import { SHORT_LIVED } from '../support/process/short-lived.ts';
import { eventually } from '../support/time/eventually.ts';
import { fetchDescribed } from '../support/http/fetch-described.ts';
import { freePort } from '../support/http/free-port.ts';
import { type ComposeService, readOwnServices } from '../support/process/compose-services.ts';
import { missingPostgresql } from '../support/database/missing-postgresql.ts';
import { type RedisServer, missingRedisServer, startRedisServer } from '../support/redis/redis-server.ts';
import { type ThrowawayDatabase, createThrowawayDatabase } from '../support/database/throwaway-database.ts';
import { signToken } from '../support/identity/tokens.ts';

const missing = missingRedisServer() ?? (await missingPostgresql());
const describeWithServers = missing === undefined ? describe : describe.skip;

const secret = () => randomBytes(24).toString('hex');
const DEVELOPMENT_KEY = secret();
const VARIABLES = {
  GATEFOLD_IDENTITY_SECRET: secret(),
  GATEFOLD_SERVICE_SECRET: secret(),
  GATEFOLD_WEBHOOKS_KEY: secret(),
  POSTGRES_PASSWORD: secret(),
  REDIS_PASSWORD: secret(),
};
const FIVE_SUBGRAPHS = '{ user(id: "1") { name posts { title } orders { nodes { status product { title } shipment { carrier } } } } }';

describe('docker-compose.yml', () => {
  const text = readFileSync(join(packageRoot, 'docker-compose.yml'), 'utf8');

  it('names the secrets to set when the environment has none', () => {
    expect(() => readOwnServices({})).toThrow(/^Copy \.env\.example to \.env and set \w+$/);
  });

  it('requires the variables that .env.example lists without values', () => {
    const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    const example = readFileSync(join(packageRoot, '.env.example'), 'utf8');
    expect(required).toEqual(new Set(Object.keys(VARIABLES)));
    for (const name of required) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
  });

  it('contains no value of a secret', () => {
    const values = [...text.matchAll(/^\s*\w*(?:SECRET|PASSWORD|KEY)\w*: (.*)$/gm)].map(([, value]) => value ?? '');
    expect(values.length).toBeGreaterThan(3);
    for (const value of values) expect(value).toMatch(/^\$\{\w+:[-?][^}]*\}$/);
    expect(text).not.toMatch(/:\/\/[^/\s]*:(?!\$\{)[^/\s@]+@/);
  });

  it('gives the gateway the settings that `gatefold dev` adds for the reference graph', () => {
    const { environment } = readOwnServices(VARIABLES).get('gateway') ?? {};
    const list = (name: string): unknown => JSON.parse(environment?.[name] ?? 'null');
    expect(list('GATEFOLD_LIMITS__SINGLE_USE')).toEqual(REFERENCE_SINGLE_USE);
    expect(list('GATEFOLD_IDEMPOTENCY__NO_STORE')).toEqual(REFERENCE_NO_STORE);
  });

  it('publishes ports only on the loopback interface', () => {
    expect([...text.matchAll(/^\s+- ["']([\d.:]+)["']$/gm)].map(([, mapping]) => mapping)).toEqual(['127.0.0.1:4000:4000']);
  });
});

describeWithServers(`the services of docker-compose.yml as plain processes${missing === undefined ? '' : ` (${missing})`}`, () => {
  const started: CliProcess[] = [];
  let database: ThrowawayDatabase;
  let redis: RedisServer;
  let toLocal: (text: string) => string;

  beforeAll(async () => {
    await requireBuild();
    database = await createThrowawayDatabase();
    redis = await startRedisServer();
    await requirePassword(redis, VARIABLES.REDIS_PASSWORD);
    toLocal = await localAddresses(database.url, redis.port);
    await startHealthy('subgraphs', VARIABLES);
  }, 120_000);
  afterAll(async () => {
    for (const service of started.toReversed()) await service[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  /** Starts a service and runs its health check until it succeeds. */
  async function startHealthy(name: string, variables: Readonly<Record<string, string>>): Promise<CliProcess> {
    const service = readOwnServices(variables).get(name);
    if (service === undefined) throw new Error(`docker-compose.yml has no built service ${name}.`);
    const running = watchProcess(run(service));
    started.push(running);
    let hasEnded = false;
    void running.exit.then(() => (hasEnded = true));
    // An earlier health check would cost a process each time.
    await running.waitFor(/"ready"|Gatefold serves/);
    await eventually(async () => {
      if (hasEnded) throw new Error(`The service ${name} ended:\n${running.output()}`);
      return isHealthy(service);
    });
    return running;
  }

  function run({ command, environment }: ComposeService) {
    const [program = '', ...args] = command;
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, toLocal(value)]));
    const options = program === 'node' ? SHORT_LIVED : [];
    return spawn(program, [...options, ...args], { cwd: packageRoot, env: { ...cleanEnvironment(), ...env }, stdio: 'pipe' });
  }

  async function isHealthy({ healthcheck }: ComposeService): Promise<boolean> {
    const [program = '', ...args] = healthcheck.map(toLocal);
    return promisify(execFile)(program, args, { env: cleanEnvironment() }).then(
      () => true,
      () => false,
    );
  }

  /** Whether a webhook delivery of an order event is queued. Adds another event each time. */
  async function isOrderReported(): Promise<boolean> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(`insert into webhooks.endpoints (id, owner_id, url, events, state)
        values (9000, 1, 'https://hooks.invalid/', '{order.created}', 'ACTIVE') on conflict do nothing`);
      await client.query(`insert into kit.outbox (subgraph, topic, payload, created_at) values ('orders', 'orders', $1, now())`, [
        { event: 'order.created', orderId: '1', userId: '1', status: 'PENDING', version: 1, qty: 1, at: new Date().toISOString() },
      ]);
      const { rowCount } = await client.query(`select 1 from webhooks.deliveries where endpoint_id = 9000 and event = 'order.created'`);
      return rowCount !== null && rowCount > 0;
    } finally {
      await client.end();
    }
  }

  const request = async (query: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const response = await fetch(`${toLocal('http://gateway:4000')}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    return response.json();
  };

  it('the production gateway serves public GraphQL and REST and delivers webhooks', async () => {
    const gateway = await startHealthy('gateway', VARIABLES);
    const byTls = { 'x-forwarded-proto': 'https' };
    expect(await request('{ book(id: "1") { title } }')).toMatchObject({ errors: [{ extensions: { code: 'TLS_REQUIRED' } }] });
    expect(await request('{ book(id: "1") { title } post(id: "1") { author { name } } }', byTls)).toEqual({
      data: { book: { title: expect.any(String) }, post: { author: { name: expect.any(String) } } },
    });
    const books = await fetchDescribed(`${toLocal('http://gateway:4000')}/api/books/1`, { headers: byTls });
    expect([books.status, await books.json()]).toEqual([200, expect.objectContaining({ id: 1 })]);
    expect(await request('{ __schema { queryType { name } } }', byTls)).toHaveProperty('errors');
    const pay = 'createPayment(input: { amount: 1, currency: "EUR" }, idempotencyKey: "k") { payment { id } }';
    expect(await request(`mutation { a: ${pay} b: ${pay} }`, byTls)).toMatchObject({
      errors: [{ extensions: { code: 'ALIAS_LIMIT_EXCEEDED' } }],
    });
    await eventually(isOrderReported);
    gateway.signal('SIGTERM');
    expect((await gateway.exit).code).toBe(0);
  }, 60_000);

  it('the gateway with the dev profile serves five subgraphs to a caller with credentials', async () => {
    const gateway = await startHealthy('gateway', {
      ...VARIABLES,
      GATEFOLD_PROFILE: 'dev',
      GATEFOLD_AUTH__DEVELOPMENT_KEY: DEVELOPMENT_KEY,
    });
    const token = signToken({ sub: '1' }, { key: DEVELOPMENT_KEY });
    const shipped = { status: 'SHIPPED', product: { title: expect.any(String) }, shipment: { carrier: expect.any(String) } };
    expect(await request(FIVE_SUBGRAPHS, { authorization: `Bearer ${token}` })).toEqual({
      data: { user: { name: expect.any(String), posts: expect.any(Array), orders: { nodes: expect.arrayContaining([shipped]) } } },
    });
    gateway.signal('SIGTERM');
    expect((await gateway.exit).code).toBe(0);
  }, 60_000);
});

/** Maps the host names and ports of the containers to the loopback interface and free ports of this machine. */
async function localAddresses(databaseUrl: string, redisPort: number): Promise<(text: string) => string> {
  const ports = ['4000', '4001', '4101', '4102', '4103', '4104', '4105', '4106', '4107', '4108'];
  const first = await freePort(ports.length);
  const local = new Map(ports.map((port, index) => [port, String(first + index)]));
  return (text) =>
    text.startsWith('postgresql://')
      ? databaseUrl
      : text
          .replace('redis:6379', `127.0.0.1:${redisPort}`)
          .replaceAll(/\b(?:gateway|subgraphs)(?=:\d)/g, '127.0.0.1')
          .replaceAll(/\b4[01]0\d\b/g, (port) => local.get(port) ?? port);
}

/** Sets the password, as the command of the container does. */
async function requirePassword({ url }: RedisServer, password: string): Promise<void> {
  const client = new Redis(url);
  await client.config('SET', 'requirepass', password);
  client.disconnect();
}
