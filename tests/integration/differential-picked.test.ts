import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOracle, type Oracle, WHO, type Who } from '../support/graphql/oracle.ts';
import { describeOnStack, isAlsoOnServer } from '../support/stack/shared-stack.ts';
import { ARGUMENTS_AND_FAILURES } from './picked-operations/arguments-and-failures.ts';
import { FRAGMENTS_AND_CONDITIONS } from './picked-operations/fragments-and-conditions.ts';
import { ROOTS_AND_ENTITIES } from './picked-operations/roots-and-entities.ts';

const OPERATIONS = [...ROOTS_AND_ENTITIES, ...FRAGMENTS_AND_CONDITIONS, ...ARGUMENTS_AND_FAILURES];
/** What the storage adds is small: where a server hears all callers, the embedded database, which is slower, hears one. */
const CALLERS: readonly Who[] = isAlsoOnServer() ? ['user1'] : WHO;

describeOnStack('operations picked by hand: the same answers as the stock gateway', (stack) => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await createOracle(stack);
  });
  afterAll(async () => {
    await oracle[Symbol.asyncDispose]();
  });

  it('given all of them, when counted, then there are at least 150, each with a name of its own', () => {
    expect(OPERATIONS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
  });

  describe.each(OPERATIONS)('$name', (operation) => {
    it('given each caller, when asked of both, then the answers agree', async () => {
      for (const verdict of await Promise.all(CALLERS.map((who) => oracle.compare(operation, who)))) expect(verdict).toMatch(/^equal/);
    });

    it('given user 1, when asked, then the keys stand in the order of the specification', async () => {
      const { ours, expected } = await oracle.texts(operation, 'user1');
      expect(ours).toBe(expected);
    });
  });
});
