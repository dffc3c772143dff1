/**
 * Measures whether the response times of HTTP Basic reveal which names exist, and whether a flood of failed logins delays other clients.
 * Ends with exit code 1 when the medians differ too much or when other clients wait too long. The gateway runs in a separate process. Its
 * limit of failed logins is raised, so that it checks every password. With the default configuration, it would reject all but ten logins
 * per minute unchecked.
 *
 * Duration: about 3 minutes
 *
 * `npm run bench logins [samples]`
 */
import { randomBytes, scryptSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { startSmallGraph } from '../tests/integration/reload/small-graph.ts';
import { startGatewayProcess } from '../tests/integration/reload/start-gateway-process.ts';

/** Maximum difference between the medians of known and unknown names. @unit percent */
const LARGEST_GAP = 2;
/** Maximum p99 of requests without credentials during the flood, as the median of the rounds. @unit milliseconds */
const LONGEST_P99 = 100;
const SAMPLES = Number(process.argv[2] ?? 2_000);
/** Number of rounds. Each one has a calm phase followed by a flood, so that changes in the load of the machine affect both. */
const ROUNDS = 5;
/** @unit milliseconds */
const ROUND_MS = 2_000;
/** Failed logins per second. */
const FLOOD_RATE = 500;
/** Requests of other clients per second. */
const OTHERS_RATE = 100;
/** Pause between a flood and the next calm phase. @unit milliseconds */
const SETTLE_MS = 500;

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

function hashOf(password: string): string {
  const salt = randomBytes(16);
  return `$scrypt$ln=14,r=8,p=1$${base64(salt)}$${base64(scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 }))}`;
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

const directory = await mkdtemp(join(tmpdir(), 'gatefold-logins-'));
const file = join(directory, 'users.json');
await writeFile(file, JSON.stringify({ users: [{ name: 'alice', password: hashOf('right') }] }));
await using graph = await startSmallGraph();
await using gateway = await startGatewayProcess({
  profile: 'dev',
  server: { port: 0, internalPort: 0 },
  supergraph: { sdl: graph.supergraphOf(0) },
  auth: { providers: { basic: { file, maxFailuresPerMinute: 1_000_000 } } },
  budget: { mode: 'off' },
  logging: { level: 'error' },
});
const logins = new Pool(gateway.url, { connections: 64 });
const visitors = new Pool(gateway.url, { connections: 8 });

/** Sends one request and returns its duration. @unit milliseconds */
async function request(pool: Pool, credentials?: string): Promise<number> {
  const headers = credentials === undefined ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const startedAt = performance.now();
  const { body } = await pool.request({ path: '/graphql?query={__typename}', method: 'GET', headers });
  await body.dump();
  return performance.now() - startedAt;
}

/** Sends requests at a constant rate, regardless of the responses. */
async function atRate(perSecond: number, forMs: number, one: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<unknown>[] = [];
  for (let elapsed = 0; elapsed < forMs; elapsed = performance.now() - startedAt) {
    while (running.length < (elapsed * perSecond) / 1_000) running.push(one());
    await wait(5);
  }
  await Promise.all(running);
}

async function othersDuring(forMs: number): Promise<readonly number[]> {
  const times: number[] = [];
  await atRate(OTHERS_RATE, forMs, async () => void times.push(await request(visitors)));
  return times;
}

const known: number[] = [];
const unknown: number[] = [];
for (let sample = 0; sample < SAMPLES; sample += 1) {
  // Known and unknown names are interleaved in random order, so that periodic disturbances affect both.
  const rounds = [
    () => request(logins, `alice:wrong${sample}`).then((ms) => known.push(ms)),
    () => request(logins, `nobody:wrong${sample}`).then((ms) => unknown.push(ms)),
  ];
  for (const round of Math.random() < 0.5 ? rounds : rounds.toReversed()) await round();
}
const medians = [quantile(known, 0.5), quantile(unknown, 0.5)] as const;
const gap = (Math.abs(medians[0] - medians[1]) / Math.min(...medians)) * 100;
console.log(
  `Known names ${medians[0].toFixed(2)} ms, unknown names ${medians[1].toFixed(2)} ms: difference ${gap.toFixed(2)} % (${SAMPLES} samples each).`,
);

const calm: number[] = [];
const flooded: number[] = [];
await othersDuring(SETTLE_MS);
for (let round = 0; round < ROUNDS; round += 1) {
  calm.push(quantile(await othersDuring(ROUND_MS), 0.99));
  const flood = atRate(FLOOD_RATE, ROUND_MS, () => request(logins, `nobody:${randomBytes(8).toString('hex')}`));
  flooded.push(quantile(await othersDuring(ROUND_MS), 0.99));
  await flood;
  await wait(SETTLE_MS);
}
const p99 = quantile(flooded, 0.5);
console.log(
  `Other clients, median p99 of ${ROUNDS} rounds: calm ${quantile(calm, 0.5).toFixed(2)} ms, ` +
    `with ${FLOOD_RATE} failed logins per second ${p99.toFixed(2)} ms (${flooded.map((ms) => ms.toFixed(1)).join(', ')})`,
);

await logins.close();
await visitors.close();
await rm(directory, { recursive: true });
if (gap > LARGEST_GAP || p99 > LONGEST_P99) process.exitCode = 1;
