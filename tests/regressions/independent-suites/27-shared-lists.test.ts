import { describe, expect, it } from '@jest/globals';
import { createFederation } from './in-process-federation.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@external", "@provides"])';

/** The second of three items fails. */
const things = [1, 2, 3].map((number) => ({
  x: number,
  z: number,
  w: number,
  y: () => {
    if (number === 2) throw new Error('y of 2');
    return number;
  },
}));

const fail = (): never => {
  throw new Error('b is unwell');
};

/** Resolves after all requests in flight. */
const late = <Value>(value: Value) => {
  return async (): Promise<Value> => {
    await new Promise((resolve) => setImmediate(resolve));
    return value;
  };
};

/** @param last Subgraph that responds last. */
function createShop(last: 'a' | 'b') {
  const when = <Value>(subgraph: 'a' | 'b', value: Value) => (subgraph === last ? late(value) : value);
  const rootOf = (subgraph: 'a' | 'b') => ({
    things: when(subgraph, things),
    loose: when(subgraph, things),
    thing: when(subgraph, things[1]),
    holder: when(subgraph, { id: '1' }),
  });
  const holderOf = (subgraph: 'a' | 'b') => ({ id: '1', held: when(subgraph, things) });
  const query = 'type Query { things: [Thing!] @shareable loose: [Thing] @shareable thing: Thing @shareable broken: [Thing] @shareable';
  return createFederation({
    a: {
      sdl: `${LINK} ${query} holder: Holder }
        type Thing { x: Int }
        type Holder @key(fields: "id") { id: ID! held: [Thing!] @shareable }`,
      root: { ...rootOf('a'), broken: when('a', things), holder: holderOf('a') },
    },
    b: {
      sdl: `${LINK} ${query} }
        type Thing { y: Int! z: Int! w: Int }
        type Holder @key(fields: "id") { id: ID! held: [Thing!] @shareable }`,
      root: { ...rootOf('b'), broken: fail },
      resolvers: { Holder: { __resolveReference: () => holderOf('b') } },
    },
  });
}

describe.each(['a', 'b'] as const)('point 27: a list shared by two subgraphs, of which %s responds last', (last) => {
  const shop = createShop(last);
  const { request } = shop;

  it.each([
    ['a list of non-null items', '{ things { x z y } }', { things: null }, ['things', 1, 'y']],
    ['an object', '{ thing { x z y } }', { thing: null }, ['thing', 'y']],
    ['a list of an entity', '{ holder { held { x z y } } }', { holder: { held: null } }, ['holder', 'held', 1, 'y']],
    ['an aliased list', '{ all: things { x a: z y } }', { all: null }, ['all', 1, 'y']],
  ])('reports only the error inside of %s', async (_place, text, data, path) => {
    const response = await request(text);
    expect([response.data, response.errors]).toEqual([data, [{ message: 'y of 2', code: 'FAILED', path }]]);
  });

  it('reports only the error inside of a deferred fragment', async () => {
    const response = await shop.requestInMultipart('{ things { x } ... @defer { holder { held { x z y } } } }');
    expect([response.data, response.errors]).toEqual([{ things: [{ x: 1 }, { x: 2 }, { x: 3 }] }, []]);
    expect(response.parts).toEqual([
      [
        {
          label: undefined,
          path: [],
          data: { holder: { held: null } },
          errors: [{ message: 'y of 2', code: 'FAILED', path: ['holder', 'held', 1, 'y'] }],
        },
      ],
    ]);
  });

  it('does not affect other items when one nullable item has an error', async () => {
    const response = await request('{ loose { x w z y } }');
    expect([response.data, response.errors]).toEqual([
      { loose: [{ x: 1, w: 1, z: 1, y: 1 }, null, { x: 3, w: 3, z: 3, y: 3 }] },
      [{ message: 'y of 2', code: 'FAILED', path: ['loose', 1, 'y'] }],
    ]);
  });

  it('reports the error of the whole list instead of missing item fields', async () => {
    const response = await request('{ broken { x w } }');
    expect([response.data, response.errors]).toEqual([
      {
        broken: [
          { x: 1, w: null },
          { x: 2, w: null },
          { x: 3, w: null },
        ],
      },
      [{ message: 'b is unwell', code: 'FAILED', path: ['broken'] }],
    ]);
  });

  it('reports the error of the whole list instead of nulls of non-null item fields', async () => {
    const response = await request('{ broken { x z } }');
    expect([response.data, response.errors]).toEqual([
      { broken: [null, null, null] },
      [{ message: 'b is unwell', code: 'FAILED', path: ['broken'] }],
    ]);
  });
});

describe('point 27: a null item of unknown type', () => {
  const graph = createFederation({
    a: {
      sdl: `${LINK} type Query { animals: [Animal] }
        interface Animal { id: ID! name: String! }
        type Cat implements Animal { id: ID! name: String! }
        type Dog implements Animal { id: ID! name: String! }`,
      root: {
        animals: [
          { __typename: 'Dog', id: '1', name: fail },
          { __typename: 'Cat', id: '2', name: 'Tom' },
        ],
      },
    },
  });

  it.each([
    ['{ animals { one: name two: name } }', [null, { one: 'Tom', two: 'Tom' }], 'one'],
    ['{ animals { ... on Cat { one: name } ... on Dog { two: name } } }', [null, { one: 'Tom' }], 'one'],
  ])('%s reports its error once', async (text, animals, key) => {
    const response = await graph.request(text);
    expect([response.data, response.errors]).toEqual([
      { animals },
      [{ message: 'b is unwell', code: 'FAILED', path: ['animals', 0, key] }],
    ]);
  });
});

describe('point 27: an object that an error in one of its subgraphs made null', () => {
  const graph = createFederation({
    a: {
      sdl: `${LINK} type Query { items: [Item] @shareable item: Item @shareable entity: Entity }
        type Item { one: Int! } type Entity @key(fields: "id") { id: ID! }`,
      root: { items: [{ one: fail }], item: { one: fail }, entity: { __typename: 'Entity', id: '1' } },
    },
    b: {
      sdl: `${LINK} type Query { items: [Item] @shareable item: Item @shareable } type Item { two: Int! }
        type Entity @key(fields: "id") { id: ID! three: Int! }`,
      root: { items: [{ two: 2 }], item: { two: 2 } },
      resolvers: { Entity: { __resolveReference: () => ({ id: '1', three: fail }) } },
    },
  });

  it.each([
    ['{ items { one again: one two } }', { items: [null] }, ['items', 0, 'one']],
    ['{ item { one again: one two } }', { item: null }, ['item', 'one']],
    ['{ entity { id three again: three } }', { entity: null }, ['entity', 'three']],
  ])('%s reports its error once', async (text, data, path) => {
    const response = await graph.request(text);
    expect([response.data, response.errors]).toEqual([data, [{ message: 'b is unwell', code: 'FAILED', path }]]);
  });
});
