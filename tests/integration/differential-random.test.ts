import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { generateOperation } from '../differential/generate-operation.ts';
import { createOracle, type Oracle, WHO } from '../support/graphql/oracle.ts';
import { describeOnStack, isAlsoOnServer } from '../support/stack/shared-stack.ts';
import { valueForReferenceGraph } from './picked-operations/reference-values.ts';

/** Seed of the operations, which the title shows. `DIFFERENTIAL_SEED` sets another one. */
const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 20_261_120);
/**
 * Number of operations. The reference of random operations is one schema (`tests/differential/random-graphs`). The stock gateway is a
 * second opinion that takes ten times as long. The storage makes little difference, so the embedded database runs a twentieth when a server
 * runs all operations.
 */
const OPERATIONS = Number(process.env['DIFFERENTIAL_OPERATIONS'] ?? 400) / (isAlsoOnServer() ? 20 : 1);
/** Maximum number of fields. Many small operations find the same errors as a few large ones, in half the time. */
const MAX_FIELDS = 14;
const BATCHES = 20;

describeOnStack(`random operations, seed ${String(SEED)}: the same results as the stock gateway`, (stack) => {
  let oracle: Oracle;
  const classifications: string[] = [];
  beforeAll(async () => {
    oracle = await createOracle(stack);
  });
  afterAll(async () => {
    await oracle[Symbol.asyncDispose]();
  });

  it.each(Array.from({ length: BATCHES }, (_, batch) => batch))('have equal results in batch %d', async (batch) => {
    const { schema } = loadSupergraph(await readFile(join(packageRoot, 'schema/supergraph.graphql'), 'utf8'));
    const count = Math.ceil(OPERATIONS / BATCHES);
    const seeds = Array.from({ length: count }, (_, index) => SEED + batch * count + index);
    const differing: unknown[] = [];
    await inParallel(8, seeds, async (seed) => {
      const { text: query, variables } = generateOperation({ schema, seed, valueFor: valueForReferenceGraph, maxFields: MAX_FIELDS });
      const classification = await oracle.compare({ query, variables }, WHO[seed % WHO.length] ?? 'anonymous');
      classifications.push(typeof classification === 'string' ? classification : 'different');
      if (typeof classification === 'object') differing.push({ seed, query, variables, classification });
    });
    expect(differing).toEqual([]);
  });

  it('are compared with the stock result itself in at least 95 % of cases', () => {
    expect(classifications.length).toBeGreaterThanOrEqual(OPERATIONS);
    expect(classifications.filter((classification) => classification === 'equal').length / classifications.length).toBeGreaterThanOrEqual(
      0.95,
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
