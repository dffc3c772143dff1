/**
 * Compares the CPU time and latency of Gatefold with other gateways in front of the same four subgraphs. With `--before`, compares two
 * builds of Gatefold.
 *
 * Duration: about 40 minutes; about 3 minutes with `--quick`, which is `npm run bench quick`
 *
 * `npm run bench federation -- --help` lists the options. docs/operate/performance.md describes the method.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startGraph } from './graph/start-graph.ts';
import { runPairs } from './measure/run-pairs.ts';
import { runRounds } from './measure/run-rounds.ts';
import type { Sample } from './measure/measure-target.ts';
import { readSettings, type Settings } from './measure/settings.ts';
import { leaveGatewayCore } from './process/cores.ts';
import { describeEnvironment, printEnvironment } from './report/environment.ts';
import { isCompared, isReached, classify, classifyChange } from './report/goals.ts';
import { takeMedians } from './report/medians.ts';
import { printTables } from './report/tables.ts';
import { writePage } from './report/write-page.ts';
import type { TargetName } from './targets/target.ts';
import { installPeers } from './targets/install-peers.ts';
import { benchRoot } from './targets/paths.ts';

const CLIENTS = 32;
const DELAY_MS = 5;

const settings = readSettings(process.argv.slice(2));
leaveGatewayCore();
if (settings.targets.some(({ isPeer }) => isPeer === true)) installPeers();

const { loaded, delayed } = await measure(settings);
const samples = [...loaded.samples, ...delayed.samples];
const missing = new Map([...loaded.missing, ...delayed.missing]);
const figures = { loaded: takeMedians(loaded.samples), delayed: takeMedians(delayed.samples) };
const goals = settings.isBeforeAndAfter ? classifyChange(figures) : classify(figures);
const failures = samples.flatMap(describeFailure);
const environment = describeEnvironment();
const tables = printTables({ ...settings, figures, missing, failures, goals });
const report = `${printEnvironment(environment)} Medians of ${settings.rounds} rounds; targets without a goal: one round.\n\n${tables}`;
process.stdout.write(`\n${report}\n`);
await writeResults();
if (settings.isWhole && failures.length === 0 && missing.size === 0) await writePage('federation', report);
process.exitCode = isAccepted() ? 0 : 1;

async function measure({ isQuick, isBeforeAndAfter, targets, rounds, ...rest }: Settings) {
  await using graph = await startGraph();
  const progress = (text: string) => void process.stdout.write(`${text}\n`);
  // Targets without a goal are measured for orientation only.
  const options = { ...rest, graph, progress, isOnce: (target: TargetName) => !isCompared(target) };
  const [after, before] = targets;
  if (isBeforeAndAfter && after !== undefined && before !== undefined) {
    const pairs = await runPairs({ ...options, targets: [after, before], rounds, connections: CLIENTS });
    return { loaded: { samples: pairs, missing: new Map() }, delayed: { samples: [], missing: new Map() } };
  }
  const loaded = await runRounds({ ...options, targets, rounds, connections: CLIENTS });
  graph.delay(DELAY_MS);
  progress(`One client, every subgraph responding after ${DELAY_MS} ms:`);
  const delayed = await runRounds({
    ...options,
    targets: targets.filter(({ name }) => (name === 'gatefold' || name === 'stock') && !loaded.missing.has(name)),
    rounds: isQuick ? 1 : Math.min(rounds, 3),
    connections: 1,
    warmUpMs: isQuick ? 500 : 1_500,
    durationMs: isQuick ? 800 : 2_500,
  });
  return { loaded, delayed };
}

function describeFailure({ target, operation, failures, failure }: Sample): readonly string[] {
  return failures === 0
    ? []
    : [`${target}, ${operation}: ${failures} responses differed from the reference. The first one: ${failure ?? 'unknown'}`];
}

/** Writes one sample per line, so that the results of two runs can be compared as text. */
async function writeResults(): Promise<void> {
  const directory = join(benchRoot, 'results');
  await mkdir(directory, { recursive: true });
  const lines = (list: readonly object[]) => `[\n${list.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]`;
  const text = `{
  "environment": ${JSON.stringify(environment)},
  "missing": ${JSON.stringify(Object.fromEntries(missing))},
  "goals": ${lines(goals.map((goal) => ({ ...goal, isReached: isReached(goal) })))},
  "loaded": ${lines(loaded.samples)},
  "delayed": ${lines(delayed.samples)}
}\n`;
  const name = settings.isBeforeAndAfter ? 'change' : settings.isQuick ? 'quick' : settings.isWhole ? 'whole' : 'part';
  await writeFile(join(directory, `${name}.json`), text);
}

function isAccepted(): boolean {
  if (failures.length > 0) return false;
  if (missing.size > 0 && !settings.allowMissing) return false;
  return !goals.some((goal) => isReached(goal) === false);
}
