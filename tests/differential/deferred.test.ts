import { describe, expect, it } from '@jest/globals';
import type { SubgraphExecutor } from '../../gateway/supergraph/subgraph-executor.ts';
import { withDefer } from '../support/schema/with-defer.ts';
import { applyPatches } from '../support/graphql/apply-patches.ts';
import { type EngineResponse, type EngineDependencies, createEngine } from './engine.ts';
import { startSubgraphs } from './random-federation/build-random-federation.ts';
import { type Graph, createGraph, createRequest } from './random-federation/run-case.ts';
import { type Random, createRandom } from '../support/random/random.ts';
import { VOLATILE } from './random-federation/world.ts';
import { sprinkleDefer } from './sprinkle-defer.ts';

const CASES = Number(process.env['DEFERRED_CASES'] ?? 150);
const CASES_OF_A_GRAPH = 30;
const FIRST_SEED = Number(process.env['DEFERRED_SEED'] ?? Math.floor(Math.random() * 1_000_000));

/** Delays the responses of subgraphs randomly. */
function withDelays(executor: SubgraphExecutor, random: Random): SubgraphExecutor {
  return async (request, signal) => {
    for (let turns = random.below(6); turns > 0; turns -= 1) await new Promise(setImmediate);
    return await executor(request, signal);
  };
}

/**
 * Whether a field of a mutation depends on the time of its request. Deferred fields are fetched after all mutations, so such a field
 * differs.
 */
function isTimed(text: string): boolean {
  return text.startsWith('mutation') && new RegExp(`\\b${VOLATILE}\\b`, 'u').test(text);
}

interface CaseResult {
  readonly text: string;
  readonly whole: EngineResponse;
  readonly incrementally: EngineDependencies;
}

async function runCase({ federation }: Graph, seed: number, index: number): Promise<CaseResult> {
  const engine = createEngine({ supergraphSdl: federation.supergraphSdl, schema: withDefer(federation.monolith) });
  const request = createRequest(federation, seed, index);
  const random = createRandom(seed + index);
  const text = isTimed(request.text) ? request.text : sprinkleDefer(request.text, random);
  const whole = await engine.respond({ ...request, executor: startSubgraphs(federation, request.labels).executor });
  const executor = withDelays(startSubgraphs(federation, request.labels).executor, random);
  return { text, whole, incrementally: await engine.respondInMultipart({ ...request, text, executor }) };
}

/**
 * Checks that merged payloads contain at least the whole result. A null that ends at a fragment leaves more data than one that propagates
 * further, so the client may have more data than without `@defer`.
 */
function expectCovered(part: unknown, whole: unknown, path: string): void {
  if (whole === null || whole === undefined) return;
  if (typeof whole !== 'object') {
    if (part !== whole) throw new Error(`${path}: ${JSON.stringify(part)} instead of ${JSON.stringify(whole)}`);
    return;
  }
  if (typeof part !== 'object' || part === null) throw new Error(`${path} is missing.`);
  for (const [key, value] of Object.entries(whole)) expectCovered((part as Record<string, unknown>)[key], value, `${path}.${key}`);
}

describe(`random operations with @defer from seed ${FIRST_SEED} (DEFERRED_SEED)`, () => {
  const graphs = Array.from({ length: Math.ceil(CASES / CASES_OF_A_GRAPH) }, (_item, index) => FIRST_SEED + index);
  let compared = 0;
  let deferred = 0;

  it.each(graphs)('merge into the undeferred result, on the graph of seed %i', async (first) => {
    let seed = first;
    let graph = createGraph(seed);
    while ('reasons' in graph) graph = createGraph((seed += 1_000_000));
    for (let index = 0; index < CASES_OF_A_GRAPH; index += 1) {
      const { text, whole, incrementally } = await runCase(graph, seed, index);
      try {
        const data = applyPatches(incrementally, whole.errors.length > 0);
        if (whole.errors.length === 0) {
          expect(data).toEqual(whole.data);
          expect([incrementally, ...incrementally.parts.flat()].flatMap(({ errors }) => errors)).toEqual([]);
        } else {
          expectCovered(data, whole.data, 'data');
          expect([incrementally, ...incrementally.parts.flat()].some(({ errors }) => errors.length > 0)).toBe(true);
        }
      } catch (error) {
        throw new Error(`Seed ${seed}, case ${index}:\n${text}\n${JSON.stringify({ whole, incrementally }, null, 1)}`, { cause: error });
      }
      compared += 1;
      if (incrementally.parts.length > 0) deferred += 1;
    }
  });

  it('include enough cases with incremental payloads to compare', () => {
    expect(compared).toBeGreaterThanOrEqual(CASES);
    expect(deferred).toBeGreaterThan(CASES / 4);
  });
});
