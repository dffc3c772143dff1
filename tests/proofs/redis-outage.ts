/**
 * Kills, freezes and restarts Redis while two gateways serve requests. No request may fail, and p99 may rise by at most 60 ms.
 *
 * Duration: about 50 seconds
 *
 * Requires redis-server.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisServer, startRedisServer } from '../support/redis/redis-server.ts';
import { startSmallGraph } from '../integration/reload/small-graph.ts';
import { startGatewayProcess } from '../integration/reload/start-gateway-process.ts';
import { type LoadReport, loadAtFullSpeed } from './budget/full-speed.ts';
import { percentile } from '../support/time/percentile.ts';

/** @unit milliseconds */
const PHASE_MS = 6_000;
/** @unit milliseconds */
const ALLOWED_MS = 60;

/** Changes to Redis during the load. */
const PHASES: Readonly<Record<string, (redis: RedisServer) => Promise<void>>> = {
  'Redis is healthy': () => sleep(PHASE_MS),
  'Redis is killed': async (redis) => {
    await redis.kill();
    await sleep(PHASE_MS);
  },
  'Redis is restarted': async (redis) => {
    await redis.start();
    await sleep(PHASE_MS);
  },
  'Redis is frozen': async (redis) => {
    redis.freeze();
    await sleep(PHASE_MS);
  },
  'Redis continues': async (redis) => {
    redis.thaw();
    await sleep(PHASE_MS);
  },
};

await using redis = await startRedisServer();
await using graph = await startSmallGraph();
const config = {
  profile: 'dev',
  server: { port: 0, internalPort: 0 },
  supergraph: { sdl: graph.supergraphOf(0) },
  redis: { url: redis.url },
  budget: { mode: 'enforce', anonymous: { capacity: 1_000_000, refillPerSecond: 10_000 } },
} as const;
await using first = await startGatewayProcess(config);
await using second = await startGatewayProcess(config);

async function measure(happen: (redis: RedisServer) => Promise<void>): Promise<LoadReport> {
  let isOver = false;
  const load = [first, second].map(({ url }) => loadAtFullSpeed({ url, clients: 8, pauseMs: 10, goesOn: () => !isOver }));
  await happen(redis);
  isOver = true;
  const reports = await Promise.all(load);
  const statuses = new Map<number, number>();
  for (const report of reports) for (const [status, count] of report.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
  return { statuses, durationsMs: reports.flatMap(({ durationsMs }) => durationsMs).toSorted((a, b) => a - b) };
}

await measure(() => sleep(2_000)); // Runs until frequently requested operations are compiled.
let usualMs: number | undefined;
for (const [name, happen] of Object.entries(PHASES)) {
  const report = await measure(happen);
  const p99 = percentile(report.durationsMs, 0.99);
  usualMs ??= p99;
  const isRight = [...report.statuses.keys()].every((status) => status === 200) && p99 <= usualMs + ALLOWED_MS;
  const statuses = [...report.statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  process.stdout.write(`${isRight ? 'passed' : 'FAILED'}: ${name}: ${statuses}; p99 ${p99.toFixed(1)} ms\n`);
  if (!isRight) process.exitCode = 1;
}
