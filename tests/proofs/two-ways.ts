/**
 * Sends generated and mutated HTTP requests, and those of the tests of llhttp, to two gateways: one reads plain requests itself, the other
 * leaves all of them to Node.js. Status, headers, body and the fate of the connection must be equal. Exits with 1 otherwise.
 *
 * Duration: about 30 minutes for 200,000 cases
 *
 * `LLHTTP_DIR=../llhttp npm run prove two-ways [cases] [seed]`: a checkout of nodejs/llhttp, whose tests are left out without it
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../support/random/random.ts';
import { exchangeBytes, type Observed, type Pace } from './two-ways/exchange-bytes.ts';
import { type ByteCase, FOLLOWER, generateCase, listCuts } from './two-ways/generate-case.ts';
import { readLlhttpTests } from './two-ways/read-llhttp-tests.ts';
import { startGateway } from './two-ways/start-gateway.ts';

const CASES = Number(process.argv[2] ?? 200_000);
const SEED = Number(process.argv[3] ?? Date.now() % 1_000_000);

const CONCURRENT = 48;
const PACE: Pace = { betweenMs: 3, quietMs: 1, probes: 2 };
/** Pace of cases without a response, which must not be missed because a gateway is slow. */
const PATIENT: Pace = { betweenMs: 3, quietMs: 400, probes: 6 };
/**
 * A difference counts only if it occurs each time, also at a slow pace, because the order of packets and responses is not determined. Cases
 * are repeated when all others are done, so that the gateways are not busy.
 */
const RETRIES: readonly Pace[] = [
  { betweenMs: 25, quietMs: 200, probes: 4 },
  { betweenMs: 100, quietMs: 400, probes: 6 },
  { betweenMs: 400, quietMs: 1_000, probes: 6 },
];
const CONCURRENT_RETRIES = 4;
const PRINTED = 10;

/** Longer than the gateway leaves a connection half open. @unit milliseconds */
const LINGER_MS = 2_000;
/** Maximum number of connections of a gateway in the end: those to subgraphs and that of the probe. */
const MAX_SOCKETS = 64;

const { LLHTTP_DIR: checkout = '' } = process.env;
if (checkout === '') console.warn('LEFT OUT  the tests of llhttp: LLHTTP_DIR is not set.');
const listed = checkout === '' ? [] : readLlhttpTests(checkout);

const gateways = await Promise.all([startGateway(true), startGateway(false)]);

type NamedCase = readonly [what: string, one: ByteCase];

const differences: string[] = [];
const unequal: NamedCase[] = [];
let compared = 0;
let silent = 0;

function areEqual(one: Observed, other: Observed): boolean {
  return one.bytes === other.bytes && one.fate === other.fate;
}

async function exchangeWithBoth(one: ByteCase, pace: Pace): Promise<readonly [Observed, Observed]> {
  return Promise.all([exchangeBytes(gateways[0], one, pace), exchangeBytes(gateways[1], one, pace)]);
}

async function compare(...[what, one]: NamedCase): Promise<void> {
  let pair = await exchangeWithBoth(one, PACE);
  if (pair.some(isSilent)) pair = await exchangeWithBoth(one, PATIENT);
  compared += 1;
  if (pair.every(isSilent)) silent += 1;
  if (!areEqual(...pair)) unequal.push([what, one]);
}

/** Whether nothing was observed: neither a response nor the end of the connection. */
function isSilent({ bytes, fate }: Observed): boolean {
  return bytes === '' && fate === 'open';
}

/** Repeats a case more slowly. */
async function compareAgain(...[what, one]: NamedCase): Promise<void> {
  let pair: readonly Observed[] = [];
  for (const pace of RETRIES) {
    const seen = await exchangeWithBoth(one, pace);
    if (areEqual(...seen)) return;
    pair = seen;
  }
  const [byGateway, byNode] = pair.map((observed) => JSON.stringify(observed));
  differences.push(`${what}: ${JSON.stringify(one)}\n  read by the gateway: ${byGateway}\n  read by Node.js:     ${byNode}`);
}

async function forEachCase(cases: Iterator<NamedCase, unknown, undefined>, concurrent: number, act: typeof compare): Promise<void> {
  const work = async (): Promise<void> => {
    for (let next = cases.next(); next.done !== true; next = cases.next()) await act(...next.value);
  };
  await Promise.all(Array.from({ length: concurrent }, work));
}

function* listCorpus(): Generator<NamedCase> {
  for (const { file, bytes } of listed) {
    for (const endsHalf of [false, true]) {
      yield [file, { packets: [bytes], endsHalf }];
      yield [file, { packets: [bytes + FOLLOWER], endsHalf }];
      // The same request with a host and a path that the gateway serves.
      const served = bytes.replace(/^([A-Z]+) \S+ (HTTP\/1\.1\r\n)/, '$1 /graphql $2Host: a\r\n');
      yield [file, { packets: [served, FOLLOWER], endsHalf }];
      for (const at of [1, bytes.length >> 1, bytes.length - 1])
        yield [file, { packets: [served.slice(0, at), served.slice(at)], endsHalf }];
    }
  }
  for (const one of listCuts()) yield ['cut', one];
}

function* generate(): Generator<NamedCase> {
  const random = createRandom(SEED);
  for (let index = 0; index < CASES; index += 1) yield [`case ${index}`, generateCase(random)];
}

const startedAt = performance.now();
console.log(`Seed ${SEED}, ${CASES} generated cases.`);
await forEachCase(listCorpus(), CONCURRENT, compare);
console.log(`${compared} listed cases.`);
await forEachCase(generate(), CONCURRENT, compare);
await forEachCase(unequal.values(), CONCURRENT_RETRIES, compareAgain);
const seconds = (performance.now() - startedAt) / 1_000;
const { plainResponses } = await gateways[0].figures();
await wait(LINGER_MS);
const left = await Promise.all(gateways.map((gateway) => gateway.figures()));
const sockets = Math.max(...left.map((figures) => figures.sockets));
for (const gateway of gateways) gateway.stop();
console.log(
  `${compared} cases, ${differences.length} differences, ${plainResponses} responses to plain requests, ${silent} cases without a response, ${unequal.length} cases repeated, at most ${sockets} connections left open, ${seconds.toFixed(0)} s.`,
);
for (const difference of differences.slice(0, PRINTED)) console.error(difference);
const isMeaningful = plainResponses > CASES / 10 && silent < compared / 5;
if (!isMeaningful) console.error('Too few cases received a response to prove anything.');
process.exitCode = differences.length === 0 && isMeaningful && sockets <= MAX_SOCKETS ? 0 : 1;
