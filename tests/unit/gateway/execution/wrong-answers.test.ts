import { describe, expect, it } from '@jest/globals';
import { dataOf, errorsOf, runScripted } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const INVALID = 'SUBGRAPH_INVALID_RESPONSE';

const withStock = (ask: string) =>
  planOf([
    root('shop', '{ product { __typename id name } }'),
    lookups('stock', [0], [{ at: ['product'], by: ['Product'], ask: `{ ...on Product { ${ask} } }` }]),
  ]);

describe('given a subgraph whose answer is not of the shape that was asked for', () => {
  it.each([
    ['an object for a list', '{ products { id } }', { products: {} }, { products: null }, ['products']],
    ['a list for an object', '{ product { id } }', { product: [] }, { product: null }, ['product']],
    ['a string for an object', '{ product { id } }', { product: 'x' }, { product: null }, ['product']],
    ['a string for an integer', '{ product { count } }', { product: { count: '1' } }, { product: { count: null } }, ['product.count']],
    ['a fraction for an integer', '{ product { count } }', { product: { count: 1.5 } }, { product: { count: null } }, ['product.count']],
    ['too large an integer', '{ product { count } }', { product: { count: 2 ** 31 } }, { product: { count: null } }, ['product.count']],
    ['a string for a float', '{ product { price } }', { product: { price: '1' } }, { product: { price: null } }, ['product.price']],
    ['a number for a string', '{ product { name } }', { product: { name: 1 } }, { product: null }, ['product.name']],
    ['an object for a string', '{ product { name } }', { product: { name: {} } }, { product: null }, ['product.name']],
    ['a boolean for an id', '{ product { id } }', { product: { id: true } }, { product: null }, ['product.id']],
    ['a number for a boolean', '{ product { isNew } }', { product: { isNew: 1 } }, { product: { isNew: null } }, ['product.isNew']],
    ['an unknown enum value', '{ product { size } }', { product: { size: 'HUGE' } }, { product: { size: null } }, ['product.size']],
    [
      'an inherited name for an enum value',
      '{ product { size } }',
      { product: { size: 'toString' } },
      { product: { size: null } },
      ['product.size'],
    ],
    [
      'a null item that must not be',
      '{ product { tags } }',
      { product: { tags: ['a', null] } },
      { product: { tags: null } },
      ['product.tags.1'],
    ],
    [
      'a null in an inner list',
      '{ product { matrix } }',
      { product: { matrix: [[1], [2, null]] } },
      { product: { matrix: [[1], null] } },
      ['product.matrix.1.1'],
    ],
    [
      'a value for an inner list',
      '{ product { matrix } }',
      { product: { matrix: [1, [2]] } },
      { product: { matrix: [null, [2]] } },
      ['product.matrix.0'],
    ],
    ['no type name in a union', '{ items { ... on Crate { id } } }', { items: [{ id: '1' }] }, { items: [null] }, ['items.0']],
    ['a type of another union', '{ items { __typename } }', { items: [{ __typename: 'Product' }] }, { items: [null] }, ['items.0']],
    [
      'an inherited name for a type',
      '{ items { __typename } }',
      { items: [{ __typename: 'constructor' }] },
      { items: [null] },
      ['items.0'],
    ],
    ['a number for a type name', '{ things { id } }', { things: [{ __typename: 1, id: '1' }] }, { things: [null] }, ['things.0']],
    [
      'no type name where it matters',
      '{ things { ... on Crate { weight } } }',
      { things: [{ id: '1' }] },
      { things: [null] },
      ['things.0'],
    ],
    ['nothing where something must be', '{ must { id } }', {}, null, ['must']],
    ['nothing inside what must be', '{ must { id name } }', { must: { id: '1' } }, null, ['must.name']],
  ])('when it has %s, then there is null and one error at the place', async (...row) => {
    const [, text, data, expected, paths] = row;
    const outcome = await runScripted(text, planOf([root('shop', text)]), { shop: { data } });
    expect(dataOf(outcome)).toEqual(expected);
    expect(errorsOf(outcome)).toEqual(paths.map((path) => `${path} ${INVALID}`));
  });

  it.each([
    ['no data at all', {}],
    ['data that are a list', { data: [] }],
    ['data that are a text', { data: 'x' }],
  ])('when the answer to a root has %s, then each field says so', async (_what, answer) => {
    const outcome = await runScripted(
      '{ a: product { id } products { id } }',
      planOf([root('shop', '{ product { id } products { id } }')]),
      {
        shop: answer,
      },
    );
    expect(dataOf(outcome)).toEqual({ a: null, products: null });
    expect(errorsOf(outcome)).toEqual([`a ${INVALID}`, `products ${INVALID}`]);
  });

  it.each([
    ['too few entities', { _entities: [] }],
    ['too many entities', { _entities: [{}, {}] }],
    ['an object for the entities', { _entities: {} }],
    ['no entities', {}],
    ['null for the entities', { _entities: null }],
    ['a text for an entity', { _entities: ['x'] }],
    ['a list for an entity', { _entities: [[]] }],
  ])('when the answer about entities has %s, then the fields say so and the rest stands', async (_what, data) => {
    const outcome = await runScripted('{ product { name left } }', withStock('left'), {
      shop: { data: { product: { __typename: 'Product', id: '1', name: 'n' } } },
      stock: { data },
    });
    expect(dataOf(outcome)).toEqual({ product: { name: 'n', left: null } });
    expect(errorsOf(outcome)).toEqual([`product.left ${INVALID}`]);
  });

  it('when an entity is not known, then its fields are null, and only what must not be null is an error', async () => {
    const script = { shop: { data: { product: { __typename: 'Product', id: '1', name: 'n' } } }, stock: { data: { _entities: [null] } } };
    expect(errorsOf(await runScripted('{ product { left } }', withStock('left'), script))).toEqual([]);
    const outcome = await runScripted('{ product { must } }', withStock('must'), script);
    expect(dataOf(outcome)).toEqual({ product: null });
    expect(outcome.errors).toEqual([
      { message: 'Cannot return null for non-nullable field Product.must.', code: INVALID, path: ['product', 'must'] },
    ]);
  });
});

describe('given names that objects inherit', () => {
  it('when they are fields and aliases, then they are like any other, and null where nothing came', async () => {
    const text = '{ constructor { toString valueOf: left hasOwnProperty: price } }';
    const plan = planOf([
      root('shop', '{ constructor { __typename id toString } }'),
      lookups('stock', [0], [{ at: ['constructor'], by: ['Product'], ask: '{ ...on Product { left price } }' }]),
    ]);
    const shop = () => JSON.parse('{"data":{"constructor":{"__typename":"Product","id":"1","toString":"n"}}}');
    const outcome = await runScripted(text, plan, { shop, stock: { data: { _entities: [{ left: 3 }] } } });
    expect(outcome.data).toBe('{"constructor":{"toString":"n","valueOf":3,"hasOwnProperty":null}}');
    expect(outcome.errors).toEqual([]);
  });

  it('when nothing came for them, then nothing inherited stands there', async () => {
    const text = '{ constructor { toString } }';
    const outcome = await runScripted(text, planOf([root('shop', text)]), { shop: { data: {} } });
    expect(outcome.data).toBe('{"constructor":null}');
  });

  it('when a subgraph sends a prototype along, then nothing takes it over', async () => {
    const shop = () =>
      JSON.parse('{"data":{"__proto__":{"polluted":1},"product":{"__typename":"Product","id":"1","name":"n","__proto__":{"left":5}}}}');
    const stock = () => JSON.parse('{"data":{"_entities":[{"__proto__":{"left":7}}]}}');
    const outcome = await runScripted('{ product { name left } }', withStock('left'), { shop, stock });
    expect(outcome.data).toBe('{"product":{"name":"n","left":null}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('when variables have such names, then those that are there reach the subgraph, and nothing inherited does', async () => {
    const text = 'query ($constructor: ID) { product(id: $constructor) { id } }';
    const plan = planOf([root('shop', '{ product(id: $constructor) { id } }', { constructor: 'ID' })]);
    const given = await runScripted(text, plan, { shop: { data: { product: null } } }, { variables: { constructor: '7' } });
    expect(JSON.parse(given.requests[0]?.body ?? '')).toMatchObject({ variables: { constructor: '7' } });
    const absent = await runScripted(text, plan, { shop: { data: { product: null } } });
    expect(JSON.parse(absent.requests[0]?.body ?? '')).toMatchObject({ variables: {} });
  });
});
