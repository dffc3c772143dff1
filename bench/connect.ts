/**
 * Compares the CPU time of connectors with that of a hand-written subgraph in front of the same REST service, and with that of a subgraph
 * whose responses are recorded. Also measures Hive Gateway with the REST transport of GraphQL Mesh. All set-ups return equal data for one
 * query: ten orders with their shipments. Ends with exit code 1 when a goal is missed.
 *
 * Duration: about 2 minutes
 *
 * `npm run bench connect [-- --rounds 15 --gatefold ../other]`
 *
 * Clients and back ends are one process that writes prepared bytes, so that only gateways and the hand-written subgraph cost CPU time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createDisposalStack, type DisposalStack } from '../gateway/platform/disposal-stack.ts';
import { callsOf, compareSetUps, describeGoals, type MeasuredSetUp, type SetUpName } from './connect/compare-set-ups.ts';
import { startHiveWithMesh } from './connect/hive-with-mesh.ts';
import type { BackEnds, ConnectReport, ConnectSlice } from './connect/load-process.ts';
import { type SetUp, type SetUpOptions, startConnectors, startHandWritten, startRecordedShipping } from './connect/set-ups.ts';
import { SHIPPING_BODY, shippingResponse } from './connect/shipping-query.ts';
import type { SliceCommand } from './load/measure-slice.ts';
import { canPin, leaveGatewayCore } from './process/cores.ts';
import { startWorker, type Worker } from './process/worker.ts';
import { isReached } from './report/goals.ts';
import { installPeers } from './targets/install-peers.ts';
import { checkout } from './targets/paths.ts';
import { TargetMissing } from './targets/target.ts';

const CONNECTIONS = 32;
/** CPU time that each set-up uses before it is measured, so that its code is compiled, however busy the machine is. @unit milliseconds */
const WARM_UP_CPU_MS = 6_000;
/** Time for connecting the clients of a slice. @unit milliseconds */
const CONNECT_MS = 150;
/** Duration of each set-up in a round. It is short, so that changes in the load of the machine affect all set-ups equally. @unit milliseconds */
const SLICE_MS = 1_000;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' }, gatefold: { type: 'string', default: checkout } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be an integer of at least 1.');

/** A set-up that is running. */
interface RunningSetUp extends MeasuredSetUp {
  readonly setUp: SetUp;
  readonly slices: ConnectSlice[];
}

leaveGatewayCore();
installPeers();
if (!canPin) console.warn('Processes cannot be pinned to separate cores on this machine. The figures are imprecise.');
const directory = await mkdtemp(join(tmpdir(), 'gatefold-bench-connect-'));
try {
  process.exitCode = await run();
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function run(): Promise<number> {
  using load = startWorker<SliceCommand, ConnectReport>(new URL('connect/load-process.ts', import.meta.url));
  const report = await load.hear();
  if (!('backEnds' in report)) throw new Error('Expected the back ends as the first message.');
  await using opened = createDisposalStack();
  const setUps = await startAll(report.backEnds, opened);
  for (const one of setUps) {
    for (let usedMs = 0; usedMs < WARM_UP_CPU_MS; ) usedMs += (await measure(one, load)).gatewayMs;
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const one of round % 2 === 0 ? setUps : setUps.toReversed()) one.slices.push(await measure(one, load));
  }
  const { rows, goals, error } = compareSetUps(setUps);
  console.table(rows);
  console.log(`Error of the measurement, connectors / connectors: ${error}\n${describeGoals(goals)}`);
  return goals.every((goal) => isReached(goal) === true) ? 0 : 1;
}

/** Starts all set-ups. Each has returned the expected response before it is measured. */
async function startAll(backEnds: BackEnds, opened: DisposalStack): Promise<readonly RunningSetUp[]> {
  const options = {
    directory,
    backEnds,
    gatefold: resolve(values.gatefold),
    body: SHIPPING_BODY,
    response: JSON.parse(shippingResponse()),
  };
  const starts: readonly (readonly [SetUpName, (options: SetUpOptions) => Promise<SetUp>])[] = [
    ['connectors', startConnectors],
    ['hand-written subgraph', startHandWritten],
    ['recorded subgraph', startRecordedShipping],
    ['hive with mesh', startHiveWithMesh],
    ['connectors, again', startConnectors],
  ];
  const setUps: RunningSetUp[] = [];
  for (const [name, start] of starts) {
    try {
      setUps.push({ name, setUp: opened.use(await start(options)), slices: [] });
    } catch (error) {
      // Only the peer may be missing.
      if (!(error instanceof TargetMissing) || name !== 'hive with mesh') throw error;
      console.warn(`MISSING  ${name}: ${error.message}`);
    }
  }
  return setUps;
}

/** Measures one slice. @throws Error for a wrong response, or when responses were served without a call of the back end */
async function measure({ name, setUp }: RunningSetUp, load: Worker<SliceCommand, ConnectReport>): Promise<ConnectSlice> {
  const { port, pids } = setUp;
  load.report({
    ports: [port],
    pids,
    body: SHIPPING_BODY,
    response: shippingResponse(),
    connections: CONNECTIONS,
    warmUpMs: CONNECT_MS,
    durationMs: SLICE_MS,
  });
  const slice = await load.hear();
  if ('backEnds' in slice) throw new Error('Expected a slice, but the process reported its back ends again.');
  if (slice.failures > 0) throw new Error(`${name}: ${slice.failures} wrong responses. The first: ${slice.failure}`);
  if (callsOf(slice) < 1) throw new Error(`${name}: only ${callsOf(slice)} calls of the back end per request.`);
  return slice;
}
