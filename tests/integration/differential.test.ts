import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { createOracle, type Oracle, type Who, WHO } from '../support/oracle.ts';
import { describeOnStack, isAlsoOnServer } from '../support/shared-stack.ts';
import { generateOperation } from '../differential/generate-operation.ts';
import { ARGUMENTS_AND_FAILURES } from './picked-operations/arguments-and-failures.ts';
import { FRAGMENTS_AND_CONDITIONS } from './picked-operations/fragments-and-conditions.ts';
import { ROOTS_AND_ENTITIES } from './picked-operations/roots-and-entities.ts';
import { valueForReferenceGraph } from './picked-operations/reference-values.ts';

/** Another seed by environment; the one in force is printed with every failure. */
const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 20_261_120);
/** What the storage adds is small: where a server runs them all, the embedded database, which is slower, runs a tenth. */
const RANDOM_OPERATIONS = Number(process.env['DIFFERENTIAL_OPERATIONS'] ?? 2_000) / (isAlsoOnServer() ? 10 : 1);
const BATCHES = 20;

describeOnStack('the same answers as the stock gateway', (stack) => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await createOracle(stack);
  });
  afterAll(async () => {
    await oracle[Symbol.asyncDispose]();
  });

  it.each([
    ['roots, hops and lists', ROOTS_AND_ENTITIES],
    ['fragments and conditions', FRAGMENTS_AND_CONDITIONS],
    ['arguments and failures', ARGUMENTS_AND_FAILURES],
  ] as const)('given the operations on %s, when counted, then their names are unique', (_title, operations) => {
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  });

  it('given all operations picked by hand, when counted, then there are at least 150', () => {
    expect(ROOTS_AND_ENTITIES.length + FRAGMENTS_AND_CONDITIONS.length + ARGUMENTS_AND_FAILURES.length).toBeGreaterThanOrEqual(150);
  });

  describe.each([...ROOTS_AND_ENTITIES, ...FRAGMENTS_AND_CONDITIONS, ...ARGUMENTS_AND_FAILURES])('$name', (operation) => {
    it('given each caller, when asked of both, then the answers agree', async () => {
      for (const who of WHO) expect(await oracle.compare(operation, who)).toMatch(/^equal/);
    });

    it('given user 1, when asked, then the keys stand in the order of the specification', async () => {
      const { ours, expected } = await oracle.texts(operation, 'user1');
      expect(ours).toBe(expected);
    });
  });

  describe(`random operations, seed ${String(SEED)}`, () => {
    it.each(Array.from({ length: BATCHES }, (_, batch) => [batch]))(
      'given batch %d, when asked of both, then the answers agree',
      async (batch) => {
        const { schema } = loadSupergraph(await readFile(join(packageRoot, 'schema/supergraph.graphql'), 'utf8'));
        const count = Math.ceil(RANDOM_OPERATIONS / BATCHES);
        const seeds = Array.from({ length: count }, (_, index) => SEED + batch * count + index);
        const differing: unknown[] = [];
        await inParallel(8, seeds, async (seed) => {
          const { text: query, variables } = generateOperation({ schema, seed, valueFor: valueForReferenceGraph });
          const who: Who = WHO[seed % WHO.length] ?? 'anonymous';
          const verdict = await oracle.compare({ query, variables }, who);
          if (typeof verdict === 'object') differing.push({ seed, query, variables, verdict });
        });
        expect(differing).toEqual([]);
      },
    );
  });
});

async function inParallel<T>(width: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
