import { beforeAll, describe, expect, it } from '@jest/globals';
import { fixtureValues } from './argument-values.ts';
import { agreesEverywhere, compareAnswers, isExplainedDifference } from './compare-answers.ts';
import { type Federation, buildFederation } from './federation/build-federation.ts';
import { type FederationRunner, createFederationRunner } from './federation/run-federation.ts';
import { generateOperation } from './generate-operation.ts';

const OPERATIONS = Number(process.env['DIFFERENTIAL_OPERATIONS'] ?? 300);
const FIRST_SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const CHUNK = 50;

/** Operations that the planner refuses are no use here; more of them than this would leave little to test. */
const MOST_UNPLANNED = 0.25;

let federation: Federation;
let runner: FederationRunner;

beforeAll(async () => {
  federation = buildFederation();
  runner = await createFederationRunner(federation);
});

/** What is wrong with our answer to the operation of a seed; undefined when nothing is. */
async function judge(seed: number): Promise<string | undefined> {
  const kind = seed % 6 === 0 ? 'mutation' : 'query';
  const operation = generateOperation({ schema: federation.schema, seed, kind, valueFor: fixtureValues });
  const stock = await runner.stock(operation);
  const ours = await runner.ours(operation).catch((error: unknown) => String(error));
  if (typeof ours === 'string') return ours === stock.failure ? 'unplanned' : ours;
  const monolith = await runner.monolith(operation);
  const likeStock = compareAnswers(ours, stock);
  const likeOne = compareAnswers(ours, monolith);
  const problems: string[] = [];
  const isRight = likeStock.isSameData || likeOne.isSameText || agreesEverywhere(ours.data, stock.data, monolith.data);
  if (!isRight) problems.push('data');
  if (!likeStock.hasSameErrors && !likeOne.hasSameErrors && !isExplainedDifference(ours, stock, monolith)) problems.push('errors');
  const facts = { text: operation.text, variables: operation.variables, ours, stock, monolith };
  return problems.length === 0 ? undefined : `${problems.join(' and ')} differ: ${JSON.stringify(facts, null, 1)}`;
}

describe(`given random operations from seed ${FIRST_SEED} (DIFFERENTIAL_SEED), when each is run`, () => {
  const chunks = Array.from({ length: Math.ceil(OPERATIONS / CHUNK) }, (_item, index) => FIRST_SEED + index * CHUNK);

  it.each(chunks)('then we answer as the stock gateway, or as one schema where it is wrong, from seed %i on', async (from) => {
    let unplanned = 0;
    for (let seed = from; seed < from + CHUNK; seed += 1) {
      const verdict = await judge(seed);
      if (verdict === 'unplanned') unplanned += 1;
      else expect({ seed, verdict }).toEqual({ seed, verdict: undefined });
    }
    expect(unplanned).toBeLessThan(CHUNK * MOST_UNPLANNED);
  });
});
