/**
 * Restarts two gateways behind a balancer, one after the other, while requests arrive and clients are subscribed. In between, supergraphs
 * and subgraphs are replaced. No request may fail, no event may be lost or duplicated without notice, each client must be back within a
 * second, and the clients of a gateway must be disconnected evenly over the window. Exits with 1 otherwise.
 *
 * Duration: about 4 minutes
 *
 * `npm run prove rolling [--rounds 20] [--sockets 500] [--streams 100] [--rate 200] [--window 2000]`. Each round restarts a gateway, a
 * subgraph, and replaces the supergraph. `--window` is `subscriptions.drainWindowMs`.
 */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createNumberedCrowd, type CrowdContext } from '../integration/subscriptions/numbered-crowd.ts';
import { startNumberedSubgraphs } from '../integration/subscriptions/numbered-subgraphs.ts';
import { createServeProcess, type ServeProcess } from '../support/process/serve-process.ts';
import { startBalancer } from './rolling/balancer.ts';
import { startSteadyQueries } from './rolling/steady-queries.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    sockets: { type: 'string', default: '500' },
    streams: { type: 'string', default: '100' },
    rate: { type: 'string', default: '200' },
    window: { type: 'string', default: '2000' },
  },
});
const [ROUNDS, SOCKETS, STREAMS, RATE] = [values.rounds, values.sockets, values.streams, values.rate].map(Number) as [
  number,
  number,
  number,
  number,
];

/** Period over which a gateway disconnects its clients: the default of the gateway, by which 300 clients reconnect per second. @unit milliseconds */
const WINDOW_MS = Number(values.window);
/** Maximum time from the end of a connection to the next one. @unit milliseconds */
const MAX_BACK_MS = 1_000;
/** Interval between two events. @unit milliseconds */
const INTERVAL_MS = 500;
/** Timeout for each step. @unit milliseconds */
const PATIENCE_MS = 60_000;
/** Share of the disconnects of one gateway in each quarter of the window. */
const QUARTER = { min: 0.1, max: 0.45 };

const failures: string[] = [];
const fail = (text: string): void => {
  if (failures.length === 0) console.log(`The first violation: ${text}`);
  failures.push(text);
};

const directory = await mkdtemp(join(tmpdir(), 'gatefold-rolling-'));
const supergraph = join(directory, 'supergraph.graphql');
await using subgraphs = await startNumberedSubgraphs();
const putSupergraph = async (version: number): Promise<void> => {
  await writeFile(`${supergraph}.draft`, subgraphs.supergraphOf({ version, hasExtra: true, hasNotesInside: version % 2 === 1 }));
  await rename(`${supergraph}.draft`, supergraph);
};
await putSupergraph(0);

const createOne = (): Promise<ServeProcess> =>
  createServeProcess({
    supergraph,
    config: {
      logging: { level: 'warn' },
      budget: { mode: 'off' },
      subgraphs: { override: subgraphs.settings },
      server: { maxConnectionsPerAddress: 10_000 },
      subscriptions: { maxConnectionsPerAddress: 10_000, drainWindowMs: WINDOW_MS },
    },
  });
await using first = await createOne();
await using second = await createOne();
const gateways = [first, second];
await Promise.all(gateways.map((gateway) => gateway.start()));
await using balancer = await startBalancer(gateways);

/** Warnings and errors of the gateways, without those of the start, by text. */
const logged = new Map<string, number>();
/** Times of the disconnects, and durations until the next connection. */
const closedAt = new Map<string, number>();
const closes: number[] = [];
const backAfter: number[] = [];
let slowestBackMs = 0;
const now: CrowdContext = {
  mayClose: true,
  hasExtra: true,
  extraIsBack: Promise.resolve(),
  onClosed(name) {
    closedAt.set(name, performance.now());
    closes.push(performance.now());
  },
  onOpened(name) {
    const at = closedAt.get(name);
    if (at === undefined) return;
    closedAt.delete(name);
    backAfter.push(performance.now() - at);
    slowestBackMs = Math.max(slowestBackMs, performance.now() - at);
  },
};
const crowd = createNumberedCrowd(now, fail);
const publishing = setInterval(() => subgraphs.publish(), INTERVAL_MS);
await crowd.gather(balancer.url, SOCKETS + STREAMS, (index) => (index * SOCKETS) % (SOCKETS + STREAMS) < SOCKETS);
await until(() => crowd.without(subgraphs.last - 4).length === 0, 'all clients are subscribed');
console.log(`${SOCKETS} WebSockets and ${STREAMS} event streams are subscribed.`);
const queries = startSteadyQueries(balancer.url, RATE);
// The clients, the balancer and the subgraphs share this event loop, whose delay adds to all durations.
const ownDelays = monitorEventLoopDelay({ resolution: 2 });
ownDelays.enable();

for (let round = 1; round <= ROUNDS; round += 1) {
  const gateway = gateways[round % 2] as ServeProcess;
  closes.length = 0;
  slowestBackMs = 0;
  const code = await gateway.stop();
  countWarnings(gateway);
  if (code !== 0) fail(`The gateway exited with ${code} in round ${round}`);
  checkSpread(round);
  await gateway.start();
  await until(() => balancer.isReady(gateway), `the gateway is ready in round ${round}`);
  const loads = await Promise.all(gateways.map(loadsOf));
  await putSupergraph(round);
  await until(
    async () => (await Promise.all(gateways.map(loadsOf))).every((count, index) => count > (loads[index] ?? 0)),
    `both gateways have supergraph ${round}`,
  );
  await subgraphs.restart('notes');
  const target = subgraphs.last;
  await until(() => crowd.without(target).length === 0, `all clients have event ${target} in round ${round}`);
  console.log(
    `Round ${round}: ${queries.succeeded()} of ${queries.sent()} requests, event ${target}, ${crowd.figures.connectionsClosed} disconnects, slowest reconnection ${slowestBackMs.toFixed(0)} ms, ${failures.length} violations.`,
  );
}

await queries.stop();
clearInterval(publishing);
const last = subgraphs.last;
await until(() => crowd.without(last).length === 0, 'all clients have the last event');
for (const failure of queries.failures) fail(failure);
const sorted = backAfter.toSorted((a, b) => a - b);
const slow = sorted.filter((ms) => ms > MAX_BACK_MS).length;
if (slow > 0) fail(`${slow} of ${sorted.length} clients were back later than ${MAX_BACK_MS} ms`);
await crowd.disperse();
await Promise.all(gateways.map((gateway) => gateway.stop()));
gateways.forEach(countWarnings);
const quantile = (share: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
console.log(
  [
    `requests: ${queries.sent()}, of which ${queries.failures.length} failed`,
    `events received: ${crowd.figures.heard}; reported gaps: ${crowd.figures.gapsReported}; disconnects: ${crowd.figures.connectionsClosed}`,
    `time until the next connection after a disconnect: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, max ${quantile(1)} ms`,
    `delay of the event loop of clients, balancer and subgraphs: p99 ${(ownDelays.percentile(99) / 1e6).toFixed(0)} ms, max ${(ownDelays.max / 1e6).toFixed(0)} ms`,
  ].join('\n'),
);
await rm(directory, { recursive: true });
const kinds = new Map<string, number>();
for (const failure of failures) {
  const kind = failure.replaceAll(/"requestId":"[^"]*"/g, '').replaceAll(/\d+/g, 'n');
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
}
for (const [kind, count] of [...kinds].slice(0, 20)) console.error(`FAILED ${count} times: ${kind}`);
if (failures.length > 0) for (const [text, count] of logged) console.error(`Logged ${count} times: ${text}`);
process.exit(failures.length === 0 ? 0 : 1);

function countWarnings({ current }: ServeProcess): void {
  for (const [, text = ''] of (current?.output() ?? '').matchAll(/"level":[45]0,.*"msg":"([^"]*)"/g)) {
    if (!text.startsWith('Operations above limits.maxCost')) logged.set(text, (logged.get(text) ?? 0) + 1);
  }
}

/** Checks that the clients of a gateway were not disconnected at once. */
function checkSpread(round: number): void {
  const startedAt = closes[0] ?? 0;
  const counts = [0, 0, 0, 0];
  for (const at of closes) {
    const quarter = Math.min(3, Math.floor(((at - startedAt) / WINDOW_MS) * 4));
    counts[quarter] = (counts[quarter] ?? 0) + 1;
  }
  const isEven = counts.every((count) => count >= closes.length * QUARTER.min && count <= closes.length * QUARTER.max);
  if (!isEven) fail(`The disconnects of round ${round} by quarter of the window: ${counts.join(', ')}`);
}

async function loadsOf({ internalUrl }: ServeProcess): Promise<number> {
  return ((await (await fetch(`${internalUrl}/health/supergraph`)).json()) as { readonly loads: number }).loads;
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endsAt = performance.now() + PATIENCE_MS; !(await holds()); await wait(20)) {
    if (performance.now() < endsAt) continue;
    fail(
      `Timeout: ${what}. Without the last event: ${crowd
        .without(subgraphs.last - 20)
        .slice(0, 5)
        .join(', ')}`,
    );
    return;
  }
}
