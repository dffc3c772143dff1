/**
 * Runs many random operations on many random graphs, and compares each response with that of a single schema.
 *
 * Duration: about 35 minutes for 100,000 operations; with `DIFFERENTIAL_REST`, about 6 minutes for 20,000
 *
 * - `DIFFERENTIAL_CASES`: number of operations. Default 100000.
 * - `DIFFERENTIAL_SEED`: seed of the first graph. Random by default, and always printed.
 * - `DIFFERENTIAL_CASE`: with a seed, runs only this operation of that graph, and prints all details.
 * - `DIFFERENTIAL_SHRINK`: number of failures that are reduced and printed. Default 5.
 * - `DIFFERENTIAL_SHRINK_MS`: time for each reduction. Default 20000.
 * - `DIFFERENTIAL_OUT`: directory for reduced failures, which are then not printed.
 * - `DIFFERENTIAL_REST`: with 1, most subgraphs are REST services behind connectors. A quarter of the graphs sends requests over connections.
 * - `DIFFERENTIAL_MAX_MULTIPLIED`: option `maxMultiplied` of the planner. With 0 it plans joint paths wherever it can.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCase, traitsOf } from '../differential/random-federation/describe-case.ts';
import {
  type CaseResult,
  type Graph,
  OPERATIONS_OF_A_GRAPH,
  createGraph,
  createRequest,
  runRequest,
} from '../differential/random-federation/run-case.ts';
import { SUBGRAPH_NAMES } from '../differential/random-federation/generate-subgraphs.ts';
import { shrink } from '../differential/random-federation/shrink.ts';
import { tally } from '../differential/random-federation/tally.ts';
import { ConnectorsRefused } from '../differential/random-rest/build-rest-federation.ts';
import { createRestGraph } from '../differential/random-rest/create-rest-graph.ts';
import { restTally } from '../differential/random-rest/rest-tally.ts';
import { startRestTransport } from '../differential/random-rest/rest-transport.ts';

const maxMultiplied = process.env['DIFFERENTIAL_MAX_MULTIPLIED'];
const settings = {
  cases: Number(process.env['DIFFERENTIAL_CASES'] ?? 100_000),
  seed: Number(process.env['DIFFERENTIAL_SEED'] ?? Math.floor(Math.random() * 1_000_000)),
  only: process.env['DIFFERENTIAL_CASE'],
  shrink: Number(process.env['DIFFERENTIAL_SHRINK'] ?? 5),
  shrinkMs: Number(process.env['DIFFERENTIAL_SHRINK_MS'] ?? 20_000),
  out: process.env['DIFFERENTIAL_OUT'],
  hasRest: process.env['DIFFERENTIAL_REST'] === '1',
  planning: maxMultiplied === undefined ? {} : { maxMultiplied: Number(maxMultiplied) },
};

const REPORT_EVERY_MS = 10_000;

await using http = await startRestTransport(SUBGRAPH_NAMES);
const rest = settings.hasRest ? restTally() : undefined;

const isClean = settings.only === undefined ? await runMany() : await runOne(settings.seed, Number(settings.only));
process.exitCode = isClean ? 0 : 1;

/** Creates the graph of a seed. Prints the reasons when its connectors are refused. */
function openGraph(seed: number): Graph | { readonly reasons: readonly string[] } {
  if (rest === undefined) return createGraph(seed, settings.planning);
  try {
    return createRestGraph(seed, http, settings.planning);
  } catch (error) {
    if (!(error instanceof ConnectorsRefused)) throw error;
    rest.countRefused();
    print(`DIFFERENTIAL_SEED=${seed}: ${error.message}`);
    return { reasons: [error.message] };
  }
}

async function runOne(seed: number, index: number): Promise<boolean> {
  const graph = openGraph(seed);
  if ('reasons' in graph) {
    print(`The subgraphs of seed ${seed} do not compose:\n${graph.reasons.join('\n')}`);
    return false;
  }
  const result = await runRequest(graph, createRequest(graph.federation, seed, index));
  print(`${await describeCase({ graph, result }, `Seed ${seed}, case ${index}`)}\n\n## Supergraph\n\n${graph.federation.supergraphSdl}`);
  return result.classification.kind === 'right';
}

async function runMany(): Promise<boolean> {
  print(
    `Random graphs and operations from seed ${settings.seed} (DIFFERENTIAL_SEED).${settings.hasRest ? ' Most subgraphs are REST services.' : ''}`,
  );
  const counts = tally(rest);
  const startedAt = Date.now();
  let reportedAt = startedAt;
  let shrunk = 0;
  for (let seed = settings.seed; counts.cases < settings.cases; seed += 1) {
    const graph = openGraph(seed);
    counts.countGraph(graph);
    if ('reasons' in graph) continue;
    for (let index = 0; index < OPERATIONS_OF_A_GRAPH && counts.cases < settings.cases; index += 1) {
      const result = await runRequest(graph, createRequest(graph.federation, seed, index));
      counts.countCase(result, graph);
      if (result.classification.kind === 'right') continue;
      print(
        `DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_CASE=${index}: ${result.classification.class}: ${result.classification.detail.slice(0, 160)}`,
      );
      if (shrunk < settings.shrink) await showSmaller({ graph, result }, { seed, index });
      shrunk += 1;
    }
    if (Date.now() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = Date.now();
      print(counts.report(reportedAt - startedAt));
    }
  }
  print(counts.report(Date.now() - startedAt));
  return counts.problems().length === 0;
}

async function showSmaller(found: { graph: Graph; result: CaseResult }, { seed, index }: { seed: number; index: number }): Promise<void> {
  const smaller = await shrink(found, seed, settings.shrinkMs);
  const traits = traitsOf(smaller);
  const text = await describeCase(smaller, `Seed ${seed}, case ${index}: ${traits}`);
  if (settings.out === undefined) {
    print(text);
    return;
  }
  mkdirSync(settings.out, { recursive: true });
  writeFileSync(join(settings.out, `${traits.replaceAll(/[^\w]+/g, '-')}.${seed}-${index}.md`), text);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
