import { describe, expect, it } from '@jest/globals';
import { describeCase } from '../random-federation/describe-case.ts';
import { OPERATIONS_OF_A_GRAPH, createGraph, createRequest, runRequest } from '../random-federation/run-case.ts';
import { tally } from '../random-federation/tally.ts';

/** Number of test files that share the cases, so that the workers of a run share them. */
const FILES = 3;

/** Number of cases of one file. */
const CASES = Math.ceil(Number(process.env['DIFFERENTIAL_CASES'] ?? 1_000) / FILES);

/** Number of tests of a file. Several tests report a failure early, and none of them takes long. */
const SHARDS = 4;

/**
 * Runs random operations on random graphs.
 *
 * @param file Index of the file, from 0. Each file has its own graphs.
 */
export function describeRandomGraphs(file: number): void {
  const seed = Number(process.env['DIFFERENTIAL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  describe(`random graphs from seed ${seed} (DIFFERENTIAL_SEED)`, () => {
    const seeds = Array.from({ length: SHARDS }, (_item, part) => seed + (file * SHARDS + part) * 100_000);

    it.each(seeds)('return the results of a single schema for random operations, from seed %i on', async (first) => {
      const counts = tally();
      const wanted = Math.ceil(CASES / SHARDS);
      for (let graphSeed = first; counts.cases < wanted; graphSeed += 1) {
        const graph = createGraph(graphSeed);
        counts.countGraph(graph);
        if ('reasons' in graph) continue;
        for (let index = 0; index < OPERATIONS_OF_A_GRAPH && counts.cases < wanted; index += 1) {
          const result = await runRequest(graph, createRequest(graph.federation, graphSeed, index));
          counts.countCase(result, graph);
          if (result.classification.kind === 'wrong') {
            throw new Error(await describeCase({ graph, result }, `DIFFERENTIAL_SEED=${graphSeed} DIFFERENTIAL_CASE=${index}`));
          }
        }
      }
      expect(counts.problems()).toEqual([]);
    });
  });
}
