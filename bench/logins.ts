/**
 * Measures whether HTTP Basic tells by its time which names it knows, and whether a flood of bad logins is felt by others. Ends with 1 when
 * the medians are further apart than they may be, or when others wait for longer than they may. The gateway has a process of its own.
 * It looks at every guess: as it is configured by default it would send all but ten a minute away unseen.
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

/** Between the medians of known and unknown names. @unit percent */
const LARGEST_GAP = 2;
/** Of requests without credentials during the flood: the median of the rounds. @unit milliseconds */
const LONGEST_P99 = 100;
const SAMPLES = Number(process.argv[2] ?? 2_000);
/** Each is calm first, and then flooded, so that what else the machine does meets both. */
const ROUNDS = 5;
/** @unit milliseconds */
const ROUND_MS = 2_000;
/** Bad logins a second. */
const FLOOD_RATE = 500;
/** Requests of others a second. */
const OTHERS_RATE = 100;
/** Flooding stops so long before the next calm begins. @unit milliseconds */
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

/** @returns how long it took. @unit milliseconds */
async function ask(pool: Pool, credentials?: string): Promise<number> {
  const headers = credentials === undefined ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const startedAt = performance.now();
  const { body } = await pool.request({ path: '/graphql?query={__typename}', method: 'GET', headers });
  await body.dump();
  return performance.now() - startedAt;
}

/** Asks at a steady rate, whether answers come or not. */
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
  await atRate(OTHERS_RATE, forMs, async () => void times.push(await ask(visitors)));
  return times;
}

const known: number[] = [];
const unknown: number[] = [];
for (let sample = 0; sample < SAMPLES; sample += 1) {
  // Interleaved, and by chance who is first: whatever else comes in a rhythm meets both.
  const rounds = [
    () => ask(logins, `alice:wrong${sample}`).then((ms) => known.push(ms)),
    () => ask(logins, `nobody:wrong${sample}`).then((ms) => unknown.push(ms)),
  ];
  for (const round of Math.random() < 0.5 ? rounds : rounds.toReversed()) await round();
}
const medians = [quantile(known, 0.5), quantile(unknown, 0.5)] as const;
const gap = (Math.abs(medians[0] - medians[1]) / Math.min(...medians)) * 100;
console.log(`known ${medians[0].toFixed(2)} ms, unknown ${medians[1].toFixed(2)} ms: ${gap.toFixed(2)} % apart (${SAMPLES} each)`);

const calm: number[] = [];
const flooded: number[] = [];
await othersDuring(SETTLE_MS);
for (let round = 0; round < ROUNDS; round += 1) {
  calm.push(quantile(await othersDuring(ROUND_MS), 0.99));
  const flood = atRate(FLOOD_RATE, ROUND_MS, () => ask(logins, `nobody:${randomBytes(8).toString('hex')}`));
  flooded.push(quantile(await othersDuring(ROUND_MS), 0.99));
  await flood;
  await wait(SETTLE_MS);
}
const p99 = quantile(flooded, 0.5);
console.log(
  `others, p99 in the median of ${ROUNDS} rounds: calm ${quantile(calm, 0.5).toFixed(2)} ms, ` +
    `under ${FLOOD_RATE} bad logins a second ${p99.toFixed(2)} ms (${flooded.map((ms) => ms.toFixed(1)).join(', ')})`,
);

await logins.close();
await visitors.close();
await rm(directory, { recursive: true });
if (gap > LARGEST_GAP || p99 > LONGEST_P99) process.exitCode = 1;
