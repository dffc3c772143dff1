/**
 * Registers 1,000,000 random documents by many clients, in memory and in Redis, and plans 100,000 distinct operations. All stores must stay
 * within their bounds, and memory must not grow after the first fifth. Exits with 1 otherwise.
 *
 * Duration: about 4 minutes
 *
 * `npm run prove flooding [registrations] [operations] [seed]`. Requires redis-server.
 */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGateway } from '../../gateway/index.ts';
import { createAutomaticDocuments, createRegistrationQuota } from '../../gateway/persisted/automatic-documents.ts';
import { createMemoryDocumentStore, type DocumentStore } from '../../gateway/persisted/document-store.ts';
import { sha256Of } from '../../gateway/persisted/document-reference.ts';
import { createSharedDocumentStore } from '../../gateway/persisted/shared-document-store.ts';
import { systemClock } from '../../gateway/platform/clock.ts';
import { silentLogger } from '../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import { createSharedRedis, type RedisClient } from '../../gateway/redis/redis.ts';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import type { SubgraphExecutor } from '../../gateway/supergraph/subgraph-executor.ts';
import { createRandom, type Random } from '../support/random/random.ts';
import { missingRedisServer, startRedisServer } from '../support/redis/redis-server.ts';

const [REGISTRATIONS, OPERATIONS] = [Number(process.argv[2] ?? 1_000_000), Number(process.argv[3] ?? 100_000)];
const SEED = Number(process.argv[4] ?? Date.now() % 1_000_000);

/** Allowance for memory that the garbage collector has not freed. @unit bytes */
const ALLOWED_GROWTH = 33_554_432;

/** Defaults of the section `persisted`. */
const LIMITS = { maxEntries: 1_000, maxBytes: 16_777_216, timeToLiveMs: 86_400_000 } as const;
const MAX_SHARED_ENTRIES = 10_000;
const MAX_DOCUMENT_BYTES = 16_384;
const REGISTRATIONS_PER_MINUTE = 60;

/** Number of registrations after which the proof waits for Redis, so that no Redis command times out. */
const BATCH = 250;
/** Number of the last registrations that are checked for presence. */
const WATCHED = 20_000;

interface Sample {
  readonly rss: number;
  readonly redis: number;
}

setFlagsFromString('--expose-gc');
/** Memory is compared after garbage collections. */
const collect = runInNewContext('gc') as () => void;

const rows: Record<string, unknown>[] = [];

async function sampleOf(redis?: RedisClient): Promise<Sample> {
  collect();
  await new Promise(setImmediate);
  collect();
  const info = await redis?.run((commands) => commands.eval("return redis.call('INFO', 'memory')", 0));
  return { rss: process.memoryUsage().rss, redis: Number(/used_memory:(\d+)/.exec(String(info?.value))?.[1] ?? 0) };
}

function report(what: string, count: number, [early, late]: readonly [Sample, Sample], more: object = {}): void {
  const megabytes = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;
  const shared = late.redis === 0 ? {} : { 'Redis MB': megabytes(late.redis), 'Redis grown': megabytes(late.redis - early.redis) };
  rows.push({ what, count, 'RSS MB': megabytes(late.rss), 'RSS grown': megabytes(late.rss - early.rss), ...shared, ...more });
  assert.ok(late.rss - early.rss <= ALLOWED_GROWTH, `${what}: memory grew by ${megabytes(late.rss - early.rss)} MB`);
  assert.ok(late.redis - early.redis <= ALLOWED_GROWTH, `${what}: Redis grew by ${megabytes(late.redis - early.redis)} MB`);
}

/** Returns a text: usually short, sometimes of the maximum length, and sometimes longer. */
function textOf(random: Random, index: number): string {
  const length = random.chance(0.02) ? random.below(2 * MAX_DOCUMENT_BYTES) : random.below(300);
  return `{ a${index}: __typename } #${randomBytes(Math.ceil(length / 2)).toString('hex')}`;
}

async function flood(what: string, store: DocumentStore, redis?: RedisClient): Promise<ReadonlyMap<string, number>> {
  const random = createRandom(SEED);
  const quota = createRegistrationQuota(REGISTRATIONS_PER_MINUTE, systemClock);
  const documents = createAutomaticDocuments({ store, quota, maxDocumentBytes: MAX_DOCUMENT_BYTES });
  const latest = new Map<string, number>();
  let early: Sample | undefined;
  for (let index = 0; index < REGISTRATIONS; index += 1) {
    const text = textOf(random, index);
    const sha256 = sha256Of(text);
    documents.register(sha256, text, `client ${random.below(REGISTRATIONS)}`);
    latest.set(sha256, text.length);
    if (latest.size > WATCHED) latest.delete(latest.keys().next().value ?? '');
    if (redis !== undefined && index % BATCH === 0) await redis.run((commands) => commands.get('nothing'));
    if (early === undefined && index >= REGISTRATIONS / 5) early = await sampleOf(redis);
  }
  const stored = [...latest].filter(([sha256]) => store.has(sha256));
  const bytes = stored.reduce((sum, [, length]) => sum + length, 0);
  assert.ok(stored.length > 0 && stored.length <= LIMITS.maxEntries, `${what}: ${stored.length} documents are stored`);
  assert.ok(bytes <= LIMITS.maxBytes, `${what}: ${bytes} bytes are stored`);
  const late = await sampleOf(redis);
  const shared = await redis?.run((commands) => commands.eval("return redis.call('DBSIZE')", 0));
  if (redis !== undefined) {
    const keys = Number(shared?.value);
    // One further key stores the order of the registrations.
    assert.ok(keys > 1 && keys <= MAX_SHARED_ENTRIES + 1, `${what}: ${keys} keys are in Redis`);
  }
  report(what, REGISTRATIONS, [early ?? late, late], {
    stored: stored.length,
    ...(shared === undefined ? {} : { 'keys in Redis': shared.value }),
  });
  return latest;
}

async function floodRedis(): Promise<void> {
  await using server = await startRedisServer();
  await using redis = createSharedRedis({ urls: server.url, timeoutMs: 2_000, clock: systemClock, logger: silentLogger });
  while ((await redis.run((commands) => commands.get('nothing'))) === undefined) await new Promise(setImmediate);
  const memory = createMemoryDocumentStore(LIMITS, systemClock);
  const { timeToLiveMs } = LIMITS;
  await flood('registrations in Redis', createSharedDocumentStore({ memory, redis, maxEntries: MAX_SHARED_ENTRIES, timeToLiveMs }), redis);
}

/** Each set of fields is a different operation, and needs a different plan. */
const FIELDS = Array.from({ length: Math.ceil(Math.log2(OPERATIONS + 1)) }, (_, index) => `f${index}`);

async function floodPlans(): Promise<void> {
  const sdl = `type Query { thing: Thing } type Thing { ${FIELDS.map((name) => `${name}: Int`).join(' ')} }`;
  const composed = composeSubgraphs([{ name: 'things', url: 'http://127.0.0.1:9/', files: [{ path: 'things.graphql', text: sdl }] }]);
  assert.ok(!('errors' in composed));
  const thing = Object.fromEntries(FIELDS.map((name, index) => [name, index]));
  const executor: SubgraphExecutor = async () => ({ data: { thing } });
  await using gateway = await createGateway(
    { profile: 'dev', supergraph: { sdl: composed.supergraphSdl }, budget: { mode: 'off' } },
    { logger: silentLogger, subgraphExecutor: () => Object.assign(executor, { [Symbol.asyncDispose]: async () => undefined }) },
  );
  const { signal } = new AbortController();
  const common = { principal: ANONYMOUS, transport: 'graphql', headers: {}, correlationId: 'flood', signal } as const;
  const request = async (mask: number): Promise<void> => {
    const names = FIELDS.filter((_, index) => ((mask >> index) & 1) === 1);
    const { body } = await gateway.execute({ ...common, document: { text: `{ thing { ${names.join(' ')} } }` } });
    assert.equal(body, JSON.stringify({ data: { thing: Object.fromEntries(names.map((name) => [name, thing[name]])) } }));
  };
  const lanes = 8;
  let early: Sample | undefined;
  for (let mask = 1; mask <= OPERATIONS; mask += lanes) {
    await Promise.all(Array.from({ length: Math.min(lanes, OPERATIONS - mask + 1) }, (_, lane) => request(mask + lane)));
    if (early === undefined && mask >= OPERATIONS / 5) early = await sampleOf();
  }
  const late = await sampleOf();
  report('distinct operations', OPERATIONS, [early ?? late, late]);
}

process.stdout.write(`Seed ${SEED}\n`);
try {
  await flood('registrations in memory', createMemoryDocumentStore(LIMITS, systemClock));
  if (missingRedisServer() === undefined) await floodRedis();
  await floodPlans();
} finally {
  console.table(rows);
}
