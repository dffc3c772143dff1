import { describe, expect, it } from '@jest/globals';
import { dataOf, errorsOf, runScripted } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const INVALID = 'SUBGRAPH_INVALID_RESPONSE';

const withStock = (request: string) =>
  planOf([
    root('shop', '{ product { __typename id name } }'),
    lookups('stock', [0], [{ at: ['product'], by: ['Product'], request: `{ ...on Product { ${request} } }` }]),
  ]);

describe('a subgraph response of the wrong shape', () => {
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
      'a null item in a list of non-nullable items',
      '{ product { tags } }',
      { product: { tags: ['a', null] } },
      { product: { tags: null } },
      ['product.tags.1'],
    ],
    [
      'a null item in an inner list',
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
      'no type name when the selection depends on it',
      '{ things { ... on Crate { weight } } }',
      { things: [{ id: '1' }] },
      { things: [null] },
      ['things.0'],
    ],
    ['no value for a non-nullable field', '{ must { id } }', {}, null, ['must']],
    ['no value inside a non-nullable field', '{ must { id name } }', { must: { id: '1' } }, null, ['must.name']],
  ])('with %s results in null and one error at the path', async (...row) => {
    const [, text, data, expected, paths] = row;
    const result = await runScripted(text, planOf([root('shop', text)]), { shop: { data } });
    expect(dataOf(result)).toEqual(expected);
    expect(errorsOf(result)).toEqual(paths.map((path) => `${path} ${INVALID}`));
  });

  it.each([
    ['no data', {}],
    ['a list as data', { data: [] }],
    ['a string as data', { data: 'x' }],
  ])('with %s fails each root field', async (_what, response) => {
    const result = await runScripted(
      '{ a: product { id } products { id } }',
      planOf([root('shop', '{ product { id } products { id } }')]),
      {
        shop: response,
      },
    );
    expect(dataOf(result)).toEqual({ a: null, products: null });
    expect(errorsOf(result)).toEqual([`a ${INVALID}`, `products ${INVALID}`]);
  });

  it.each([
    ['too few entities', { _entities: [] }],
    ['too many entities', { _entities: [{}, {}] }],
    ['an object for the entities', { _entities: {} }],
    ['no entities', {}],
    ['null for the entities', { _entities: null }],
    ['a string for an entity', { _entities: ['x'] }],
    ['a list for an entity', { _entities: [[]] }],
  ])('with %s fails the entity fields and no others', async (_what, data) => {
    const result = await runScripted('{ product { name left } }', withStock('left'), {
      shop: { data: { product: { __typename: 'Product', id: '1', name: 'n' } } },
      stock: { data },
    });
    expect(dataOf(result)).toEqual({ product: { name: 'n', left: null } });
    expect(errorsOf(result)).toEqual([`product.left ${INVALID}`]);
  });

  it('with a null entity results in an error only for non-nullable fields', async () => {
    const script = { shop: { data: { product: { __typename: 'Product', id: '1', name: 'n' } } }, stock: { data: { _entities: [null] } } };
    expect(errorsOf(await runScripted('{ product { left } }', withStock('left'), script))).toEqual([]);
    const result = await runScripted('{ product { must } }', withStock('must'), script);
    expect(dataOf(result)).toEqual({ product: null });
    expect(result.errors).toEqual([
      { message: 'Cannot return null for non-nullable field Product.must.', code: INVALID, path: ['product', 'must'] },
    ]);
  });
});

describe('names of inherited object properties', () => {
  it('are ordinary fields and aliases, and null without a value', async () => {
    const text = '{ constructor { toString valueOf: left hasOwnProperty: price } }';
    const plan = planOf([
      root('shop', '{ constructor { __typename id toString } }'),
      lookups('stock', [0], [{ at: ['constructor'], by: ['Product'], request: '{ ...on Product { left price } }' }]),
    ]);
    const shop = () => JSON.parse('{"data":{"constructor":{"__typename":"Product","id":"1","toString":"n"}}}');
    const result = await runScripted(text, plan, { shop, stock: { data: { _entities: [{ left: 3 }] } } });
    expect(result.data).toBe('{"constructor":{"toString":"n","valueOf":3,"hasOwnProperty":null}}');
    expect(result.errors).toEqual([]);
  });

  it('are not read from the prototype when the subgraph returns nothing', async () => {
    const text = '{ constructor { toString } }';
    const result = await runScripted(text, planOf([root('shop', text)]), { shop: { data: {} } });
    expect(result.data).toBe('{"constructor":null}');
  });

  it('are not polluted by a prototype in a subgraph response', async () => {
    const shop = () =>
      JSON.parse('{"data":{"__proto__":{"polluted":1},"product":{"__typename":"Product","id":"1","name":"n","__proto__":{"left":5}}}}');
    const stock = () => JSON.parse('{"data":{"_entities":[{"__proto__":{"left":7}}]}}');
    const result = await runScripted('{ product { name left } }', withStock('left'), { shop, stock });
    expect(result.data).toBe('{"product":{"name":"n","left":null}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('are sent as variables only when the client provides them', async () => {
    const text = 'query ($constructor: ID) { product(id: $constructor) { id } }';
    const plan = planOf([root('shop', '{ product(id: $constructor) { id } }', { constructor: 'ID' })]);
    const given = await runScripted(text, plan, { shop: { data: { product: null } } }, { variables: { constructor: '7' } });
    expect(JSON.parse(given.requests[0]?.body ?? '')).toMatchObject({ variables: { constructor: '7' } });
    const absent = await runScripted(text, plan, { shop: { data: { product: null } } });
    expect(JSON.parse(absent.requests[0]?.body ?? '')).toMatchObject({ variables: {} });
  });
});
