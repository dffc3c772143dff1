/**
 * Measures how the cost of a gateway grows with its supergraph, from 10 to 500 subgraphs: time and CPU until it is ready, memory, the
 * responses to 200 new operations of each of three sizes, and the longest wait of other requests while the supergraph is reloaded.
 *
 * Gatefold starts twice. The first start finds no stored indexes of the supergraph, and reloads follow, whose supergraphs are new too. The
 * second start finds them. The new operations follow, and then reloads before which the most used operations are planned again. The figures
 * of reloads are medians of three, because the longest wait of one depends on everything else that the machine does. For the same reason,
 * the new operations of supergraphs with up to 50 subgraphs are measured in three interleaved rounds with a start each (`--rounds`).
 *
 * Also measures the planning of all fields of an entity, each of another subgraph, with the planners of Gatefold and of Apollo.
 *
 * Prints tables, the growth exponents of the columns, and which goals are reached. The subgraphs resolve all operations, and each response
 * is compared with the expected one.
 *
 * Duration: about 25 minutes with all sizes and peers; 2 minutes with 500 subgraphs and Gatefold alone
 *
 * `--targets gatefold,stock,hive,hive-router,apollo-router` selects the gateways. The routers need the environment variables of
 * `npm run bench native`. `--before DIR` adds the build of another checkout. Reloads are measured for the gateways that follow a file.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { leaveGatewayCore } from './process/cores.ts';
import { readUsage } from './process/process-tree.ts';
import { type RunningTarget, startTarget } from './process/running-target.ts';
import { isReached } from './report/goals.ts';
import { quantile } from './report/quantile.ts';
import { classifyScale, type FirstResponseFigures, type ScaleFigures } from './report/scale-goals.ts';
import { type FirstResponses, measureFirstResponses, postQuery } from './scale/first-responses.ts';
import { growthExponent } from './scale/growth-exponent.ts';
import { type GraphSize, SIZES, writeLargeSupergraph } from './scale/large-supergraph.ts';
import { OPERATION_SIZES, type OperationSize } from './scale/new-operations.ts';
import { startPings } from './scale/start-pings.ts';
import { startSubgraphs } from './scale/start-subgraphs.ts';
import { measureWidePlans, type WidePlan } from './scale/wide-entity.ts';
import { gatefold, gatefoldBefore } from './targets/gatefold.ts';
import { installPeers } from './targets/install-peers.ts';
import { apolloRouter, hiveRouterFollowing } from './targets/native-routers.ts';
import { checkout } from './targets/paths.ts';
import { hive, stock } from './targets/peers.ts';
import { type Target, TargetMissing } from './targets/target.ts';

/** Results of one gateway with one supergraph. Times in milliseconds, memory in megabytes; absent values were not measured. */
interface Row extends ScaleFigures {
  /** Figures of a start that finds no stored indexes, like `readyMs`, `readyCpuMs` and `rssMb`. */
  readonly unstoredMs?: number;
  readonly unstoredRssMb?: number;
  readonly p99Ms?: number;
  readonly reloadMs?: number;
  readonly peakRssMb?: number;
  /** Figures of a reload after the new operations. Gatefold plans 100 of them again before it serves the change. */
  readonly usedReloadMs?: number;
  readonly usedReloadCpuMs?: number;
}

/** Number of reloads whose median is reported. */
const RELOADS = 3;
/** Maximum number of subgraphs of the supergraphs whose new operations are measured in several rounds. */
const MAX_SUBGRAPHS_OF_ROUNDS = 50;
/** Maximum share of unexpected responses of a gateway whose first responses are reported. */
const MAX_FAILURES = 0.02;
const CALM_MS = 1_000;
/** Pause after a start without stored indexes. The thread that has read the supergraph is replaced a second after the start. */
const UNSTORED_CALM_MS = 4_000;
const START_TIMEOUT_MS = 180_000;
const RELOAD_TIMEOUT_MS = 120_000;
const SAMPLE_MS = 50;
const MEGABYTE = 1_000_000;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: 's10,s50,s200,s500' },
    targets: { type: 'string', default: 'gatefold,stock,hive,hive-router,apollo-router' },
    before: { type: 'string' },
    rounds: { type: 'string', default: '3' },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`Expected --rounds of at least 1 instead of ${values.rounds}.`);
const targets: readonly Target[] = [
  ...(values.before === undefined ? [] : [gatefoldBefore(values.before)]),
  ...named('--targets', values.targets, [gatefold, stock, hive, hiveRouterFollowing, apolloRouter]),
];
const sizes = named('--sizes', values.sizes, SIZES);
if (targets.some(({ isPeer }) => isPeer)) installPeers();

leaveGatewayCore();
const rows: Row[] = [];
for (const size of sizes) rows.push(...(await measureSize(size)));
const plans: WidePlan[] = [];
for (const { subgraphs } of sizes) plans.push(...(await measureWidePlans(subgraphs)));
console.table(rows);
console.table(plans);
console.table(Object.fromEntries(targets.map(({ name }) => [name, exponentsOf(name)])));
console.table(
  classifyScale(rows, plans, { ...exponentsOf('gatefold'), ...planExponent() }).map((goal) => ({
    goal: goal.name,
    bound: goal.bound,
    measured: goal.measured === undefined ? '' : round(goal.measured),
    reached: isReached(goal) ?? '',
  })),
);

/** Returns the selected elements. @param names names with commas between them @throws Error when a name is unknown */
function named<Element extends { readonly name: string }>(option: string, names: string, all: readonly Element[]): readonly Element[] {
  const selected = new Set(names.split(','));
  const known = all.map(({ name }) => name);
  const unknown = [...selected].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`${option} expects names of ${known.join(', ')} instead of ${unknown.join(', ')}.`);
  return all.filter(({ name }) => selected.has(name));
}

/** Measures all gateways with one supergraph. */
async function measureSize(size: GraphSize): Promise<readonly Row[]> {
  const measured: { readonly target: Target; readonly row: Row; readonly figures: FirstResponseFigures[] }[] = [];
  for (const target of targets) {
    process.stdout.write(`${size.name} ${target.name} ...\n`);
    try {
      const row = await measure(target, size);
      measured.push({ target, row, figures: [row] });
    } catch (error) {
      if (!(error instanceof TargetMissing)) throw error;
      process.stdout.write(`  left out: ${error.message}\n`);
    }
  }
  for (let round = 2; round <= roundsOf(size); round += 1) {
    process.stdout.write(`${size.name} new operations, round ${round} ...\n`);
    for (const { target, figures } of measured) figures.push(await measureAgain(target, size));
  }
  return measured.map(({ row, figures }) => Object.assign(row, mediansOf(figures)));
}

/** Returns the number of rounds of the new operations. Those of large supergraphs differ by more than the error of one round. */
function roundsOf({ subgraphs }: GraphSize): number {
  return subgraphs <= MAX_SUBGRAPHS_OF_ROUNDS ? rounds : 1;
}

/** Returns the median of each figure that all rounds have. */
function mediansOf(all: readonly FirstResponseFigures[]): FirstResponseFigures {
  const columns = OPERATION_SIZES.flatMap((kind) => [`${kind}Ms`, `${kind}CpuMs`] as const);
  const medians = columns.flatMap((column) => {
    const values = all.map((one) => one[column]).filter((value) => value !== undefined);
    return values.length < all.length ? [] : [[column, quantile(values, 0.5)] as const];
  });
  return Object.fromEntries(medians);
}

async function measure(target: Target, size: GraphSize): Promise<Row> {
  using graph = await startLargeGraph(size);
  const first = target.isPeer === true ? undefined : await startFirst(following(target), graph, graph.changes(2));
  graph.restore();
  await using running = await startTarget(following(target), graph.context, isServed, START_TIMEOUT_MS);
  const ready = readUsage(running.pid);
  await wait(CALM_MS);
  const calm = readUsage(running.pid);
  const responses = await measureFirstResponses(running.origin + running.path, running.pid, size);
  reportFailures(responses, target);
  const base = {
    target: target.name,
    size: size.name,
    readyMs: Math.round(running.readyMs),
    readyCpuMs: Math.round(ready.cpuMs),
    ...first,
    rssMb: Math.round(calm.rssBytes / MEGABYTE),
    ...figuresOf(responses),
  };
  if (target.isPeer === true) return base;
  const { longestWaitMs, reloadMs, reloadCpuMs } = await reloadEach(running, graph.changes(2 + RELOADS));
  return { ...base, usedWaitMs: longestWaitMs, usedReloadMs: reloadMs, usedReloadCpuMs: reloadCpuMs };
}

/** Measures the responses to new operations once more. */
async function measureAgain(target: Target, size: GraphSize): Promise<FirstResponseFigures> {
  using graph = await startLargeGraph(size);
  if (target.isPeer !== true) {
    await using _unstored = await startTarget(target, graph.context, isServed, START_TIMEOUT_MS);
    await wait(UNSTORED_CALM_MS);
  }
  await using running = await startTarget(target, graph.context, isServed, START_TIMEOUT_MS);
  await wait(CALM_MS);
  const responses = await measureFirstResponses(running.origin + running.path, running.pid, size);
  reportFailures(responses, target);
  return figuresOf(responses);
}

/** A generated supergraph in a file, and the server of its subgraphs. */
interface LargeGraph extends Disposable {
  readonly context: Parameters<typeof startTarget>[1];
  /** Prepares changes, so that writing them does not delay the requests that are measured. @param first number of the first added field */
  changes(first: number): readonly Change[];
  /** Writes the supergraph without changes. */
  restore(): void;
}

async function startLargeGraph(size: GraphSize): Promise<LargeGraph> {
  const directory = mkdtempSync(join(tmpdir(), 'gatefold-scale-'));
  const supergraphFile = join(directory, 'supergraph.graphql');
  const subgraphs = await startSubgraphs(size);
  const sdl = writeLargeSupergraph(size, () => subgraphs.url);
  const restore = (): void => writeFileSync(supergraphFile, sdl);
  restore();
  return {
    context: { directory, supergraphFile, subgraphs: {}, subgraphSdlFiles: {}, wholeUrl: '', responsesFile: '', gatefold: checkout },
    changes: (first) => changesTo(supergraphFile, sdl, first),
    restore,
    [Symbol.dispose]() {
      subgraphs[Symbol.dispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Change of the supergraph that adds a field to the root type. */
interface Change {
  readonly field: string;
  write(): Promise<void>;
}

function changesTo(supergraphFile: string, sdl: string, first: number): readonly Change[] {
  return Array.from({ length: RELOADS }, (_, index) => {
    const field = `ping${first + index}`;
    const bytes = Buffer.from(sdl.replace('  ping: String', `  ${field}: String\n  ping: String`));
    return {
      field,
      async write() {
        await writeFile(`${supergraphFile}.new`, bytes);
        await rename(`${supergraphFile}.new`, supergraphFile);
      },
    };
  });
}

/** Starts a gateway that has not stored indexes of the supergraph yet, reloads changed supergraphs, and ends it. */
async function startFirst(target: Target, { context }: LargeGraph, changes: readonly Change[]): Promise<Partial<Row>> {
  await using running = await startTarget(target, context, isServed, START_TIMEOUT_MS);
  const { cpuMs } = readUsage(running.pid);
  await wait(UNSTORED_CALM_MS);
  const { rssBytes } = readUsage(running.pid);
  const unstored = {
    unstoredMs: Math.round(running.readyMs),
    unstoredCpuMs: Math.round(cpuMs),
    unstoredRssMb: Math.round(rssBytes / MEGABYTE),
  };
  return { ...unstored, ...(await reloadEach(running, changes)) };
}

/** Lets Gatefold check the supergraph file often, so that a reload starts soon after a change. */
function following(target: Target): Target {
  if (target.isPeer === true) return target;
  return {
    ...target,
    async launch(context) {
      const launch = await target.launch(context);
      return { ...launch, env: { ...launch.env, GATEFOLD_SUPERGRAPH__POLL_INTERVAL_MS: '250' } };
    },
  };
}

async function isServed(endpoint: string): Promise<boolean> {
  return (await postQuery(endpoint, '{ping}').catch(() => '')).trim() === '{"data":{"ping":"pong"}}';
}

/** @throws Error when Gatefold has sent an unexpected response */
function reportFailures(responses: Readonly<Record<OperationSize, FirstResponses>>, target: Target): void {
  for (const kind of OPERATION_SIZES) {
    const { sent, failures, failure = '' } = responses[kind];
    if (failures === 0) continue;
    const text = `${target.name}: ${failures} of ${sent} responses to ${kind} operations are wrong, such as ${failure}`;
    if (target.name.startsWith('gatefold')) throw new Error(text);
    process.stdout.write(`  ${text}\n`);
  }
}

/** Returns the figures of the sizes of operations of which nearly all had the expected response. */
function figuresOf(responses: Readonly<Record<OperationSize, FirstResponses>>): FirstResponseFigures {
  const counted = OPERATION_SIZES.filter((kind) => responses[kind].failures <= MAX_FAILURES * responses[kind].sent);
  return Object.fromEntries(
    counted.flatMap((kind) => {
      const { p50Ms, cpuMs } = responses[kind];
      return [
        [`${kind}Ms`, round(p50Ms)],
        [`${kind}CpuMs`, round(cpuMs)],
      ];
    }),
  );
}

type ReloadFigures = Readonly<Record<'longestWaitMs' | 'p99Ms' | 'reloadMs' | 'reloadCpuMs' | 'peakRssMb', number>>;

/** Reloads one change after another. @returns the medians of the figures */
async function reloadEach(running: RunningTarget, changes: readonly Change[]): Promise<ReloadFigures> {
  const all: ReloadFigures[] = [];
  for (const change of changes) all.push(await reload(running, change));
  const figures = Object.keys(all[0] ?? {}) as (keyof ReloadFigures)[];
  const medians = figures.map((figure) => [
    figure,
    quantile(
      all.map((one) => one[figure]),
      0.5,
    ),
  ]);
  return Object.fromEntries(medians) as ReloadFigures;
}

async function reload(running: RunningTarget, change: Change): Promise<ReloadFigures> {
  const pings = await startPings(running.origin + running.path);
  const before = readUsage(running.pid);
  const startedAt = performance.now();
  let peak = 0;
  await change.write();
  while (!(await postQuery(running.origin + running.path, `{${change.field}}`)).startsWith('{"data"')) {
    peak = Math.max(peak, readUsage(running.pid).rssBytes);
    if (performance.now() - startedAt > RELOAD_TIMEOUT_MS) throw new Error('The reload did not end.');
    await wait(SAMPLE_MS);
  }
  const reloadMs = performance.now() - startedAt;
  await wait(CALM_MS);
  const { latencies, cpuMs } = await pings.stop(running.pid, before.cpuMs);
  return {
    longestWaitMs: round(Math.max(...latencies)),
    p99Ms: round(quantile(latencies, 0.99)),
    reloadMs: Math.round(reloadMs),
    reloadCpuMs: Math.round(cpuMs),
    peakRssMb: Math.round(peak / MEGABYTE),
  };
}

/** Returns the growth exponents of the columns that were measured with several sizes. */
function exponentsOf(target: string): Readonly<Record<string, number>> {
  const columns = [
    ...(['readyMs', 'readyCpuMs', 'unstoredMs', 'rssMb', 'smallMs', 'mediumMs', 'largeMs', 'longestWaitMs', 'reloadCpuMs'] as const),
    'peakRssMb',
    'usedWaitMs',
    'usedReloadCpuMs',
  ] as const;
  const own = rows.filter((row) => row.target === target);
  const fits = columns.flatMap((column) => {
    const points = own.flatMap((row) => {
      const size = sizes.find((one) => one.name === row.size);
      const value = row[column];
      return size === undefined || value === undefined ? [] : [{ x: size.entities + size.ownTypes + size.sharedTypes, y: value }];
    });
    return points.length < 2 ? [] : [[column, round(growthExponent(points))] as const];
  });
  return Object.fromEntries(fits);
}

/** Returns the growth exponent of the planning time of Gatefold. */
function planExponent(): Readonly<Record<string, number>> {
  const points = plans.flatMap(({ planner, fields, planMs }) =>
    planner !== 'gatefold' || planMs === undefined ? [] : [{ x: fields, y: planMs }],
  );
  return points.length < 2 ? {} : { planMs: round(growthExponent(points)) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
