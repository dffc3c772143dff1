/**
 * Measures how the cost of a gateway grows with its supergraph, from 10 to 500 subgraphs: time and CPU until it is ready, memory, the first
 * responses of new operations, and the longest wait of other requests while the supergraph is reloaded. Gatefold starts twice: the first
 * start finds no stored indexes of the supergraph. The reload is compared with that start, because its supergraph is new too. Prints a
 * table, the growth exponents of its columns, and which goals are reached.
 *
 * Duration: about 3 minutes with `--sizes s10,s50,s200`, 15 minutes with all sizes and peers
 *
 * `--targets gatefold,stock,hive,hive-router,apollo-router` selects the gateways. The routers need the environment variables of
 * `npm run bench native`. `--before DIR` adds the build of another checkout. Reloads are measured for the gateways that follow a file.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { leaveGatewayCore } from './process/cores.ts';
import { readUsage } from './process/process-tree.ts';
import { type RunningTarget, startTarget } from './process/running-target.ts';
import { isReached } from './report/goals.ts';
import { quantile } from './report/quantile.ts';
import { classifyScale, type ScaleFigures } from './report/scale-goals.ts';
import { growthExponent } from './scale/growth-exponent.ts';
import { extendersOf, type GraphSize, SIZES, writeLargeSupergraph } from './scale/large-supergraph.ts';
import { startPings } from './scale/start-pings.ts';
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
}

const NEW_OPERATIONS = 60;
const CALM_MS = 1_000;
const START_TIMEOUT_MS = 180_000;
const RELOAD_TIMEOUT_MS = 120_000;
const SAMPLE_MS = 20;
const MEGABYTE = 1_000_000;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: 's10,s50,s200,s500' },
    targets: { type: 'string', default: 'gatefold,stock,hive,hive-router,apollo-router' },
    before: { type: 'string' },
  },
});
const names = new Set(values.targets.split(','));
const targets: readonly Target[] = [
  ...(values.before === undefined ? [] : [gatefoldBefore(values.before)]),
  ...[gatefold, stock, hive, hiveRouterFollowing, apolloRouter].filter(({ name }) => names.has(name)),
];
const sizes = SIZES.filter(({ name }) => values.sizes.split(',').includes(name));
if (targets.some(({ isPeer }) => isPeer)) installPeers();

leaveGatewayCore();
const subgraph = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{"data":{"ping":"pong"}}'));
});
await once(subgraph.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${(subgraph.address() as AddressInfo).port}/graphql`;

const rows: Row[] = [];
for (const size of sizes) {
  for (const target of targets) {
    process.stdout.write(`${size.name} ${target.name} ...\n`);
    try {
      rows.push(await measure(target, size));
    } catch (error) {
      if (!(error instanceof TargetMissing)) throw error;
      process.stdout.write(`  left out: ${error.message}\n`);
    }
  }
}
subgraph.closeAllConnections();
subgraph.close();
console.table(rows);
console.table(Object.fromEntries(targets.map(({ name }) => [name, exponentsOf(name)])));
console.table(
  classifyScale(rows, exponentsOf('gatefold')).map((goal) => ({
    goal: goal.name,
    bound: goal.bound,
    measured: goal.measured === undefined ? '' : round(goal.measured),
    reached: isReached(goal) ?? '',
  })),
);

async function measure(target: Target, size: GraphSize): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'gatefold-scale-'));
  const supergraphFile = join(directory, 'supergraph.graphql');
  const sdl = writeLargeSupergraph(size, () => url);
  writeFileSync(supergraphFile, sdl);
  const context = { directory, supergraphFile, subgraphs: {}, subgraphSdlFiles: {}, wholeUrl: '', responsesFile: '', gatefold: checkout };
  try {
    const first = target.isPeer === true ? undefined : await startFirst(following(target), context);
    await using running = await startTarget(following(target), context, isServed, START_TIMEOUT_MS);
    const ready = readUsage(running.pid);
    await wait(CALM_MS);
    const calm = readUsage(running.pid);
    const latencies = await firstResponses(running, size);
    const base = {
      target: target.name,
      size: size.name,
      readyMs: Math.round(running.readyMs),
      readyCpuMs: Math.round(ready.cpuMs),
      ...first,
      rssMb: Math.round(calm.rssBytes / MEGABYTE),
      firstMs: round(quantile(latencies, 0.5)),
    };
    if (target.isPeer === true) return base;
    return {
      ...base,
      ...(await reload(running, () => writeFileSync(supergraphFile, sdl.replace('  ping: String', '  ping2: String\n  ping: String')))),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts a gateway that has not stored indexes of the supergraph yet, and ends it. */
async function startFirst(target: Target, context: Parameters<typeof startTarget>[1]): Promise<Partial<Row>> {
  await using running = await startTarget(target, context, isServed, START_TIMEOUT_MS);
  const { cpuMs } = readUsage(running.pid);
  // A second after the start, the thread that has read the supergraph is replaced.
  await wait(4 * CALM_MS);
  const { rssBytes } = readUsage(running.pid);
  return { unstoredMs: Math.round(running.readyMs), unstoredCpuMs: Math.round(cpuMs), unstoredRssMb: Math.round(rssBytes / MEGABYTE) };
}

/** Lets Gatefold follow the file, and warm up nothing, so that the reload is measured alone. */
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
  return (await post(endpoint, '{ping}').catch(() => '')).trim() === '{"data":{"ping":"pong"}}';
}

async function post(endpoint: string, query: string): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.text();
}

/** Sends new operations over an entity and the subgraphs that extend it. The subgraphs do not know the fields, so one request is sent. */
async function firstResponses({ origin, path }: RunningTarget, size: GraphSize): Promise<readonly number[]> {
  const latencies: number[] = [];
  for (let index = 0; index < NEW_OPERATIONS; index += 1) {
    const entity = (index * 37 + 1) % size.entities;
    const fields = extendersOf(entity, size).map((_graph, position) => `x${position}`);
    const query = `query New${index} { e${entity}(id: "${index}") { id name ${fields.join(' ')} next { name own { title } } } }`;
    const startedAt = performance.now();
    await post(origin + path, query);
    latencies.push(performance.now() - startedAt);
  }
  return latencies;
}

async function reload(running: RunningTarget, change: () => void): Promise<Partial<Row>> {
  const before = readUsage(running.pid);
  const pings = startPings(running.origin + running.path);
  const startedAt = performance.now();
  let peak = 0;
  change();
  while (!(await post(running.origin + running.path, '{ping2}')).startsWith('{"data"')) {
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
  const columns = ['readyMs', 'readyCpuMs', 'unstoredMs', 'rssMb', 'firstMs', 'longestWaitMs', 'reloadCpuMs', 'peakRssMb'] as const;
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

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
