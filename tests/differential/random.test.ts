import { beforeAll, describe, expect, it } from '@jest/globals';
import { fixtureValues } from './argument-values.ts';
import { compareAnswers, isToldByStock, unexplainedErrors } from './compare-answers.ts';
import { type Federation, buildFederation } from './federation/build-federation.ts';
import { type FederationRunner, createFederationRunner } from './federation/run-federation.ts';
import { generateOperation } from './generate-operation.ts';

const OPERATIONS = Number(process.env['DIFFERENTIAL_OPERATIONS'] ?? 300);
const FIRST_SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const CHUNK = 50;

/** Operations that the planner refuses are no use here; more of them than this would leave little to test. */
const MOST_UNPLANNED = 0.25;

/** One operation in a thousand is; this leaves room for chance. */
const MOST_PLANNED_WRONGLY = 0.06;

let federation: Federation;
let runner: FederationRunner;

beforeAll(async () => {
  federation = buildFederation();
  runner = await createFederationRunner(federation);
});

type Verdict = 'right' | 'unplanned' | 'planned wrongly';

/**
 * Our answer to the operation of a seed is right when it is the one of one schema: the same text, the same errors. Where
 * the plan is wrong, its data are the stock gateway's at worst, and it tells no error of a field that the stock gateway does not.
 */
async function judge(seed: number): Promise<Verdict | { readonly problem: string }> {
  const kind = seed % 6 === 0 ? 'mutation' : 'query';
  const operation = generateOperation({ schema: federation.schema, seed, kind, valueFor: fixtureValues });
  const monolith = await runner.monolith(operation);
  const ours = await runner.ours(operation).catch((error: unknown) => String(error));
  const problems = typeof ours === 'string' ? [ours] : unexplainedErrors(ours, monolith);
  const isRight = typeof ours !== 'string' && JSON.stringify(ours.data) === JSON.stringify(monolith.data);
  if (isRight && problems.length === 0) return 'right';
  const stock = await runner.stock(operation);
  if (typeof ours === 'string' && ours === stock.failure) return 'unplanned';
  if (typeof ours !== 'string' && (isRight || compareAnswers(ours, stock).isSameData) && isToldByStock(ours, monolith, stock))
    return 'planned wrongly';
  const facts = { text: operation.text, variables: operation.variables, ours, stock, monolith };
  return { problem: `${problems.join(', ')}: ${JSON.stringify(facts, null, 1)}` };
}

describe(`given random operations from seed ${FIRST_SEED} (DIFFERENTIAL_SEED), when each is run`, () => {
  const chunks = Array.from({ length: Math.ceil(OPERATIONS / CHUNK) }, (_item, index) => FIRST_SEED + index * CHUNK);

  it.each(chunks)('then we answer as one schema would, but for few that the planner gets wrong, from seed %i on', async (from) => {
    const count = { unplanned: 0, 'planned wrongly': 0, right: 0 };
    for (let seed = from; seed < from + CHUNK; seed += 1) {
      const verdict = await judge(seed);
      if (typeof verdict === 'string') count[verdict] += 1;
      else expect({ seed, problem: verdict.problem }).toEqual({ seed, problem: '' });
    }
    expect(count.unplanned).toBeLessThan(CHUNK * MOST_UNPLANNED);
    expect(count['planned wrongly']).toBeLessThan(CHUNK * MOST_PLANNED_WRONGLY);
  });
});
