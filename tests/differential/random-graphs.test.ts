import { describe, expect, it } from '@jest/globals';
import { describeCase } from './random-federation/describe-case.ts';
import { OPERATIONS_OF_A_GRAPH, createGraph, createRequest, runRequest } from './random-federation/run-case.ts';
import { tally } from './random-federation/tally.ts';

const CASES = Number(process.env['DIFFERENTIAL_CASES'] ?? 2_000);
const FIRST_SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? Math.floor(Math.random() * 1_000_000));

/** Parts of the whole, so that a failure is seen early and none of them takes long. */
const PARTS = 10;

describe(`given random graphs from seed ${FIRST_SEED} (DIFFERENTIAL_SEED)`, () => {
  const seeds = Array.from({ length: PARTS }, (_item, part) => FIRST_SEED + part * 100_000);

  it.each(seeds)('when random operations are asked, then the answers are those of one schema, from seed %i on', async (first) => {
    const counts = tally();
    for (let seed = first; counts.cases < CASES / PARTS; seed += 1) {
      const graph = createGraph(seed);
      counts.countGraph(graph);
      if ('reasons' in graph) continue;
      for (let index = 0; index < OPERATIONS_OF_A_GRAPH && counts.cases < CASES / PARTS; index += 1) {
        const result = await runRequest(graph, createRequest(graph.federation, seed, index));
        counts.countCase(result);
        if (result.verdict.kind === 'wrong') {
          throw new Error(await describeCase({ graph, result }, `DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_CASE=${index}`));
        }
      }
    }
    expect(counts.problems()).toEqual([]);
  });
});
