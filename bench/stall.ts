/**
 * Measures how long the event loop is blocked while expensive operations within the limits are prepared. Planning runs in another thread
 * and must not block it. Ends with exit code 1 when a block exceeds the limit.
 *
 * Duration: about 15 seconds
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { compileOperation } from '../gateway/execution/compile-operation.ts';
import { gatewayConfig } from '../gateway/config/sections.ts';
import { createGeneration } from '../gateway/generation/create-generation.ts';
import type { Generation } from '../gateway/generation/generation.ts';
import { createPlannerHost } from '../gateway/planning/worker/create-planner-host.ts';
import { GatewayError } from '../gateway/platform/errors.ts';
import { silentLogger } from '../gateway/platform/logger.ts';
import { composeSubgraphs } from '../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../gateway/supergraph/load-supergraph.ts';

/** @unit milliseconds */
const LONGEST_BLOCK = 50;

const SUBGRAPHS = 8;
const IMPLEMENTATIONS = 40;

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Composes a supergraph with many types behind one interface. Many subgraphs define a part of each type and have a key for it. */
function wideSupergraph(): string {
  const subgraphs = Array.from({ length: SUBGRAPHS }, (_, subgraph) => ({
    name: `s${subgraph}`,
    url: `http://s${subgraph}.invalid/graphql`,
    files: [
      {
        path: `s${subgraph}.graphql`,
        text: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])
          interface Node { id: ID! next: Node shared: String }
          ${repeat(
            IMPLEMENTATIONS,
            (type) => `type T${type} implements Node @key(fields: "id") {
              id: ID! next: Node @shareable shared: String @shareable own${subgraph}: String to${subgraph}: T${(type + 1) % IMPLEMENTATIONS}
            }`,
          )}
          type Query { root${subgraph}: Node all${subgraph}: [Node!]! t${subgraph}: T0 }`,
      },
    ],
  }));
  const { supergraphSdl, errors } = composeSubgraphs(subgraphs);
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

const WIDE: Readonly<Record<string, (round: number) => string>> = {
  'ten aliased chains': (round) =>
    `{ ${repeat(10, (index) => `c${index}: root${index % SUBGRAPHS} { ${'next { '.repeat(8)} id shared x${round}: __typename ${'}'.repeat(8)} }`)} }`,
  'chains through all subgraphs': (round) =>
    `{ ${repeat(8, (index) => `t${index} { ${repeat(8, (step) => `to${(index + step) % SUBGRAPHS} {`)} own${round % SUBGRAPHS} ${'}'.repeat(8)} }`)} }`,
  'an interface and all its types': (round) =>
    `{ all0 { ${repeat(IMPLEMENTATIONS, (type) => `... on T${type} { ${repeat(8, (field) => `own${field}`)} }`)} ${'id '.repeat(round + 1)} } }`,
  'fragments within fragments': (round) =>
    `{ all0 { ...F0 } all1 { ...F0 } } ${repeat(6, (index) => `fragment F${index} on Node { id ...F${index + 1} next { ...F${index + 1} } }`)} fragment F6 on Node { id shared ${'__typename '.repeat(round + 1)} }`,
  'lists of everything, with conditions': (round) =>
    `query (${repeat(6, (index) => `$c${index}: Boolean! = false`)}) { ${repeat(8, (index) => `all${index} { ${repeat(6, (field) => `... on T${field} @skip(if: $c${field}) { own${field} to${field} { own${(field + round) % SUBGRAPHS} } }`)} }`)} }`,
};

const REFERENCE: Readonly<Record<string, (round: number) => string>> = {
  'authors of posts of authors': (round) =>
    `{ ${repeat(8, (index) => `u${index}: user(id: ${index}) { ${'posts { author { '.repeat(5)} id ${'name '.repeat(round + 1)} ${'} } '.repeat(5)} }`)} }`,
  'many users': (round) =>
    `{ ${repeat(20, (index) => `u${index}: user(id: ${index}) { id name posts { id title tags author { id name } comments(first: ${round}) { nodes { id } } } }`)} }`,
};

const config = gatewayConfig.parse({});

async function generationOver(sdl: string): Promise<Generation> {
  const planner = createPlannerHost({ sdl, logger: silentLogger });
  const loaded = loadSupergraph(sdl);
  await planner.ready;
  return createGeneration({
    loaded,
    planner,
    executor: Object.assign(async () => ({ data: {} }), { [Symbol.asyncDispose]: async () => {} }),
    compile: compileOperation,
    settings: { ...config.graphql, isSchemaShown: true, limits: config.limits },
    logger: silentLogger,
  });
}

/**
 * Returns the CPU time of this thread. On a busy machine, the time between two iterations depends mostly on other processes.
 *
 * @unit milliseconds
 */
function computed(): number {
  if (process.platform !== 'linux') return performance.now();
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

/** Measures the longest CPU time of this thread between two iterations of the event loop during some work, and the duration of the work. */
async function watch(work: () => Promise<string>): Promise<{ readonly block: number; readonly took: number; readonly result: string }> {
  let last = computed();
  let block = 0;
  let isOver = false;
  const turn = (): void => {
    const now = computed();
    block = Math.max(block, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const before = performance.now();
  const result = await work();
  const took = performance.now() - before;
  await new Promise(setImmediate); // Includes the last step.
  isOver = true;
  return { block, took, result };
}

async function prepare(generation: Generation, text: string): Promise<string> {
  try {
    const operation = generation.prepareOperation(text);
    await operation.executable(operation.coerceVariables({}), []);
    return 'planned';
  } catch (error) {
    if (error instanceof GatewayError) return `${error.code}: ${error.message.slice(0, 60)}`;
    throw error;
  }
}

const rows: Record<string, string | number>[] = [];
let longest = 0;
const idle = await watch(() => new Promise((resolve) => setTimeout(() => resolve('waited'), 1_000)));
rows.push({
  operation: 'nothing, for a second',
  'longest block ms': round(idle.block),
  'took ms': round(idle.took),
  result: idle.result,
});

const graphs = { wide: [wideSupergraph(), WIDE], reference: [readFileSync('schema/supergraph.graphql', 'utf8'), REFERENCE] } as const;
for (const [graph, [sdl, operations]] of Object.entries(graphs)) {
  await using generation = await generationOver(sdl);
  await prepare(generation, '{ __typename }'); // Compiles code that runs for the first time, which is not part of this measurement.
  for (const [name, text] of Object.entries(operations)) {
    let slowest = { block: 0, took: 0, result: '' };
    for (let variant = 0; variant < 5; variant += 1) {
      const seen = await watch(() => prepare(generation, text(variant)));
      slowest = { block: Math.max(slowest.block, seen.block), took: Math.max(slowest.took, seen.took), result: seen.result };
    }
    longest = Math.max(longest, slowest.block);
    rows.push({
      operation: `${graph}: ${name}`,
      'longest block ms': round(slowest.block),
      'took ms': round(slowest.took),
      result: slowest.result,
    });
  }
}
console.table(rows);
if (longest > LONGEST_BLOCK) {
  console.error(`The event loop was blocked for ${round(longest)} ms. At most ${LONGEST_BLOCK} ms are allowed.`);
  process.exitCode = 1;
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
