import { describe, expect, it } from '@jest/globals';
import { parse, validate } from 'graphql';
import { generateOperation } from '../../differential/generate-operation.ts';
import { type Random, createRandom } from '../../differential/random.ts';
import { type RandomFederation, buildRandomFederation } from '../../differential/random-federation/build-random-federation.ts';
import { describeCase } from '../../differential/random-federation/describe-case.ts';
import { generateJointSubgraphs } from '../../differential/random-federation/generate-joint-subgraphs.ts';
import { runRequest, toGraph } from '../../differential/random-federation/run-case.ts';
import { writeChain } from '../../differential/random-federation/write-chain.ts';

/** Joins wherever it is possible, and where places multiply. */
const PLANNINGS = [{ maxMultiplied: 0 }, {}] as const;

const TOO_MUCH = 'The operation selects too much.';

function createFederation(seed: number): RandomFederation {
  const federation = buildRandomFederation(generateJointSubgraphs(seed), seed);
  if ('reasons' in federation) throw new Error(`Seed ${seed} does not compose: ${federation.reasons.join('\n')}`);
  return federation;
}

function createOperation({ monolith }: RandomFederation, random: Random): { text: string; variables: Readonly<Record<string, unknown>> } {
  if (random.chance(0.3)) {
    return generateOperation({
      schema: monolith,
      seed: random.below(1_000_000),
      maxFields: random.pick([10, 25]),
      maxDepth: 7,
      keys: ['id', 'x', 'label'],
    });
  }
  for (;;) {
    const text = writeChain(monolith, random);
    if (validate(monolith, parse(text)).length === 0) return { text, variables: random.chance(0.5) ? {} : { yes: random.chance(0.5) } };
  }
}

describe('point 2: joint places', () => {
  // The two counts at the end are those of these graphs: with other seeds they can differ.
  const first = Number(process.env['DIFFERENTIAL_SEED'] ?? 1);

  it(`answers as one schema does, from seed ${first} (DIFFERENTIAL_SEED)`, async () => {
    const requests: number[][] = [[], []];
    let refused = 0;
    for (let seed = first; seed < first + 5; seed += 1) {
      const federation = createFederation(seed);
      const random = createRandom(seed);
      const operations = Array.from({ length: 5 }, () => createOperation(federation, random));
      for (const [position, planning] of PLANNINGS.entries()) {
        const graph = toGraph(federation, planning);
        for (const [index, operation] of operations.entries()) {
          const result = await runRequest(graph, { ...operation, labels: [] });
          requests[position]?.push(result.exchanges.length);
          if (result.verdict.kind === 'wrong' && result.verdict.detail.includes(TOO_MUCH)) {
            refused += 1;
            continue;
          }
          if (result.verdict.kind === 'wrong') {
            throw new Error(await describeCase({ graph, result }, `DIFFERENTIAL_SEED=${seed}, operation ${index}, planning ${position}`));
          }
        }
      }
    }
    // Fields with `@provides` are not joined: deep chains of them can be too much.
    expect(refused).toBeLessThan(15);
    // Joint places are really used: some operations take another number of requests.
    expect(requests[0]).not.toEqual(requests[1]);
  });
});
