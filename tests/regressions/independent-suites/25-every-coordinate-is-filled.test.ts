import { describe, expect, it } from '@jest/globals';
import { type OperationDefinitionNode, type SelectionSetNode, parse } from 'graphql';
import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import type { OperationPlan, PlanSelection, PlannedFetch } from '../../../gateway/planning/operation-plan.ts';
import { UnfilledField } from '../../../gateway/planning/verification/unfilled-field.ts';
import { createSelectionSetIds } from '../../../gateway/planning/identify-sets.ts';
import { type VerifiedScope, verifyPlan } from '../../../gateway/planning/verification/verify-plan.ts';
import { createInProcessPlanner } from '../../../gateway/planning/worker/in-process-planner.ts';
import type { FederatedGraph } from '../../../gateway/supergraph/federated-graph.ts';
import { readFederatedGraph } from '../../../gateway/supergraph/read-federated-graph.ts';
import { compose } from '../../support/planning/plan-text.ts';

const SHOP = {
  accounts: `
    type Query { me: User node: Node }
    interface Node { id: ID! }
    type User implements Node @key(fields: "id") { id: ID! name: String! address: Address }
    type Address { zip: String! }
    type Book implements Node @key(fields: "id") { id: ID! isbn: String! }`,
  reviews: `
    type User @key(fields: "id") { id: ID! reviews: [Review!]! }
    type Book @key(fields: "id") { id: ID! rating: Int }
    type Review { text: String! author: User! }`,
  shipping: `
    type User @key(fields: "id") { id: ID! address: Address @external fee: Int @requires(fields: "address { zip }") }
    type Address { zip: String! @external }`,
};

const sdl = compose(SHOP);
const graph = readFederatedGraph(sdl);
const planner = createQueryPlanner(sdl);

function scopeOf(federatedGraph: FederatedGraph): VerifiedScope {
  return {
    graph: federatedGraph,
    labels: new Set(),
    fragments: new Map(),
    conditions: {},
    waiting: new Set(),
    sets: createSelectionSetIds(false),
    wantedBySets: new Map(),
  };
}

/** Plans an operation, changes the plan, and verifies the changed plan. */
function verifyChanged(document: string, change: (plan: OperationPlan) => OperationPlan, supergraph = { graph, planner }): void {
  const plan = supergraph.planner.plan({ document, conditions: {}, labels: [] });
  const [operation] = parse(document).definitions as readonly OperationDefinitionNode[];
  verifyPlan(change(plan), operation?.selectionSet as SelectionSetNode, [scopeOf(supergraph.graph)]);
}

/** Changes the fetches that go to one subgraph. */
function changing(subgraph: string, change: (fetch: PlannedFetch) => PlannedFetch): (plan: OperationPlan) => OperationPlan {
  return (plan) => ({ ...plan, fetches: plan.fetches.map((fetch) => (fetch.subgraph === subgraph ? change(fetch) : fetch)) });
}

/** Removes a field from selections, at any level. */
function without(selections: readonly PlanSelection[] | undefined, name: string): readonly PlanSelection[] {
  return (selections ?? []).flatMap((selection): readonly PlanSelection[] => {
    if (selection.kind === 'field' && selection.name === name) return [];
    return selection.selections === undefined ? [selection] : [{ ...selection, selections: without(selection.selections, name) }];
  });
}

const dropFetch = (subgraph: string) => changing(subgraph, (fetch) => ({ ...fetch, selections: [], lookups: [] }));

const dropField = (subgraph: string, name: string) =>
  changing(subgraph, (fetch) => ({
    ...fetch,
    ...(fetch.selections && { selections: without(fetch.selections, name) }),
    ...(fetch.lookups && {
      lookups: fetch.lookups.map((lookup) => Object.assign({}, lookup, { selections: without(lookup.selections, name) })),
    }),
  }));

const dropOrder = (subgraph: string) => changing(subgraph, (fetch) => ({ ...fetch, dependsOn: [] }));

const dropLookups = (subgraph: string, stored: number) =>
  changing(subgraph, (fetch) => ({ ...fetch, lookups: (fetch.lookups ?? []).slice(0, stored) }));

const dropPaths = (subgraph: string) =>
  changing(subgraph, (fetch) => ({
    ...fetch,
    lookups: (fetch.lookups ?? []).map(({ representations, selections, paths }) => ({
      representations,
      selections,
      paths: paths.slice(1),
    })),
  }));

describe('point 25: every selected coordinate is filled by a fetch', () => {
  it.each([
    ['a root fetch is missing', '{ me { name } }', dropFetch('accounts'), 'Query.me'],
    ['a fetch by key is missing', '{ me { name reviews { text } } }', dropFetch('reviews'), 'User.reviews'],
    ['a leaf is missing', '{ me { name id } }', dropField('accounts', 'name'), 'User.name'],
    ['a leaf is missing inside of a list', '{ me { reviews { text author { id } } } }', dropField('reviews', 'text'), 'Review.text'],
    ['the key is missing', '{ me { name reviews { text } } }', dropField('accounts', 'id'), 'User.reviews'],
    ['a required field is missing', '{ me { fee } }', dropField('accounts', 'zip'), 'User.fee'],
    ['a fetch does not wait for its key', '{ me { name reviews { text } } }', dropOrder('reviews'), 'User.reviews'],
    ['a fetch does not wait for its required fields', '{ me { fee } }', dropOrder('shipping'), 'User.fee'],
    ['a lookup is missing', '{ me { reviews { text } } }', dropLookups('reviews', 0), 'User.reviews'],
    [
      'a path of a lookup is missing',
      '{ one: me { reviews { text } } two: me { reviews { text } } }',
      dropPaths('reviews'),
      'User.reviews',
    ],
    ['the types of values are missing', '{ node { __typename id } }', dropField('accounts', '__typename'), 'Node.__typename'],
    ['the types of a path are missing', '{ node { ... on Book { rating } } }', dropField('accounts', '__typename'), 'Node.__typename'],
  ])('rejects a plan if %s', (_what, document, change, coordinate) => {
    expect(() => verifyChanged(document, (plan) => plan)).not.toThrow();
    expect(() => verifyChanged(document, change)).toThrow(new UnfilledField(coordinate));
  });

  it('rejects a fetch by a key of __typename that does not wait for its path', () => {
    const typenames = compose({
      products: 'type Query { entry: Entry } type Entry @key(fields: "__typename") { sku: String! }',
      reviews: 'type Entry @key(fields: "__typename") { rating: Int! }',
    });
    const supergraph = { graph: readFederatedGraph(typenames), planner: createQueryPlanner(typenames) };
    expect(() => verifyChanged('{ entry { rating } }', dropOrder('reviews'), supergraph)).toThrow(new UnfilledField('Entry.rating'));
  });

  it('names the coordinate in the error that the client receives', async () => {
    const host = createInProcessPlanner({
      plan() {
        throw new UnfilledField('User.reviews');
      },
    });
    await expect(host.plan({ document: '{ me { id } }', conditions: {}, labels: [] })).rejects.toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      coordinate: 'User.reviews',
      message: 'The gateway cannot plan a request for User.reviews. An internal error occurred. Include the request id when you report it.',
    });
  });
});

describe('point 25: verification of chains of interfaces', () => {
  const TYPES = 100;
  const DEPTH = 12;
  const names = Array.from({ length: TYPES }, (_, index) => `T${index}`);
  const large = compose({
    a: `type Query { start: I } interface I { id: ID! next: I }
      ${names.map((name) => `type ${name} implements I @key(fields: "id") { id: ID! next: I }`).join('\n')}`,
  });
  const largeGraph = readFederatedGraph(large);
  const operation = `{ start ${'{ id next '.repeat(DEPTH)} { id __typename } ${'}'.repeat(DEPTH)} }`;
  const fieldsOf = (depth: number): readonly PlanSelection[] => [
    { kind: 'field', name: '__typename', key: '__typename' },
    { kind: 'field', name: 'id', key: 'id' },
    ...(depth === 0 ? [] : [{ kind: 'field', name: 'next', key: 'next', selections: fieldsOf(depth - 1) } as const]),
  ];

  it('reads each path once, regardless of the number of types that lead there', () => {
    let reads = 0;
    const types = new Map(largeGraph.types);
    const counting = { ...largeGraph, types: Object.assign(types, { get: (name: string) => ((reads += 1), largeGraph.types.get(name)) }) };
    const plan: OperationPlan = {
      kind: 'query',
      fetches: [
        {
          subgraph: 'a',
          kind: 'query',
          dependsOn: [],
          selections: [{ kind: 'field', name: 'start', key: 'start', selections: fieldsOf(DEPTH) }],
        },
      ],
      keys: { withArguments: {}, beneathAbstract: {} },
    };
    const [{ selectionSet }] = parse(operation).definitions as readonly [OperationDefinitionNode];
    verifyPlan(plan, selectionSet, [scopeOf(counting)]);
    expect(reads).toBeLessThan(20 * TYPES * DEPTH);
  });
});
