/**
 * Compares one process of the gateway with two workers, and with two separate gateways, in alternating slices. Reports CPU time per request
 * and throughput. Counts whether a budget and idempotency keys hold across workers. Ends with exit code 1 when a goal is missed, and with 2
 * when the workers did not have two cores.
 *
 * Duration: about 2 minutes
 *
 * Clients and subgraph are one process that writes prepared bytes. The throughput is a result only for loads that leave both cores to the
 * workers. `--rounds 3` changes the number of slices of each configuration and load.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { composeSubgraphs } from '../gateway/supergraph/compose-subgraphs.ts';
import type { Slice, SliceCommand } from './load/measure-slice.ts';
import type { WorkersReport } from './load/workers-process.ts';
import { startWorker, type Worker } from './process/worker.ts';
import { countAcrossWorkers } from './workers/count-across-workers.ts';
import { type Gateways, startGateways } from './workers/gateways.ts';
import { WORKERS_LOADS, WORKERS_SDL, type WorkersLoad } from './workers/graph.ts';
import { type Comparison, compareSlices, isDisturbed, MAX_DISTURBANCE, percent } from './workers/compare-slices.ts';

const CONNECTIONS = 32;
/** @unit milliseconds */
const WARM_UP_MS = 2_500;
/** Time for connecting the clients of a slice. @unit milliseconds */
const CONNECT_MS = 200;
/** @unit milliseconds */
const SLICE_MS = 1_000;
/** Maximum number of measured rounds, as a multiple of those that count. */
const MAX_REPETITIONS = 4;

const CONFIGURATIONS = {
  one: { gateways: 1, workers: 1 },
  workers: { gateways: 1, workers: 2 },
  separate: { gateways: 2, workers: 1 },
} as const;
type Configuration = keyof typeof CONFIGURATIONS;
const NAMES = Object.keys(CONFIGURATIONS) as readonly Configuration[];

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '6' } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be an integer of at least 1.');

if (process.platform !== 'linux' || availableParallelism() < 2) {
  console.error('This benchmark needs Linux and two cores.');
  process.exit(2);
}
const directory = await mkdtemp(join(tmpdir(), 'gatefold-bench-workers-'));
try {
  process.exitCode = await run();
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function run(): Promise<number> {
  using load = startWorker<SliceCommand, WorkersReport>(new URL('load/workers-process.ts', import.meta.url));
  const report = await load.hear();
  if (!('subgraphUrl' in report)) throw new Error('Expected the URL of the subgraph as the first message.');
  const supergraphFile = join(directory, 'supergraph.graphql');
  await writeFile(supergraphFile, supergraphOf(report.subgraphUrl));
  const measured: LoadsResult[] = [];
  for (const isCharged of [false, true]) {
    const loads = WORKERS_LOADS.filter((one) => (one.isCharged ?? false) === isCharged);
    measured.push(await measureLoads({ loads, isCharged, supergraphFile, load }));
  }
  const comparisons = measured.flatMap((one) => one.comparisons);
  const disturbed = measured.reduce((sum, one) => sum + one.disturbed, 0);
  const isComplete = measured.every((one) => one.isComplete);
  console.table(comparisons.map(({ row }) => row));
  for (const { notes } of comparisons) for (const note of notes) console.log(note);
  console.log(`${disturbed} rounds were not counted, because other programs used more than ${percent(MAX_DISTURBANCE)} of the cores.`);
  const counts = await countAcrossWorkers({ directory, supergraphOf });
  console.table(counts.map(({ row }) => row));
  if ([...comparisons, ...counts].some(({ isMissed }) => isMissed)) return 1;
  return isComplete && comparisons.some(({ isWorkDecided }) => isWorkDecided) ? 0 : 2;
}

interface LoadsOptions {
  readonly loads: readonly WorkersLoad[];
  readonly isCharged: boolean;
  readonly supergraphFile: string;
  readonly load: Worker<SliceCommand, WorkersReport>;
}

interface LoadsResult {
  readonly comparisons: readonly Comparison[];
  /** Number of rounds that were repeated because other programs used the cores. */
  readonly disturbed: number;
  /** Whether all loads were measured in enough rounds without other programs. */
  readonly isComplete: boolean;
}

async function measureLoads({ loads, isCharged, supergraphFile, load }: LoadsOptions): Promise<LoadsResult> {
  const start = async (name: Configuration): Promise<Gateways> =>
    startGateways({ directory, supergraphFile, settings: settingsOf(isCharged), ...CONFIGURATIONS[name] });
  await using one = await start('one');
  await using workers = await start('workers');
  await using separate = await start('separate');
  const gateways = { one, workers, separate };
  const comparisons: Comparison[] = [];
  let disturbed = 0;
  for (const wanted of loads) {
    const { body, response } = await firstResponse(one, wanted);
    const measure = async (name: Configuration, warmUpMs: number): Promise<Slice> => {
      const { ports, pids } = gateways[name];
      load.report({ ports, pids, body, response, connections: CONNECTIONS, warmUpMs, durationMs: SLICE_MS });
      const slice = await load.hear();
      if ('subgraphUrl' in slice) throw new Error('Expected a slice, but the process reported its subgraph again.');
      if (slice.failures > 0) throw new Error(`${wanted.name}, ${name}: ${slice.failures} wrong responses. The first: ${slice.failure}`);
      return slice;
    };
    const slices: Record<Configuration, Slice[]> = { one: [], workers: [], separate: [] };
    for (const name of NAMES) await measure(name, WARM_UP_MS);
    for (let round = 0; round < rounds * MAX_REPETITIONS && slices.one.length < rounds; round += 1) {
      const measured: (readonly [Configuration, Slice])[] = [];
      for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed()) measured.push([name, await measure(name, CONNECT_MS)]);
      if (measured.some(([, slice]) => isDisturbed(slice))) disturbed += 1;
      else for (const [name, slice] of measured) slices[name].push(slice);
    }
    if (slices.one.length === rounds) comparisons.push(compareSlices(wanted.name, slices));
    else console.log(`${wanted.name}: not decided, because other programs used the cores.`);
  }
  return { comparisons, disturbed, isComplete: comparisons.length === loads.length };
}

/** The address of the clients has a budget that is never used up. */
function settingsOf(isCharged: boolean): object {
  const anonymous = isCharged ? { mode: 'enforce', capacity: 1_000_000_000_000, refillPerSecond: 1_000_000_000 } : { mode: 'rejections' };
  return {
    budget: { anonymous },
    graphql: { maxTokens: 10_000 },
    limits: { maxSelections: 10_000, modes: { cost: 'measure' } },
    logging: { level: 'error' },
    server: { shutdown: { lameDuckMs: 0 } },
  };
}

async function firstResponse({ ports: [port] }: Gateways, { query }: WorkersLoad) {
  const body = JSON.stringify({ query });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 200 || !text.startsWith('{"data":{')) throw new Error(`The gateway returns ${response.status}: ${text}`);
  return { body, response: text };
}

function supergraphOf(url: string): string {
  const composition = composeSubgraphs([{ name: 'items', url, files: [{ path: 'items.graphql', text: WORKERS_SDL }] }]);
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  return composition.supergraphSdl;
}
