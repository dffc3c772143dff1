/**
 * Lets one caller send requests to two gateway processes that share one Redis, as fast as they respond. The granted requests must equal the
 * capacity of the budget plus the refill in that time, within one percent.
 *
 * Duration: about 20 seconds
 *
 * Requires redis-server.
 */
import { startRedisServer } from '../support/redis/redis-server.ts';
import { startSmallGraph } from '../integration/reload/small-graph.ts';
import { startGatewayProcess } from '../integration/reload/start-gateway-process.ts';
import { loadAtFullSpeed } from './budget/full-speed.ts';

const RATE = { capacity: 1_000, refillPerSecond: 100 };
/** @unit milliseconds */
const DURATION_MS = 10_000;
const CLIENTS_OF_EACH = 8;
const TOLERANCE = 0.01;

await using redis = await startRedisServer();
await using graph = await startSmallGraph();
const config = {
  profile: 'dev',
  server: { port: 0, internalPort: 0 },
  supergraph: { sdl: graph.supergraphOf(0) },
  redis: { url: redis.url },
  budget: { mode: 'enforce', anonymous: RATE },
} as const;
await using first = await startGatewayProcess(config);
await using second = await startGatewayProcess(config);

const startedAt = performance.now();
const goesOn = (): boolean => performance.now() - startedAt < DURATION_MS;
const reports = await Promise.all([first, second].map(({ url }) => loadAtFullSpeed({ url, clients: CLIENTS_OF_EACH, goesOn })));
const seconds = (performance.now() - startedAt) / 1_000;

const count = (status: number): number => reports.reduce((sum, { statuses }) => sum + (statuses.get(status) ?? 0), 0);
const allowed = count(200);
const due = RATE.capacity + RATE.refillPerSecond * seconds;
const isRight = Math.abs(allowed / due - 1) <= TOLERANCE && count(429) > 0;
process.stdout.write(
  `${isRight ? 'passed' : 'FAILED'}: ${allowed} granted and ${count(429)} rejected in ${seconds.toFixed(1)} s; ` +
    `expected ${due.toFixed(0)} (${((allowed / due - 1) * 100).toFixed(2)} %)\n`,
);
process.exitCode = isRight ? 0 : 1;
