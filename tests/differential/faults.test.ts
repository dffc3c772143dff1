import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildFederation } from './federation/build-federation.ts';
import { type FederationRunner, type SubgraphFault, type WireReply, createFederationRunner } from './federation/run-federation.ts';

let runner: FederationRunner;

beforeAll(async () => {
  runner = await createFederationRunner(buildFederation());
});

/** Replaces what one subgraph answers. */
function inSubgraph(name: string, change: (reply: WireReply) => WireReply): SubgraphFault {
  return (subgraph, reply) => (subgraph === name ? change(reply) : reply);
}

const refused = { message: 'Not for you.', extensions: { code: 'FORBIDDEN' } };

const FAULTS: readonly { readonly name: string; readonly text: string; readonly fault: SubgraphFault }[] = [
  {
    name: 'a root subgraph refuses',
    text: '{ me { id } products { id } }',
    fault: inSubgraph('accounts', () => ({ data: null, errors: [refused] })),
  },
  {
    name: 'an entity subgraph refuses',
    text: '{ users { id orders { id } } }',
    fault: inSubgraph('orders', () => ({ errors: [refused] })),
  },
  {
    name: 'an entity subgraph with a non-null field refuses',
    text: '{ users { id spent } }',
    fault: inSubgraph('orders', () => ({ errors: [refused] })),
  },
  {
    name: 'a subgraph that others build on refuses',
    text: '{ books { id label shipping title } }',
    fault: inSubgraph('inventory', () => ({ errors: [refused] })),
  },
  {
    name: 'a subgraph knows none of the entities',
    text: '{ users { id favourite { title } orders { id } } }',
    fault: inSubgraph('orders', (reply) => ({ data: { _entities: entitiesOf(reply).map(() => null) } })),
  },
  {
    name: 'one reference resolver fails',
    text: '{ users { id orders { id } } }',
    fault: inSubgraph('orders', (reply) => ({
      data: { _entities: entitiesOf(reply).map((entity, index) => (index === 1 ? null : entity)) },
      errors: [{ ...refused, path: ['_entities', 1] }],
    })),
  },
  {
    name: 'a subgraph leaves fields out',
    text: '{ users { id credit } }',
    fault: inSubgraph('inventory', (reply) => ({ data: { _entities: entitiesOf(reply).map(() => ({})) } })),
  },
  {
    name: 'a subgraph sends fields that nobody asked for',
    text: '{ users { id orders { id } } }',
    fault: inSubgraph('orders', (reply) => ({
      data: { _entities: entitiesOf(reply).map((entity) => Object.assign({ extra: { a: 1 } }, entity)), extra: 1 },
    })),
  },
];

function entitiesOf({ data }: WireReply): readonly object[] {
  return (data as { _entities: readonly object[] })._entities;
}

describe('given subgraphs with faults', () => {
  it.each(FAULTS)('when $name, then the data are those of the stock gateway, and an error tells why', async ({ text, fault }) => {
    const [ours, stock] = [await runner.ours({ text }, fault), await runner.stock({ text }, fault)];
    expect(ours.data).toEqual(stock.data);
    expect(ours.errors.length > 0).toBe(stock.errors.length > 0);
    expect(ours.errors.some(({ code }) => code === 'FORBIDDEN')).toBe(stock.errors.some(({ code }) => code === 'FORBIDDEN'));
  });
});
