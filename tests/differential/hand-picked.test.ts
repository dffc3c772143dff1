import { beforeAll, describe, expect, it } from '@jest/globals';
import { compareResponses, unexplainedErrors } from './compare-responses.ts';
import { buildFederation } from './federation/build-federation.ts';
import { type FederationRunner, createFederationRunner } from './federation/run-federation.ts';
import { CONDITIONS_AND_ARGUMENTS } from './operations/conditions-and-arguments.ts';
import { FAILURES } from './operations/failures.ts';
import { FRAGMENTS_AND_TYPES } from './operations/fragments-and-types.ts';
import { MUTATIONS_AND_INTROSPECTION } from './operations/mutations-and-introspection.ts';
import type { NamedOperation } from './operations/named-operation.ts';
import { PLAIN_FIELDS } from './operations/plain-fields.ts';
import { REQUIRES_AND_ENTITIES } from './operations/requires-and-entities.ts';

let runner: FederationRunner;

beforeAll(async () => {
  runner = await createFederationRunner(buildFederation());
});

const groups: Readonly<Record<string, readonly NamedOperation[]>> = {
  failures: FAILURES,
  'fragments and types': FRAGMENTS_AND_TYPES,
  'conditions and arguments': CONDITIONS_AND_ARGUMENTS,
  'requires and entities': REQUIRES_AND_ENTITIES,
  'mutations and introspection': MUTATIONS_AND_INTROSPECTION,
  'plain fields': PLAIN_FIELDS,
};

describe('the fixture federation', () => {
  it('has at least 150 operations with unique names', () => {
    const names = Object.values(groups).flatMap((operations) => operations.map(({ name }) => name));
    expect(names.length).toBeGreaterThanOrEqual(150);
    expect(new Set(names).size).toBe(names.length);
  });

  for (const [group, operations] of Object.entries(groups)) {
    describe(`operations about ${group}`, () => {
      it.each(operations)('return the results of a single schema and of the stock gateway: $name', async (operation) => {
        const [ours, stock, monolith] = [await runner.ours(operation), await runner.stock(operation), await runner.monolith(operation)];
        expect(JSON.stringify(ours.data)).toBe(JSON.stringify(monolith.data));
        const isLikeStock = compareResponses(ours, stock);
        const isAsStock = isLikeStock.isSameData && isLikeStock.isSameText && isLikeStock.hasSameErrors;
        if (operation.differs === undefined) {
          expect({ data: ours.data, errors: ours.errors.map(({ path }) => path), isAsStock }).toEqual({
            data: stock.data,
            errors: isAsStock ? ours.errors.map(({ path }) => path) : stock.errors.map(({ path }) => path),
            isAsStock: true,
          });
        } else {
          // A difference that no longer exists must be removed from the list.
          expect(isAsStock).toBe(false);
          expect(unexplainedErrors(ours, monolith)).toEqual([]);
        }
      });
    });
  }
});
