import { randomBytes, scryptSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startLibraryGateway } from '../tests/fixtures/library-graph.ts';

// Whether HTTP Basic tells by its time which names it knows, and whether a flood of bad logins is felt by others. Ends with 1
// when the medians are further apart than they may be, or when others wait for longer than they may.
// Run: npx tsx bench/logins.ts [samples]

/** Between the medians of known and unknown names. @unit percent */
const LARGEST_GAP = 2;
/** Of requests without credentials during the flood. @unit milliseconds */
const LONGEST_P99 = 100;
const SAMPLES = Number(process.argv[2] ?? 2_000);
const FLOOD_MS = 5_000;
/** Bad logins a second. */
const FLOOD_RATE = 500;

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
const gateway = await startLibraryGateway({ config: { auth: { providers: { basic: { file } } }, budget: { mode: 'off' } } });

/** @returns how long it took. @unit milliseconds */
async function ask(credentials?: string): Promise<number> {
  const headers = credentials === undefined ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const startedAt = performance.now();
  await (await fetch(`${gateway.url}/graphql?query={__typename}`, { headers })).arrayBuffer();
  return performance.now() - startedAt;
}

const known: number[] = [];
const unknown: number[] = [];
for (let sample = 0; sample < SAMPLES; sample += 1) {
  // Interleaved, and in turns who is first.
  const rounds = [
    () => ask(`alice:wrong${sample}`).then((ms) => known.push(ms)),
    () => ask(`nobody:wrong${sample}`).then((ms) => unknown.push(ms)),
  ];
  for (const round of sample % 2 === 0 ? rounds : rounds.toReversed()) await round();
}
const medians = [quantile(known, 0.5), quantile(unknown, 0.5)] as const;
const gap = (Math.abs(medians[0] - medians[1]) / Math.min(...medians)) * 100;
console.log(`known ${medians[0].toFixed(2)} ms, unknown ${medians[1].toFixed(2)} ms: ${gap.toFixed(2)} % apart (${SAMPLES} each)`);

const flood: Promise<number>[] = [];
const others: number[] = [];
const floodEndsAt = performance.now() + FLOOD_MS;
const timer = setInterval(() => {
  for (let n = 0; n < FLOOD_RATE / 100; n += 1) flood.push(ask(`nobody:${randomBytes(8).toString('hex')}`));
}, 10);
while (performance.now() < floodEndsAt) others.push(await ask());
clearInterval(timer);
await Promise.all(flood);
const p99 = quantile(others, 0.99);
console.log(
  `${flood.length} bad logins in ${FLOOD_MS} ms: ${others.length} others, p50 ${quantile(others, 0.5).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
);

await gateway[Symbol.asyncDispose]();
await rm(directory, { recursive: true });
if (gap > LARGEST_GAP || p99 > LONGEST_P99) process.exitCode = 1;
