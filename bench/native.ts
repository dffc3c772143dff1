/**
 * Compares Gatefold with gateways that are compiled to machine code: CPU time and p99 of each operation, memory under load, and the time
 * until the first response.
 *
 * Duration: about 12 minutes with one router and five rounds; about 3 minutes with `--quick`
 *
 * Routers are named by environment variables with the paths of their executables: `HIVE_ROUTER_BIN`, `APOLLO_ROUTER_BIN`, and
 * `COSMO_ROUTER_BIN` with `COSMO_ROUTER_EXECUTION_CONFIG`. The report lists the others as missing. `--rounds 3` changes the number of
 * rounds, `--queries tiny,medium` selects operations, and `--before DIR` adds the build of another checkout.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OPERATIONS, type OperationName } from './graph/operations.ts';
import { startGraph } from './graph/start-graph.ts';
import { runRounds } from './measure/run-rounds.ts';
import { leaveGatewayCore } from './process/cores.ts';
import { describeMachine } from './report/environment.ts';
import { type Goal, isReached } from './report/goals.ts';
import { type Figures, type Medians, takeMedians } from './report/medians.ts';
import { figure, goalTable, section, table } from './report/tables.ts';
import { writePage } from './report/write-page.ts';
import { gatefoldBefore } from './targets/gatefold.ts';
import { apolloRouter, cosmoRouter, gatefoldDeduping, gatefoldOfImage, hiveRouter, hiveRouterDeduping } from './targets/native-routers.ts';
import { checkout } from './targets/paths.ts';
import type { Target, TargetName } from './targets/target.ts';

const CLIENTS = 32;

/** Operations of the comparison, and the maximum CPU time as a fraction of that of Hive Router, without and with deduplication. */
const CPU_GOALS: ReadonlyMap<OperationName, readonly [number, number]> = new Map([
  ['big', [0.8, 0.85]],
  ['medium', [0.8, 0.85]],
  ['tiny', [0.7, 0.85]],
  ['unique', [0.35, 0.85]],
]);

const MAX_MEMORY_MB = 120;
const MAX_READY_MS = 300;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    queries: { type: 'string', default: [...CPU_GOALS.keys()].join(',') },
    before: { type: 'string' },
  },
});
const wanted = values.queries.split(',');
const operations = OPERATIONS.filter(({ name }) => CPU_GOALS.has(name) && wanted.includes(name));
const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
if (operations.length === 0 || !Number.isInteger(rounds) || rounds < 1) {
  throw new Error(`Expected --queries of ${[...CPU_GOALS.keys()].join(', ')}, and --rounds of at least 1.`);
}

const targets: readonly Target[] = [
  gatefoldOfImage,
  ...(values.before === undefined ? [] : [gatefoldBefore(resolve(values.before))]),
  hiveRouter,
  apolloRouter,
  cosmoRouter,
  gatefoldDeduping,
  hiveRouterDeduping,
];

leaveGatewayCore();
await using graph = await startGraph();
const { samples, missing } = await runRounds({
  targets,
  rounds,
  operations,
  graph,
  gatefold: checkout,
  connections: CLIENTS,
  isOnce: () => false,
  progress: (text) => void process.stdout.write(`${text}\n`),
  ...(values.quick ? { warmUpMs: 1_200, durationMs: 1_000 } : { warmUpMs: 4_000, durationMs: 3_000 }),
});

const figures = takeMedians(samples);
const failures = samples.filter((sample) => sample.failures > 0);
const goals = goalsOf(figures);
const report = printReport();
process.stdout.write(`\n${report}\n`);
const isWhole = !values.quick && values.before === undefined && operations.length === CPU_GOALS.size && missing.size === 0;
if (isWhole && failures.length === 0) await writePage('native', report);
process.exitCode = failures.length === 0 && goals.every((goal) => isReached(goal) === true) ? 0 : 1;

function goalsOf(measured: Figures): readonly Goal[] {
  const quotient = (name: OperationName, read: (medians: Medians) => number): number | undefined => {
    const [own, theirs] = [measured.find('gatefold', name), measured.find('hive-router', name)];
    return own === undefined || theirs === undefined ? undefined : read(own) / read(theirs);
  };
  const memory = operations.map(({ name }) => measured.find('gatefold', name)?.rssMb);
  return [
    ...operations.flatMap(({ name }) => {
      const [bound, dedupingBound] = CPU_GOALS.get(name) ?? [Number.NaN, Number.NaN];
      const dedupe = measured.cpuQuotient(name, 'gatefold-deduping', 'hive-router-deduping');
      return [
        { name: `${name}: CPU as a fraction of Hive Router`, bound, measured: measured.cpuQuotient(name, 'gatefold', 'hive-router') },
        { name: `${name}: CPU as a fraction of Hive Router, both with deduplication`, bound: dedupingBound, measured: dedupe },
        { name: `${name}: p99 as a fraction of Hive Router`, bound: 1, measured: quotient(name, ({ p99Ms }) => p99Ms) },
      ];
    }),
    {
      name: 'memory under load, MB',
      bound: MAX_MEMORY_MB,
      measured: memory.includes(undefined) ? undefined : Math.max(...memory.map(Number)),
    },
    { name: 'first response after the start, ms', bound: MAX_READY_MS, measured: measured.readyMs('gatefold') },
  ];
}

function printReport(): string {
  const absent = [...missing].map(([name, reason]) => `- **${name}**: ${reason}`);
  const wrong = failures.map(({ target, operation, failure }) => `- ${target}, ${operation}: ${failure ?? 'wrong response'}`);
  return [
    `${describeMachine()} Medians of ${rounds} rounds.`,
    targets.map(({ name, about }) => `- ${name}: ${about}`).join('\n'),
    section(
      'CPU ms per request',
      ofTargets(({ cpuMs }) => figure(cpuMs)),
    ),
    section(
      'p50 / p99 ms',
      ofTargets(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`),
    ),
    section(
      'MB in memory under load',
      ofTargets(({ rssMb }) => rssMb.toFixed(0)),
    ),
    section('ms from the start to the first correct response', readyTable()),
    section('Goals', goalTable(goals)),
    ...(absent.length === 0 ? [] : [section('MISSING', absent.join('\n'))]),
    ...(wrong.length === 0 ? [] : [section('WRONG RESPONSES', wrong.join('\n'))]),
  ].join('\n\n');
}

function rows(): readonly { readonly name: TargetName; readonly head: string }[] {
  return targets.filter(({ name }) => !missing.has(name)).map(({ name }) => ({ name, head: name }));
}

function ofTargets(cell: (medians: Medians) => string): string {
  return table(rows(), operations, ({ name }, operation) => {
    const medians = figures.find(name, operation.name);
    return medians === undefined ? 'FAILED' : cell(medians);
  });
}

function readyTable(): string {
  return table(rows(), [{ name: 'ms' }], ({ name }) => figures.readyMs(name)?.toFixed(0) ?? '-');
}
