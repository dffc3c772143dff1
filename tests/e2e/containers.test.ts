import { existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { REFERENCE_NO_STORE, REFERENCE_SINGLE_USE } from '../../cli/dev/reference-graph.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { requireBuild } from '../support/process/built-cli.ts';
import { readComposeFile, readComposeServices } from '../support/process/compose-services.ts';
import { type LocalCompose, createLocalCompose, missingPrograms } from '../support/process/local-compose.ts';
import { eventually } from '../support/time/eventually.ts';
import { fetchDescribed } from '../support/http/fetch-described.ts';
import { signToken } from '../support/identity/tokens.ts';

const missing = missingPrograms(['redis-server', 'initdb', 'openssl']);
if (missing.length > 0 && process.env['CI'] === 'true')
  throw new Error(`Install ${missing.join(', ')}. With CI=true these tests must run.`);
if (missing.length > 0) process.stderr.write(`\nNOT TESTED: ${missing.join(', ')} is missing.\n`);
const describeWithServers = missing.length === 0 ? describe : describe.skip;

const DEVELOPMENT_KEY = randomBytes(24).toString('hex');
const FIVE_SUBGRAPHS = '{ user(id: "1") { name posts { title } orders { nodes { status product { title } shipment { carrier } } } } }';

describe('docker-compose.yml', () => {
  const text = readFileSync(join(packageRoot, 'docker-compose.yml'), 'utf8');
  const services = readComposeServices({});

  it('passes secrets as files only, and mounts no secret that a service does not read', () => {
    const { secrets } = readComposeFile();
    for (const { name, environment, command, healthcheck, secrets: mounted } of services.values()) {
      const values = Object.entries(environment);
      const plain = values.filter(
        ([key, value]) => /SECRET|PASSWORD|_KEY$|REDIS_URL|DATABASE_URL/.test(key) && !key.endsWith('_FILE') && value !== '',
      );
      expect({ name, plain }).toEqual({ name, plain: [] });
      const used = [...values.map(([, value]) => value), ...command, ...healthcheck].join('\n') + (name === 'balancer' ? nginx : '');
      for (const secret of mounted) expect(used).toContain(`/run/secrets/${secret}`);
      expect(mounted.filter((secret) => secrets[secret] === undefined)).toEqual([]);
    }
    for (const { file } of Object.values(secrets)) expect(file).toMatch(/^\.\/deploy\/compose\/secrets\/\w+$/);
    expect(text).not.toMatch(/:\/\/[^/\s]*:[^/\s@]+@/);
  });

  it('has two gateways with the same settings, which the balancer names', () => {
    const { name: one, ...first } = services.get('gateway-1') ?? { name: '' };
    const { name: two, ...second } = services.get('gateway-2') ?? { name: '' };
    expect(first).toEqual(second);
    for (const name of [one, two]) expect(nginx).toContain(`server ${name}:4000 resolve max_fails=1`);
  });

  it('fixes the version of each image, and has a health check for each service that others need', () => {
    for (const { name, image, isBuilt, profiles, healthcheck } of services.values()) {
      if (!isBuilt) expect(image).toMatch(/:v?\d+\.\d+(?:\.\d+)?(?:-\w+)?$/);
      if (profiles.length === 0) expect({ name, isChecked: healthcheck.length > 0 }).toEqual({ name, isChecked: true });
    }
  });

  it('mounts files that exist', () => {
    const files = [...text.matchAll(/^\s+- (\.\/deploy\/[^:]+):/gm)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !existsSync(join(packageRoot, file)))).toEqual([]);
  });

  it('gives the gateway the settings that `gatefold dev` adds for the reference graph', () => {
    const { environment } = services.get('gateway-1') ?? {};
    const list = (name: string): unknown => JSON.parse(environment?.[name] ?? 'null');
    expect(list('GATEFOLD_LIMITS__SINGLE_USE')).toEqual(REFERENCE_SINGLE_USE);
    expect(list('GATEFOLD_IDEMPOTENCY__NO_STORE')).toEqual(REFERENCE_NO_STORE);
  });

  it('publishes ports only on the loopback interface, and those of the gateways not at all', () => {
    const ports = [...text.matchAll(/^\s+- ["']([\d.:]+)["']$/gm)].map(([, mapping]) => mapping);
    expect(ports).toEqual(['127.0.0.1:8443:8443', '127.0.0.1:3000:3000']);
  });
});

const nginx = readFileSync(join(packageRoot, 'deploy/nginx/nginx.conf'), 'utf8');

describeWithServers('the services of docker-compose.yml as plain processes', () => {
  let compose: LocalCompose;

  beforeAll(async () => {
    await requireBuild();
    compose = await createLocalCompose();
    for (const name of ['postgres', 'valkey', 'subgraphs']) await compose.start(name);
  }, 120_000);
  afterAll(async () => compose[Symbol.asyncDispose]());

  /** Whether a webhook delivery of an order event is queued. Adds another event each time. */
  async function isOrderReported(): Promise<boolean> {
    const client = new Client({ connectionString: compose.databaseUrl });
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

  const origin = () => `http://127.0.0.1:${compose.portOf('gateway-1', '4000')}`;
  const request = async (query: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const response = await fetch(`${origin()}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    return response.json();
  };

  it('the production gateway serves public GraphQL and REST and delivers webhooks', async () => {
    const gateway = await compose.start('gateway-1');
    const byTls = { 'x-forwarded-proto': 'https' };
    expect(await request('{ book(id: "1") { title } }')).toMatchObject({ errors: [{ extensions: { code: 'TLS_REQUIRED' } }] });
    expect(await request('{ book(id: "1") { title } post(id: "1") { author { name } } }', byTls)).toEqual({
      data: { book: { title: expect.any(String) }, post: { author: { name: expect.any(String) } } },
    });
    const books = await fetchDescribed(`${origin()}/api/books/1`, { headers: byTls });
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
    const gateway = await compose.start('gateway-1', { GATEFOLD_PROFILE: 'dev', GATEFOLD_AUTH__DEVELOPMENT_KEY: DEVELOPMENT_KEY });
    const token = signToken({ sub: '1' }, { key: DEVELOPMENT_KEY });
    const shipped = { status: 'SHIPPED', product: { title: expect.any(String) }, shipment: { carrier: expect.any(String) } };
    expect(await request(FIVE_SUBGRAPHS, { authorization: `Bearer ${token}` })).toEqual({
      data: { user: { name: expect.any(String), posts: expect.any(Array), orders: { nodes: expect.arrayContaining([shipped]) } } },
    });
    gateway.signal('SIGTERM');
    expect((await gateway.exit).code).toBe(0);
  }, 60_000);
});
