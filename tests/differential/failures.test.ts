import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildFederation } from './federation/build-federation.ts';
import { type FederationRunner, type SubgraphFailure, type WireResponse, createFederationRunner } from './federation/run-federation.ts';

let runner: FederationRunner;

beforeAll(async () => {
  runner = await createFederationRunner(buildFederation());
});

/** Replaces the response of one subgraph. */
function inSubgraph(name: string, change: (response: WireResponse) => WireResponse): SubgraphFailure {
  return (subgraph, response) => (subgraph === name ? change(response) : response);
}

const rejected = { message: 'Not for you.', extensions: { code: 'FORBIDDEN' } };

const FAILURES: readonly { readonly name: string; readonly text: string; readonly failure: SubgraphFailure }[] = [
  {
    name: 'a root subgraph returns an error',
    text: '{ me { id } products { id } }',
    failure: inSubgraph('accounts', () => ({ data: null, errors: [rejected] })),
  },
  {
    name: 'an entity subgraph returns an error',
    text: '{ users { id orders { id } } }',
    failure: inSubgraph('orders', () => ({ errors: [rejected] })),
  },
  {
    name: 'an entity subgraph with a non-null field returns an error',
    text: '{ users { id spent } }',
    failure: inSubgraph('orders', () => ({ errors: [rejected] })),
  },
  {
    name: 'a subgraph that others depend on returns an error',
    text: '{ books { id label shipping title } }',
    failure: inSubgraph('inventory', () => ({ errors: [rejected] })),
  },
  {
    name: 'a subgraph knows none of the entities',
    text: '{ users { id favourite { title } orders { id } } }',
    failure: inSubgraph('orders', (response) => ({ data: { _entities: entitiesOf(response).map(() => null) } })),
  },
  {
    name: 'one reference resolver fails',
    text: '{ users { id orders { id } } }',
    failure: inSubgraph('orders', (response) => ({
      data: { _entities: entitiesOf(response).map((entity, index) => (index === 1 ? null : entity)) },
      errors: [{ ...rejected, path: ['_entities', 1] }],
    })),
  },
  {
    name: 'a subgraph omits fields',
    text: '{ users { id credit } }',
    failure: inSubgraph('inventory', (response) => ({ data: { _entities: entitiesOf(response).map(() => ({})) } })),
  },
  {
    name: 'a subgraph sends fields that were not selected',
    text: '{ users { id orders { id } } }',
    failure: inSubgraph('orders', (response) => ({
      data: { _entities: entitiesOf(response).map((entity) => Object.assign({ extra: { a: 1 } }, entity)), extra: 1 },
    })),
  },
];

function entitiesOf({ data }: WireResponse): readonly object[] {
  return (data as { _entities: readonly object[] })._entities;
}

describe('subgraphs that fail', () => {
  it.each(FAILURES)('return the data of the stock gateway, and an error with the cause: $name', async ({ text, failure }) => {
    const [ours, stock] = [await runner.ours({ text }, failure), await runner.stock({ text }, failure)];
    expect(ours.data).toEqual(stock.data);
    expect(ours.errors.length > 0).toBe(stock.errors.length > 0);
    expect(ours.errors.some(({ code }) => code === 'FORBIDDEN')).toBe(stock.errors.some(({ code }) => code === 'FORBIDDEN'));
  });
});
