/**
 * Sends generated and mutated HTTP requests, and those of the tests of llhttp, to two gateways: one reads plain requests itself, the other
 * leaves all of them to Node.js. Status, headers, body and the fate of the connection must be equal. Exits with 1 otherwise.
 *
 * Duration: about 90 minutes for 200,000 cases
 *
 * `LLHTTP_DIR=../llhttp npm run prove two-ways [cases] [seed]`: a checkout of nodejs/llhttp, whose tests are left out without it
 */
import { PlainResponse } from '../../gateway/platform/http/plain/plain-response.ts';
import { startShopGraph } from '../fixtures/shop-graph.ts';
import { createRandom } from '../support/random/random.ts';
import { exchangeBytes, type Observed, type Pace } from './two-ways/exchange-bytes.ts';
import { type ByteCase, FOLLOWER, generateCase, listCuts } from './two-ways/generate-case.ts';
import { readLlhttpTests } from './two-ways/read-llhttp-tests.ts';

const CASES = Number(process.argv[2] ?? 200_000);
const SEED = Number(process.argv[3] ?? Date.now() % 1_000_000);

const CONCURRENT = 48;
const PACE: Pace = { betweenMs: 3, quietMs: 60 };
/** A difference counts only if it occurs each time, also at a slow pace, because the order of packets and responses is not determined. */
const RETRIES: readonly Pace[] = [
  { betweenMs: 25, quietMs: 300 },
  { betweenMs: 60, quietMs: 600 },
];
const PRINTED = 10;

const { LLHTTP_DIR: checkout = '' } = process.env;
if (checkout === '') console.warn('LEFT OUT  the tests of llhttp: LLHTTP_DIR is not set.');
const listed = checkout === '' ? [] : readLlhttpTests(checkout);

await using read = await startShopGraph({ config: { server: { plainReader: true } } });
await using left = await startShopGraph({ config: { server: { plainReader: false } } });
const urls = [new URL(read.url), new URL(left.url)] as const;

let plainResponses = 0;
const { end } = PlainResponse.prototype;
PlainResponse.prototype.end = function countedEnd(this: PlainResponse, chunk) {
  plainResponses += 1;
  return end.call(this, chunk);
};

const differences: string[] = [];
let isolated = Promise.resolve();
let retried = 0;

function areEqual(one: Observed, other: Observed): boolean {
  return one.bytes === other.bytes && one.fate === other.fate;
}

async function compare(what: string, one: ByteCase): Promise<void> {
  const [first, second] = await Promise.all(urls.map((url) => exchangeBytes(url, one, PACE)));
  if (first === undefined || second === undefined || areEqual(first, second)) return;
  isolated = isolated.then(() => compareAlone(what, one));
  await isolated;
}

/** Repeats a case on its own, more slowly. */
async function compareAlone(what: string, one: ByteCase): Promise<void> {
  retried += 1;
  const seen: (readonly [Observed, Observed])[] = [];
  for (const pace of RETRIES) {
    const pair = [await exchangeBytes(urls[0], one, pace), await exchangeBytes(urls[1], one, pace)] as const;
    if (areEqual(...pair)) return;
    seen.push(pair);
  }
  differences.push(
    `${what}: ${JSON.stringify(one)}\n  read by the gateway: ${JSON.stringify(seen[0]?.[0])}\n  read by Node.js:     ${JSON.stringify(seen[0]?.[1])}`,
  );
}

async function compareAll(cases: Iterator<readonly [string, ByteCase], unknown, undefined>): Promise<void> {
  const work = async (): Promise<void> => {
    for (let next = cases.next(); next.done !== true; next = cases.next()) await compare(...next.value);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
}

function* listCorpus(): Generator<readonly [string, ByteCase]> {
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

function* generate(): Generator<readonly [string, ByteCase]> {
  const random = createRandom(SEED);
  for (let index = 0; index < CASES; index += 1) yield [`case ${index}`, generateCase(random)];
}

const startedAt = performance.now();
console.log(`Seed ${SEED}, ${CASES} generated cases.`);
await compareAll(listCorpus());
console.log(`Listed cases: ${differences.length} differences, ${plainResponses} responses to plain requests.`);
await compareAll(generate());
const seconds = (performance.now() - startedAt) / 1_000;
console.log(
  `${differences.length} differences, ${plainResponses} responses to plain requests, ${retried} cases repeated, ${seconds.toFixed(0)} s.`,
);
for (const difference of differences.slice(0, PRINTED)) console.error(difference);
process.exitCode = differences.length === 0 && plainResponses > CASES / 10 ? 0 : 1;
