import { createServer } from 'node:http';
import { once } from 'node:events';
import { inspect } from 'node:util';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { createMemoryEventBus } from '../../../subgraphs/kit/events/memory-event-bus.ts';
import { type RunningSubgraph, type SubgraphRuntime, startSubgraph } from '../../../subgraphs/kit/server/start-subgraph.ts';
import { openServerDatabase } from '../../../subgraphs/kit/database/open-server-database.ts';
import { createUsersSubgraph } from '../../../subgraphs/users/create-users-subgraph.ts';
import { signIdentity } from '../../support/identity/sign-identity.ts';
import { openSampleDatabase } from '../../support/database/sample-database.ts';

const SECRET = 's'.repeat(64);

describe('the server of a subgraph', () => {
  let database: Database;
  const started: RunningSubgraph[] = [];

  async function start(change: Partial<SubgraphRuntime> = {}, port = 0): Promise<RunningSubgraph> {
    const runtime: SubgraphRuntime = {
      database,
      events: createMemoryEventBus(),
      wakeRelay() {},
      clock: systemClock,
      log: silentLogger,
      identity: { secret: SECRET },
      profile: 'production',
      ...change,
    };
    const setup = { database: runtime.database, events: runtime.events, clock: systemClock, log: silentLogger };
    const subgraph = await startSubgraph(await createUsersSubgraph(setup), runtime, { port });
    started.push(subgraph);
    return subgraph;
  }

  const post = async (url: string, body: string, headers: Readonly<Record<string, string>> = {}) => {
    const identity = signIdentity({ secret: SECRET, audience: 'users', body, kind: 'user', sub: '1', roles: ['ADMIN'] });
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'gatefold-identity': identity, ...headers },
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const request = async (url: string, query: string, variables: object = {}) => post(url, JSON.stringify({ query, variables }));
  const codesOf = (text: string) =>
    (JSON.parse(text) as { errors?: { extensions: { code: string } }[] }).errors?.map(({ extensions }) => extensions.code);

  beforeAll(async () => {
    database = await openSampleDatabase();
  });
  afterAll(async () => {
    await Promise.all(started.map(async (subgraph) => subgraph.stop()));
    await database.close();
  });

  describe('errors', () => {
    it.each([
      ['GET', '/', 405, 'METHOD_NOT_ALLOWED'],
      ['PUT', '/graphql', 405, 'METHOD_NOT_ALLOWED'],
      ['POST', '/elsewhere', 404, 'NOT_FOUND'],
      ['POST', '/health', 405, 'METHOD_NOT_ALLOWED'],
    ])('%s %s returns %d %s', async (method, path, status, code) => {
      const { url } = await start();
      const response = await fetch(`${url}${path}`, { method });
      expect([response.status, codesOf(await response.text())]).toEqual([status, [code]]);
      expect(response.headers.has('allow')).toBe(status === 405);
    });

    it.each([
      ['a body that is not JSON', '{"query":', 400, 'BAD_REQUEST'],
      ['a list', '[{"query":"{ me { id } }"}]', 400, undefined],
      ['no query', '{}', 400, 'BAD_REQUEST'],
      ['a `__proto__` key', '{"query":"{ me { id } }","variables":{"__proto__":{"x":1}}}', 400, 'BAD_REQUEST'],
      ['invalid GraphQL syntax', '{"query":"{"}', 400, 'GRAPHQL_PARSE_FAILED'],
      ['an unknown field', '{"query":"{ nothing }"}', 400, 'GRAPHQL_VALIDATION_FAILED'],
      ['an invalid variable', '{"query":"query ($id: ID!) { user(id: $id) { id } }","variables":{"id":{}}}', 400, 'BAD_USER_INPUT'],
    ])('%s returns %s with %d', async (_what, body, status, code) => {
      const response = await post((await start()).url, body);
      expect(response.status).toBe(status);
      if (code !== undefined) expect(codesOf(response.text)).toEqual([code]);
      expect(response.text).not.toMatch(/\bat .+:\d+|node_modules|stack/);
    });

    it('returns 413 for a body over 1 MiB, with or without length, and remains available', async () => {
      const { url } = await start();
      const big = ' '.repeat(1_048_577);
      expect((await post(url, big)).status).toBe(413);
      const streamed = await fetch(url, { method: 'POST', body: new Blob([big]).stream(), duplex: 'half' });
      expect([streamed.status, codesOf(await streamed.text())]).toEqual([413, ['PAYLOAD_TOO_LARGE']]);
      expect((await request(url, '{ me { id } }')).text).toBe('{"data":{"me":{"id":"1"}}}\n');
    });

    it('exposes SDL and introspection in dev, and rejects them in production', async () => {
      const [production, dev] = [await start(), await start({ profile: 'dev' })];
      for (const query of [
        '{ _service { sdl } }',
        '{ ... on Query { a: _service { sdl } } }',
        '{ ...F } fragment F on Query { _service { sdl } }',
        '{ __schema { types { name } } }',
      ]) {
        expect((await request(production.url, query)).status).toBe(400);
        expect((await request(dev.url, query)).status).toBe(200);
      }
    });

    it('reports subgraph and address when its port is in use', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      await expect(start({}, port)).rejects.toThrow(`The subgraph users cannot listen on 127.0.0.1:${port}: the port is already in use.`);
      other.close();
    });
  });

  describe('failures inside the subgraph', () => {
    const unreachable = () => openServerDatabase({ url: 'postgres://nobody:hunter2@127.0.0.1:1/none', log: silentLogger });

    it('an unavailable database is not exposed to callers, nor callers to the log', async () => {
      const gone = unreachable();
      const logged: unknown[] = [];
      const { url } = await start({ database: gone, log: { ...silentLogger, error: (details: unknown) => void logged.push(details) } });
      await request(url, '{ users(filter: { name: "Nora Nyberg" }) { nodes { id } } }');
      expect(inspect(logged, { depth: 10 })).toMatch(/ECONNREFUSED/);
      expect(inspect(logged, { depth: 10 })).not.toMatch(/Nora|hunter2/);
      const { text } = await request(url, '{ users { nodes { id } } user(id: "1") { id } }');
      expect(codesOf(text)?.every((code) => code === 'SUBGRAPH_UNAVAILABLE')).toBe(true);
      expect(text).not.toMatch(/ECONN|127\.0\.0\.1|postgres|hunter2|select|Failed query/i);
      const written = await request(url, 'mutation { createUser(input: { name: "A", email: "a@example.org" }) { user { id } } }');
      expect(codesOf(written.text)).toEqual(['SUBGRAPH_UNAVAILABLE']);
      expect((await fetch(`${url}/health`)).status).toBe(503);
      await gone.close();
    });

    it('an unexpected error is logged and returned with a constant message', async () => {
      const logged: unknown[] = [];
      const broken: Database = {
        ...database,
        sql: {
          ...database.sql,
          select: () => {
            throw new Error('select secret from vault');
          },
        },
      };
      const { url } = await start({ database: broken, log: { ...silentLogger, error: (details: unknown) => void logged.push(details) } });
      const { text } = await request(url, '{ me { id } }');
      expect(codesOf(text)).toEqual(['INTERNAL_SERVER_ERROR']);
      expect(text).not.toContain('vault');
      expect(logged).toMatchObject([{ subgraph: 'users', err: { message: expect.stringContaining('vault') } }]);
    });
  });

  it('stopping finishes the request in progress and accepts no connection', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const slow: Database = {
      ...database,
      transaction: async (work) => {
        hasBegun();
        await held;
        return database.transaction(work);
      },
    };
    const subgraph = await start({ database: slow });
    const response = request(subgraph.url, 'mutation { updateUser(id: "1", patch: {}) { user { id } } }');
    await begun;
    const stopped = subgraph.stop();
    await expect(request(subgraph.url, '{ me { id } }')).rejects.toThrow();
    release();
    expect((await response).text).toContain('"user":{"id":"1"}');
    await stopped;
  });

  it('returns 200 for health without an identity', async () => {
    const response = await fetch(`${(await start()).url}/health`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });
});
