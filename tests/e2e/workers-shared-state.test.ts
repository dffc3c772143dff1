import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEVELOPMENT_KEY } from '../fixtures/library-graph.ts';
import { signToken } from '../support/identity/tokens.ts';
import { requireBuild } from '../support/process/built-cli.ts';
import { missingRedisServer, type RedisServer, startRedisServer } from '../support/redis/redis-server.ts';
import { eventually } from '../support/time/eventually.ts';
import { type EventSubgraph, startEventSubgraph } from '../support/workers/event-subgraph.ts';
import { sendToWorker, type ServedWorkers, serveWorkers, type ServedResponse } from '../support/workers/served-workers.ts';

const SLOW = 120_000;
const KEY = 'a key that only operators of these workers know';
const ADMITTED = 30;
const REQUESTS = 100;
/** Number of requests that are sent at once. */
const CONCURRENT = 10;
/** Points of a request. They are many, so that the points that return during a test do not pay for another request. */
const POINTS = 1_000;

beforeAll(requireBuild, SLOW);

const CONFIG = {
  profile: 'dev',
  auth: { developmentKey: DEVELOPMENT_KEY },
  cache: { invalidationKey: KEY, sharedIntervalMs: 50 },
  budget: {
    mode: 'enforce',
    weights: { query: POINTS },
    anonymous: { mode: 'rejections' },
    signedIn: { capacity: ADMITTED * POINTS + POINTS / 2, refillPerSecond: 1 },
  },
};

const read = async ({ url }: ServedWorkers, query: string, headers: Readonly<Record<string, string>> = {}): Promise<ServedResponse> =>
  sendToWorker(`${url}/graphql?query=${encodeURIComponent(query)}`, { headers: { 'apollo-require-preflight': '1', ...headers } });

const bearer = (sub: string) => ({ authorization: `Bearer ${signToken({ sub }, { key: DEVELOPMENT_KEY })}` });

/** Sends requests until both workers have responded. Returns the last response of each. */
async function fromBoth(workers: ServedWorkers, query: string): Promise<readonly ServedResponse[]> {
  const responses = new Map<number, ServedResponse>();
  await eventually(async () => {
    const response = await read(workers, query);
    responses.set(response.pid, response);
    return responses.size === 2;
  });
  return [...responses.values()];
}

const versionsOf = (responses: readonly ServedResponse[]) =>
  responses.map(({ body }) => (JSON.parse(body) as { readonly data: { readonly page: { readonly version: number } } }).data.page.version);

const stores = ['memory of the primary', 'Redis'] as const;
const isRedisMissing = missingRedisServer() !== undefined;

describe.each(stores)('gatefold serve --workers 2 with the shared state in the %s', (store) => {
  const isSkipped = store === 'Redis' && isRedisMissing;
  const test = isSkipped ? it.skip : it;
  let subgraph: EventSubgraph;
  let workers: ServedWorkers;
  let redis: RedisServer | undefined;

  beforeAll(async () => {
    if (isSkipped) return;
    subgraph = await startEventSubgraph();
    redis = store === 'Redis' ? await startRedisServer() : undefined;
    const config = redis === undefined ? CONFIG : { ...CONFIG, redis: { url: redis.url } };
    workers = await serveWorkers({ supergraph: subgraph.supergraph, config });
    // A worker serves before it is connected to Redis. It responds with 503 to an invalidation that it cannot share yet.
    await eventually(async () => (await invalidate(KEY)).status === 200);
  }, SLOW);

  afterAll(async () => {
    if (isSkipped) return;
    await workers[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
    await subgraph[Symbol.asyncDispose]();
  });

  const invalidate = async (key: string) =>
    sendToWorker(`${workers.internalUrl}/cache/invalidate`, {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ types: ['Page'] }),
    });

  const spend = async (caller: string) => {
    const responses: ServedResponse[] = [];
    for (let sent = 0; sent < REQUESTS; sent += CONCURRENT) {
      const batch = Array.from({ length: CONCURRENT }, async () => read(workers, '{ note { text } }', bearer(caller)));
      responses.push(...(await Promise.all(batch)));
    }
    return responses;
  };

  test('a budget admits exactly its number of requests, at both workers', async () => {
    let admitted: readonly ServedResponse[] = [];
    // A worker that waits longer than 50 ms for Redis grants its share instead. On a busy machine, another caller then tries again.
    for (let caller = 0; admitted.length !== ADMITTED && caller < (store === 'Redis' ? 5 : 1); caller += 1) {
      const responses = await spend(`caller ${caller}`);
      admitted = responses.filter(({ status }) => status === 200);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(REQUESTS - admitted.length);
      expect(admitted.length).toBeGreaterThanOrEqual(ADMITTED);
    }
    expect(admitted).toHaveLength(ADMITTED);
    expect(new Set(admitted.map(({ pid }) => pid)).size).toBe(2);
  });

  test('concurrent retries with an idempotency key are executed once, at both workers', async () => {
    const held = subgraph.hold();
    const keys = ['one', 'two', 'three'];
    const sign = async (key: string) =>
      sendToWorker(`${workers.url}/graphql`, {
        headers: { ...bearer('bob'), 'content-type': 'application/json', 'idempotency-key': `"${key}"` },
        body: JSON.stringify({ query: `mutation { sign(key: "${key}") { text } }` }),
      });
    const firsts = Promise.all(keys.map(sign));
    await eventually(() => subgraph.executions.size === keys.length);
    const during = await Promise.all([...keys, ...keys, ...keys].map(sign));
    expect(new Set(during.map(({ status }) => status))).toEqual(new Set([409]));
    expect(new Set(during.map(({ pid }) => pid)).size).toBe(2);
    held.release();
    const originals = await firsts;
    const later = await Promise.all([...keys, ...keys, ...keys].map(sign));
    expect(later.map(({ status }) => status)).toEqual(later.map(() => 200));
    expect(new Set(later.map(({ body }) => body))).toEqual(new Set(originals.map(({ body }) => body)));
    expect(subgraph.executions).toEqual(new Map(keys.map((key) => [key, 1])));
  });

  test('an invalidation with a wrong key is rejected, and the caches remain', async () => {
    const before = versionsOf(await fromBoth(workers, '{ page { version } }'));
    expect((await invalidate(`${KEY}, or not`)).status).toBe(401);
    expect(versionsOf(await fromBoth(workers, '{ page { version } }')).toSorted((one, other) => one - other)).toEqual(
      before.toSorted((one, other) => one - other),
    );
  });

  test('an invalidation reaches the caches of all workers', async () => {
    const before = versionsOf(await fromBoth(workers, '{ page { version } }'));
    expect((await invalidate(KEY)).status).toBe(200);
    const after = versionsOf(await fromBoth(workers, '{ page { version } }'));
    for (const version of after) expect(version).toBeGreaterThan(Math.max(...before));
  });
});
