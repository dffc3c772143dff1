import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { startEntityGraph } from '../../fixtures/entity-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient } from '../../support/http/http-client.ts';
import { missingRedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { signToken } from '../../support/identity/tokens.ts';

const PAGE = '{ page(id: 1) { id text } }';
const ME = '{ me { id text } }';
const PUBLISH = 'mutation { publish(id: 1) { id } }';

type Served = Pick<CachedGraph, 'url'>;
const tokenOf = (sub: string | undefined) => sub && signToken({ sub, roles: ['USER'] }, { key: DEVELOPMENT_KEY });
const read = async ({ url }: Served, query: string, sub?: string, headers: Record<string, string> = {}) =>
  await createHttpClient({ origin: url }).get(`/graphql?query=${encodeURIComponent(query)}`, { token: tokenOf(sub), headers });
const write = ({ url }: Served, sub?: string, query = PUBLISH) =>
  createHttpClient({ origin: url }).post('/graphql', { query }, { token: tokenOf(sub) });

describe('point 14: a caller reads its own writes', () => {
  let graph: CachedGraph;

  beforeAll(async () => {
    graph = await startCachedGraph();
  });
  afterAll(async () => {
    await graph[Symbol.asyncDispose]();
  });
  beforeEach(() => graph.reset());

  it('skips stored responses of the type for the writer only, also for memoized requests', async () => {
    for (const sub of ['ada', 'bob']) for (let count = 0; count < 3; count += 1) await read(graph, PAGE, sub);
    expect(graph.requested).toHaveLength(2);
    await write(graph, 'ada');
    graph.reset();
    const [own, again, other] = [await read(graph, PAGE, 'ada'), await read(graph, PAGE, 'ada'), await read(graph, PAGE, 'bob')];
    expect(graph.requested).toHaveLength(1);
    expect([own.headers['age'], again.headers['age'], other.headers['age']]).toEqual([undefined, '0', expect.any(String)]);
  });

  it('does not send the writer a 304 from before the write', async () => {
    const { headers } = await read(graph, PAGE, 'cy');
    expect((await read(graph, PAGE, 'cy', { 'if-none-match': String(headers['etag']) })).status).toBe(304);
    await write(graph, 'cy');
    expect((await read(graph, PAGE, 'cy', { 'if-none-match': String(headers['etag']) })).status).toBe(200);
  });

  it('still uses stored responses of other types', async () => {
    await read(graph, ME, 'dan');
    await write(graph, 'dan');
    graph.reset();
    await read(graph, ME, 'dan');
    expect(graph.requested).toHaveLength(0);
  });

  it('skips public responses for an anonymous writer, identified by the address', async () => {
    await read(graph, PAGE);
    await read(graph, PAGE);
    expect(graph.requested).toHaveLength(1);
    await write(graph);
    graph.reset();
    await read(graph, PAGE);
    await read(graph, PAGE);
    expect(graph.requested).toHaveLength(1);
  });

  it('does not share an execution from before the write with a later read', async () => {
    for (const method of ['GET', 'POST'] as const) {
      graph.reset();
      const request = () => (method === 'GET' ? read(graph, PAGE, `eve ${method}`) : write(graph, `eve ${method}`, PAGE));
      const release = graph.hold();
      const before = request();
      while (graph.requested.length < 1) await sleep(1);
      release();
      const ready = graph.hold();
      const writing = write(graph, `eve ${method}`);
      while (graph.requested.length < 2) await sleep(1);
      ready();
      await writing;
      const [after] = await Promise.all([request(), before]);
      const { text } = (after.body as { data: { page: { text: string } } }).data.page;
      expect(Number(/\} (\d+) /.exec(text)?.[1])).toBeGreaterThan(2);
    }
  });

  it('honors no-cache, and charges the cost of the execution', async () => {
    await using paid = await startCachedGraph({ budget: { mode: 'enforce', headers: true } });
    const restOf = ({ headers }: { headers: Record<string, unknown> }) => Number(/;r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    await read(paid, PAGE, 'fay');
    const stored = await read(paid, PAGE, 'fay');
    expect(paid.requested).toHaveLength(1);
    const forced = [];
    for (const value of ['no-cache', 'max-age=0', 'no-store, No-Cache'])
      forced.push(await read(paid, PAGE, 'fay', { 'cache-control': value }));
    expect(paid.requested).toHaveLength(4);
    await read(paid, PAGE, 'fay', { 'cache-control': 'max-age=30' });
    expect(paid.requested).toHaveLength(4);
    expect(restOf(stored)).toBeGreaterThanOrEqual(restOf(forced[2] ?? stored));
  });
});

describe('point 14: stored entities', () => {
  it('are fetched again for a caller that wrote one of their type', async () => {
    await using graph = await startEntityGraph();
    const items = '{ items(ids: ["1"]) { id title } }';
    for (let count = 0; count < 2; count += 1) await write(graph, 'ada', items);
    expect(graph.requested).toHaveLength(1);
    await read(graph, items, 'ada', { 'cache-control': 'no-cache' });
    expect(graph.requested).toHaveLength(2);
  });
});

const isMissing = missingRedisServer() !== undefined;
(isMissing ? describe.skip : describe)('point 14: gateways that share Redis', () => {
  it('bypass stored responses for a caller that wrote through another gateway', async () => {
    await using redis = await startRedisServer();
    const config = { redis: { url: redis.url }, cache: { sharedIntervalMs: 20 } };
    await using one = await startCachedGraph(config);
    await using other = await startCachedGraph(config);
    await read(other, PAGE, 'ada');
    await read(other, ME, 'ada');
    other.reset();
    while (other.requested.length === 0) {
      await write(one, 'ada'); // Until the connection to Redis is open, only the gateway that wrote knows about the write.
      await read(other, PAGE, 'ada');
      await sleep(5);
    }
    await read(other, ME, 'ada');
    expect(other.requested).toHaveLength(1);
  });
});
