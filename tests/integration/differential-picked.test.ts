import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOracle, type Oracle, WHO, type Who } from '../support/graphql/oracle.ts';
import { describeOnStack, isAlsoOnServer } from '../support/stack/shared-stack.ts';
import { ARGUMENTS_AND_FAILURES } from './picked-operations/arguments-and-failures.ts';
import { FRAGMENTS_AND_CONDITIONS } from './picked-operations/fragments-and-conditions.ts';
import { ROOTS_AND_ENTITIES } from './picked-operations/roots-and-entities.ts';

const OPERATIONS = [...ROOTS_AND_ENTITIES, ...FRAGMENTS_AND_CONDITIONS, ...ARGUMENTS_AND_FAILURES];
/**
 * Callers of the comparison. The storage makes little difference, so the slower embedded database runs one caller when a server runs all of
 * them.
 */
const CALLERS: readonly Who[] = isAlsoOnServer() ? ['user1'] : WHO;

describeOnStack('picked operations: the same results as the stock gateway', (stack) => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await createOracle(stack);
  });
  afterAll(async () => {
    await oracle[Symbol.asyncDispose]();
  });

  it('are at least 150, each with a unique name', () => {
    expect(OPERATIONS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
  });

  describe.each(OPERATIONS)('$name', (operation) => {
    it('returns the same result to each caller', async () => {
      for (const classification of await Promise.all(CALLERS.map((who) => oracle.compare(operation, who))))
        expect(classification).toMatch(/^equal/);
    });

    it('returns the keys to user 1 in the order of the specification', async () => {
      const { ours, expected } = await oracle.texts(operation, 'user1');
      expect(ours).toBe(expected);
    });
  });
});
