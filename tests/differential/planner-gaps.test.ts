import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { createPlanner } from '../../gateway/planning/create-planner.ts';
import { OperationUnplannable } from '../../gateway/planning/operation-unplannable.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { buildFederation } from './federation/build-federation.ts';
import { type FederationRequest, type FederationRunner, createFederationRunner } from './federation/run-federation.ts';

const federation = buildFederation();
let runner: FederationRunner;

beforeAll(async () => {
  runner = await createFederationRunner(federation);
});

/** Plans of `@apollo/query-planner` that no executor can make right; we answer as the stock gateway does. */
const WRONG_PLANS: readonly (FederationRequest & { readonly name: string })[] = [
  {
    name: 'fields of an object-typed interface are asked for one implementation each: all are asked of all, and one that fails takes the others along',
    text: '{ products { ... on Book { isFlagged } ... on Movie { topReview { id } } } }',
  },
];

describe('given operations that the planner is known to plan wrongly', () => {
  it.each(WRONG_PLANS)('when $name, then we answer as the stock gateway', async (request) => {
    const [ours, stock, monolith] = [await runner.ours(request), await runner.stock(request), await runner.monolith(request)];
    expect(ours.data).toEqual(stock.data);
    // A gap that is no more should leave the list.
    expect(ours.data).not.toEqual(monolith.data);
  });

  it.each([
    { text: 'query ($no: Boolean!) { me @skip(if: $no) { name @include(if: $no) } }', variables: { no: false } },
    {
      text: 'query ($yes: Boolean!) { me @include(if: $yes) { ... { name @skip(if: $yes) } ...F } } fragment F on User { id @skip(if: $yes) }',
      variables: { yes: true },
    },
  ])(
    'when conditions leave nothing of an object in $text, then the object is there and empty, as it is not for the stock gateway',
    async (request) => {
      const [ours, stock, monolith] = [await runner.ours(request), await runner.stock(request), await runner.monolith(request)];
      expect(ours).toEqual(monolith);
      expect(stock.data).not.toEqual(monolith.data);
    },
  );

  it('when a fragment on an interface stands on an object-typed interface, then the planner refuses for both', async () => {
    const text = '{ bestProduct { ... on Node { id } } }';
    const stock = await runner.stock({ text });
    expect(stock.failure).toContain('We should have an edge from Product(reviews)');
    await expect(runner.ours({ text })).rejects.toThrow('We should have an edge from Product(reviews)');
    const planned = createPlanner(loadSupergraph(federation.supergraphSdl)).plan(parse(text));
    await expect(planned).rejects.toBeInstanceOf(OperationUnplannable);
  });
});
