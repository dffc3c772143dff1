/**
 * Measures how long small requests wait while the gateway makes one large response: 100,000 entities of two subgraphs, and 50 MB of one
 * subgraph. Prints the duration of the large response, and the waits of the small requests. Ends with exit code 1 when a goal is missed.
 *
 * Duration: about 1 minute
 *
 * `--before DIR` adds the build of another checkout, in alternating rounds. `--rounds 5` sets the number of rounds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { composeSubgraphs } from '../gateway/supergraph/compose-subgraphs.ts';
import type { LargeResult, LargeResultCommand, LargeResultReport } from './load/large-results-process.ts';
import { leaveGatewayCore } from './process/cores.ts';
import { type RunningTarget, startTarget } from './process/running-target.ts';
import { readUsage } from './process/process-tree.ts';
import { startWorker } from './process/worker.ts';
import { quantile } from './report/quantile.ts';
import { startPings } from './scale/start-pings.ts';
import { gatefold, gatefoldBefore } from './targets/gatefold.ts';
import { checkout } from './targets/paths.ts';
import type { Target } from './targets/target.ts';

/** Maximum p99 of the waits of small requests. @unit milliseconds */
const MAX_WAIT_MS = 50;
/** Maximum duration of the large response, as a multiple of that of the other checkout. */
const MAX_DURATION = 1.1;

const LOADS = {
  '100,000 entities': '{ items { id name price stock } }',
  '50 MB': '{ rows { id title summary count isNew } }',
} as const;

const SUBGRAPHS = {
  lists: `type Query { ping: String items: [Item!]! @listSize(assumedSize: 1) rows: [Row!]! @listSize(assumedSize: 1) }
    type Item @key(fields: "id") { id: ID! name: String }
    type Row { id: ID! title: String summary: String count: Int isNew: Boolean }`,
  prices: 'type Item @key(fields: "id") { id: ID! price: Float stock: Int }',
};

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@listSize"])`;

const SETTINGS = {
  GATEFOLD_SUBGRAPHS__MAX_RESPONSE_BYTES: '200000000',
  GATEFOLD_SUBGRAPHS__MAX_LARGE_RESPONSE_BYTES: '400000000',
  GATEFOLD_SUBGRAPHS__REQUEST_TIMEOUT_MS: '60000',
  GATEFOLD_LIMITS__MAX_COST: '100000000',
  GATEFOLD_BUDGET__ANONYMOUS__CAPACITY: '1000000000',
  GATEFOLD_BUDGET__ANONYMOUS__REFILL_PER_SECOND: '1000000000',
};

/** One large response, and the latencies of small requests during it. @unit milliseconds */
interface Sample {
  readonly load: string;
  readonly target: string;
  readonly durationMs: number;
  readonly waitsMs: readonly number[];
  readonly rssMb: number;
}

const { values } = parseArgs({ options: { before: { type: 'string' }, rounds: { type: 'string', default: '5' } } });
const targets: readonly Target[] = [gatefold, ...(values.before === undefined ? [] : [gatefoldBefore(values.before)])];

leaveGatewayCore();
using load = startWorker<LargeResultCommand, LargeResultReport>(new URL('load/large-results-process.ts', import.meta.url));
const { port } = (await load.hear()) as { readonly port: number };
const directory = mkdtempSync(join(tmpdir(), 'gatefold-large-'));
const samples: Sample[] = [];
const hashes = new Map<string, string>();
try {
  const supergraphFile = join(directory, 'supergraph.graphql');
  writeFileSync(supergraphFile, compose(`http://127.0.0.1:${port}/graphql`));
  const context = { directory, supergraphFile, subgraphs: {}, subgraphSdlFiles: {}, wholeUrl: '', responsesFile: '', gatefold: checkout };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      await using running = await startTarget(withSettings(target), context, isServed);
      for (const [name, query] of Object.entries(LOADS)) {
        // The first response is made by code that is not optimized yet.
        await largeResult(running, query);
        samples.push(await measure(running, { load: name, target: target.name, query }));
        console.log(`round ${round + 1}  ${target.name}  ${name}`);
      }
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = report() ? 0 : 1;

function compose(url: string): string {
  const subgraphs = Object.entries(SUBGRAPHS).map(([name, sdl]) => ({
    name,
    url,
    files: [{ path: `${name}.graphql`, text: `${LINK}\n${sdl}` }],
  }));
  const { supergraphSdl, errors } = composeSubgraphs(subgraphs);
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

function withSettings(target: Target): Target {
  return {
    ...target,
    async launch(context) {
      const launch = await target.launch(context);
      return { ...launch, env: { ...launch.env, ...SETTINGS } };
    },
  };
}

async function isServed(endpoint: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: '{"query":"{ping}"}' }).catch(() => undefined);
  return (await response?.text()) === '{"data":{"ping":"pong"}}';
}

async function largeResult({ origin, path }: RunningTarget, query: string): Promise<LargeResult> {
  load.report({ url: origin + path, query });
  const result = (await load.hear()) as LargeResult;
  if (result.status !== 200 || !result.beginning.startsWith('{"data":{'))
    throw new Error(`The large response is wrong: ${result.beginning}`);
  const known = hashes.get(query);
  if (known !== undefined && known !== result.hash) throw new Error('The large response differs from the one before.');
  hashes.set(query, result.hash);
  return result;
}

async function measure(running: RunningTarget, { query, ...sample }: { load: string; target: string; query: string }): Promise<Sample> {
  const pings = await startPings(running.origin + running.path);
  await wait(200);
  const { elapsedMs } = await largeResult(running, query);
  const { rssBytes } = readUsage(running.pid);
  await wait(200);
  const { latencies } = await pings.stop(running.pid, 0);
  return { ...sample, durationMs: elapsedMs, waitsMs: latencies, rssMb: rssBytes / 1_000_000 };
}

/** Prints the medians of the rounds. Returns whether the goals are reached. */
function report(): boolean {
  let isReached = true;
  const rows = Object.keys(LOADS).flatMap((name) => {
    const durations = new Map<string, number>();
    const found = targets.map((target) => {
      const own = samples.filter((sample) => sample.load === name && sample.target === target.name);
      const median = (figure: (sample: Sample) => number): number => Math.round(quantile(own.map(figure), 0.5) * 10) / 10;
      durations.set(
        target.name,
        median(({ durationMs }) => durationMs),
      );
      return {
        load: name,
        target: target.name,
        'large response, ms': durations.get(target.name),
        'longest wait, ms': median(({ waitsMs }) => Math.max(...waitsMs)),
        'p99 of waits, ms': median(({ waitsMs }) => quantile(waitsMs, 0.99)),
        'resident MB': median(({ rssMb }) => rssMb),
      };
    });
    const before = durations.get('gatefold-before');
    const ratio = before === undefined ? 0 : (durations.get('gatefold') ?? Number.NaN) / before;
    isReached &&= (found[0]?.['p99 of waits, ms'] ?? Number.NaN) <= MAX_WAIT_MS && ratio <= MAX_DURATION;
    if (before !== undefined)
      console.log(`${name}: the large response takes ${ratio.toFixed(2)} of the time before (goal: ${MAX_DURATION}).`);
    return found;
  });
  console.table(rows);
  console.log(`Goal: p99 of the waits at most ${MAX_WAIT_MS} ms.`);
  return isReached;
}
