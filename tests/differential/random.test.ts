import { beforeAll, describe, expect, it } from '@jest/globals';
import { fixtureValues } from './argument-values.ts';
import { type Federation, buildFederation } from './federation/build-federation.ts';
import { type FederationRunner, createFederationRunner } from './federation/run-federation.ts';
import { generateOperation } from './generate-operation.ts';
import { type Classification, classify } from './random-federation/classify.ts';

const OPERATIONS = Number(process.env['DIFFERENTIAL_OPERATIONS'] ?? 300);
const FIRST_SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const CHUNK = 50;

/** Maximum share of results in which several failures meet in one null. @unit share of the operations */
const MOST_LENIENT = 0.25;

let federation: Federation;
let runner: FederationRunner;

beforeAll(async () => {
  federation = buildFederation();
  runner = await createFederationRunner(federation);
});

/** Compares the gateway's result for the operation of a seed with that of a single schema: text and errors must be equal. */
async function classifySeed(seed: number): Promise<{ readonly classification: Classification; readonly facts: object }> {
  const kind = seed % 6 === 0 ? 'mutation' : 'query';
  const operation = generateOperation({ schema: federation.schema, seed, kind, valueFor: fixtureValues });
  const monolith = await runner.monolith(operation);
  const ours = await runner.ours(operation);
  return { classification: classify(ours, monolith, []), facts: { text: operation.text, variables: operation.variables, ours, monolith } };
}

describe(`random operations from seed ${FIRST_SEED} (DIFFERENTIAL_SEED)`, () => {
  const chunks = Array.from({ length: Math.ceil(OPERATIONS / CHUNK) }, (_item, index) => FIRST_SEED + index * CHUNK);

  it.each(chunks)('return the results of a single schema, from seed %i on', async (from) => {
    let lenient = 0;
    for (let seed = from; seed < from + CHUNK; seed += 1) {
      const { classification, facts } = await classifySeed(seed);
      if (classification.kind === 'wrong') {
        throw new Error(`Seed ${seed}: ${classification.class}: ${classification.detail}\n${JSON.stringify(facts, null, 1)}`);
      }
      if (classification.leniencies.length > 0) lenient += 1;
    }
    expect(lenient).toBeLessThanOrEqual(CHUNK * MOST_LENIENT);
  });
});
