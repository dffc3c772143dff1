import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildFederation } from './federation/build-federation.ts';
import { type FederationRequest, type FederationRunner, createFederationRunner } from './federation/run-federation.ts';

let runner: FederationRunner;

beforeAll(async () => {
  runner = await createFederationRunner(buildFederation());
});

/** Operations that `@apollo/query-planner` plans incorrectly or not at all. */
const GAPS: readonly (FederationRequest & { readonly name: string })[] = [
  {
    name: 'fields of an object-typed interface are fetched for one implementation each, and a failing one is next to them',
    text: '{ products { ... on Book { isFlagged } ... on Movie { topReview { id } } } }',
  },
  {
    name: 'conditions exclude all fields of an object',
    text: 'query ($no: Boolean!) { me @skip(if: $no) { name @include(if: $no) } }',
    variables: { no: false },
  },
  {
    name: 'conditions exclude all fields of an object in a fragment',
    text: 'query ($yes: Boolean!) { me @include(if: $yes) { ... { name @skip(if: $yes) } ...F } } fragment F on User { id @skip(if: $yes) }',
    variables: { yes: true },
  },
  { name: 'a fragment on an interface is used on an object-typed interface', text: '{ bestProduct { ... on Node { id } } }' },
];

describe('operations that the stock planner gets wrong', () => {
  it.each(GAPS)('return the result of a single schema, unlike the stock gateway: $name', async (request) => {
    const [ours, stock, monolith] = [await runner.ours(request), await runner.stock(request), await runner.monolith(request)];
    expect(ours.data).toEqual(monolith.data);
    expect(ours.errors.map(({ path }) => path)).toEqual(monolith.errors.map(({ path }) => path));
    // A gap that no longer exists must be removed from the list.
    expect(stock.data).not.toEqual(monolith.data);
  });
});
