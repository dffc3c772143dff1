import { describe, expect, it } from '@jest/globals';
import { type DocumentNode, type OperationDefinitionNode, buildSchema, parse } from 'graphql';
import { compileOperation } from '../../../../gateway/execution/compile-operation.ts';
import type { ExecutableOperation } from '../../../../gateway/execution/executable-operation.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import type { SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { retainedBytes } from '../../../support/process/measure-heap.ts';
import { bodiesOf, dataOf, errorsOf, runScripted } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const entity = (id: unknown, more: object = {}) => ({ __typename: 'Product', id, name: 'n', ...more });
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('plan of a subscription', () => {
  const SCHEMA = buildSchema('type Query { a: Int } type Subscription { product(id: ID): Product } type Product { id: ID! name: String }');
  const text = 'subscription ($id: ID) { product(id: $id) { id name } }';
  const plan = planOf([
    root('shop', 'subscription { product(id: $id) { id } }', { id: 'ID' }),
    lookups('names', [0], [{ at: ['product'], by: ['*Product { id }'], request: '{ ... on Product { name } }' }]),
  ]);

  it('exposes the source request and runs an event with the rest of the plan', async () => {
    const document = parse(text);
    const operation = document.definitions[0] as OperationDefinitionNode;
    const executable = compileOperation({ plan, schema: SCHEMA, document, operation, conditions: {} });
    const { source } = executable;
    expect(source?.subgraph).toBe('shop');
    expect(JSON.parse(source?.bodyFor({ id: '7' }) ?? '')).toEqual({
      query: 'subscription($id:ID){product(id:$id){id}}',
      variables: { id: '7' },
    });
    const requested: SubgraphRequest[] = [];
    const run = executable.execute({
      variables: { id: '7' },
      context: { principal: ANONYMOUS, correlationId: 'test', headers: {} },
      signal: new AbortController().signal,
      executor: async (request) => {
        requested.push(request);
        return { data: request.kind === 'subscription' ? { product: { id: '7' } } : { _entities: [{ name: 'Crate' }] } };
      },
    });
    expect(JSON.parse((await run).data)).toEqual({ product: { id: '7', name: 'Crate' } });
    expect(requested.map(({ kind, subgraph }) => `${kind} ${subgraph}`)).toEqual(['subscription shop', 'query names']);
  });
});

describe('a compiled operation', () => {
  const schema = buildSchema('type Query { products: [Product!] } type Product { id: ID! maker: Maker } type Maker { name: String }');

  /** Compiles in a separate function, so that no variable of the test holds the document. */
  function compile(): { readonly executable: ExecutableOperation; readonly document: WeakRef<DocumentNode> } {
    const document = parse('{ products { id maker { name } } }');
    const plan = planOf([root('shop', '{ products { id maker { name } } }')]);
    const operation = document.definitions[0] as OperationDefinitionNode;
    return { executable: compileOperation({ plan, schema, document, operation, conditions: {} }), document: new WeakRef(document) };
  }

  it('releases the document after a response with values of all its types', async () => {
    const { executable, document } = compile();
    const run = async (data: Record<string, unknown>): Promise<string> => {
      const context = { principal: ANONYMOUS, correlationId: 'test', headers: {} };
      const result = await executable.execute({
        variables: {},
        context,
        signal: new AbortController().signal,
        executor: async () => ({ data }),
      });
      return result.data;
    };
    expect(await run({ products: [{ id: '1', maker: { name: 'n' } }] })).toBe('{"products":[{"id":"1","maker":{"name":"n"}}]}');
    await retainedBytes();
    expect(document.deref()).toBeUndefined();
    expect(await run({ products: [{ id: '2', maker: null }] })).toBe('{"products":[{"id":"2","maker":null}]}');
  });
});

describe('decided conditions', () => {
  it('omit fields that are skipped or not included', async () => {
    const text = `query ($yes: Boolean!, $no: Boolean!) {
      product { id @skip(if: $yes) name @skip(if: $no) ... @include(if: $no) { count } ...More @include(if: $yes) price @include(if: false) }
    }
    fragment More on Product { size @include(if: $yes) }`;
    const shop = { data: { product: { name: 'n', size: 'SMALL' } } };
    const conditions = { yes: true, no: false };
    const result = await runScripted(text, planOf([root('shop', '{ product { name size } }')]), { shop }, { settings: { conditions } });
    expect(dataOf(result)).toEqual({ product: { name: 'n', size: 'SMALL' } });
    expect(result.errors).toEqual([]);
  });
});

describe('entities', () => {
  const places = planOf([
    root('shop', '{ products { __typename id } }'),
    lookups('stock', [0], [{ at: ['products'], by: ['Product'], request: '{ ...on Product { place { city } } }' }]),
  ]);

  it('are fetched once when they are equal, and fill all positions', async () => {
    const script = {
      shop: { data: { products: [entity('1'), entity('2'), entity('1')] } },
      stock: { data: { _entities: [{ place: { city: 'a' } }, { place: { city: 'b' } }] } },
    };
    const result = await runScripted('{ products { place { city } } }', places, script);
    expect(dataOf(result)).toEqual({ products: ['a', 'b', 'a'].map((city) => ({ place: { city } })) });
    expect(bodiesOf(result)[1]).toEqual({
      query: 'query($representations:[_Any!]!){_entities(representations:$representations){...on Product{place{city}}}}',
      variables: {
        representations: [
          { __typename: 'Product', id: '1' },
          { __typename: 'Product', id: '2' },
        ],
      },
    });
  });

  it('cause no fetch when the list is empty or null', async () => {
    for (const products of [[], null]) {
      const { requests, errors } = await runScripted('{ products { place { city } } }', places, { shop: { data: { products } } });
      expect(requests).toHaveLength(1);
      expect(errors).toEqual([]);
    }
  });

  it('are found in nested lists with nulls, which remain null', async () => {
    const plan = planOf([
      root('shop', '{ grid { __typename id } }'),
      lookups('stock', [0], [{ at: ['grid'], by: ['*Product'], request: '{ ...on Product { left } }' }]),
    ]);
    const script = {
      shop: { data: { grid: [[entity('1'), null], null, [entity('2'), entity('1')]] } },
      stock: { data: { _entities: [{ left: 1 }, { left: 2 }] } },
    };
    const result = await runScripted('{ grid { left } }', plan, script);
    expect(dataOf(result)).toEqual({ grid: [[{ left: 1 }, null], null, [{ left: 2 }, { left: 1 }]] });
  });

  it('are fetched with client variables that have the names of internal variables', async () => {
    const text = 'query ($representations: Int = 4) { product { near(representations: $representations) } }';
    const types = { representations: 'Int=4' };
    const request = '{ ...on Product { near(representations: $representations) } }';
    const plan = planOf(
      [root('shop', '{ product { __typename id } }'), lookups('stock', [0], [{ at: ['product'], by: ['Product'], request }], types)],
      { withArguments: { 'near(representations:$representations)': 'near' } },
    );
    const script = { shop: { data: { product: entity('1') } }, stock: { data: { _entities: [{ near: 5 }] } } };
    const result = await runScripted(text, plan, script, { variables: { representations: 4 } });
    const [, body] = bodiesOf(result);
    expect(dataOf(result)).toEqual({ product: { near: 5 } });
    expect(() => parse(body?.query ?? '')).not.toThrow();
    expect(body?.query).toContain('query($representations:Int=4,$representations_:[_Any!]!){_entities(representations:$representations_)');
    expect(body?.variables).toEqual({ representations: 4, representations_: [{ __typename: 'Product', id: '1' }] });
  });
});

describe('several lookups in one fetch', () => {
  const text = '{ product { left } products { place { city } } }';
  const plan = planOf([
    root('shop', '{ product { __typename id } products { __typename id } }'),
    lookups(
      'stock',
      [0],
      [
        { at: ['product'], by: ['Product'], request: '{ ...on Product { left } }' },
        { at: ['products'], by: ['Product'], request: '{ ...on Product { place { city } } }' },
      ],
    ),
  ]);

  it('share one request when all have objects', async () => {
    const shop = { data: { product: entity('1'), products: [entity('2')] } };
    const stock = { data: { _entities_0: [{ left: 1 }], _entities_1: [{ place: { city: 'a' } }] } };
    const result = await runScripted(text, plan, { shop, stock });
    expect(dataOf(result)).toEqual({ product: { left: 1 }, products: [{ place: { city: 'a' } }] });
    expect(result.requests).toHaveLength(2);
    expect(bodiesOf(result)[1]?.variables).toEqual({
      representations_0: [{ __typename: 'Product', id: '1' }],
      representations_1: [{ __typename: 'Product', id: '2' }],
    });
    expect(() => parse(bodiesOf(result)[1]?.query ?? '')).not.toThrow();
  });

  it('are omitted from the request when they have no objects', async () => {
    const shop = { data: { product: null, products: [entity('2')] } };
    const stock = { data: { _entities_1: [{ place: { city: 'a' } }] } };
    const result = await runScripted(text, plan, { shop, stock });
    expect(dataOf(result)).toEqual({ product: null, products: [{ place: { city: 'a' } }] });
    expect(bodiesOf(result)[1]).toEqual({
      query: 'query($representations_1:[_Any!]!){_entities_1:_entities(representations:$representations_1){...on Product{place{city}}}}',
      variables: { representations_1: [{ __typename: 'Product', id: '2' }] },
    });
  });

  it('report an error at the objects of the lookup that failed', async () => {
    const shop = { data: { product: entity('1'), products: [entity('2'), entity('3')] } };
    const stock = {
      data: { _entities_0: [{ left: 1 }], _entities_1: [{ place: null }, { place: { city: 'a' } }] },
      errors: [{ message: 'x', code: 'CONFLICT', path: ['_entities_1', 0, 'place', 'city'] }],
    };
    const result = await runScripted(text, plan, { shop, stock });
    expect(dataOf(result)).toEqual({ product: { left: 1 }, products: [{ place: null }, { place: { city: 'a' } }] });
    expect(errorsOf(result)).toEqual(['products.0.place.city CONFLICT']);
  });
});

describe('dependent fetches', () => {
  const plan = planOf([
    root('slow', '{ product { __typename id } }'),
    root('quick', '{ products { __typename id } }'),
    lookups('stock', [1], [{ at: ['products'], by: ['Product'], request: '{ ...on Product { left } }' }]),
    lookups('tax', [0], [{ at: ['product'], by: ['Product'], request: '{ ...on Product { tax } }' }]),
  ]);

  it('start when their own dependencies end, while other fetches still run', async () => {
    const order: string[] = [];
    const respond = (name: string, ticks: number, data: object) => async () => {
      order.push(`${name} starts`);
      for (let count = 0; count < ticks; count += 1) await tick();
      order.push(`${name} ends`);
      return { data };
    };
    const result = await runScripted('{ product { tax } products { left } }', plan, {
      slow: respond('slow', 5, { product: entity('1') }),
      quick: respond('quick', 1, { products: [entity('2')] }),
      stock: respond('stock', 1, { _entities: [{ left: 3 }] }),
      tax: respond('tax', 1, { _entities: [{ tax: 4 }] }),
    });
    expect(dataOf(result)).toEqual({ product: { tax: 4 }, products: [{ left: 3 }] });
    expect(order).toEqual([
      'slow starts',
      'quick starts',
      'quick ends',
      'stock starts',
      'stock ends',
      'slow ends',
      'tax starts',
      'tax ends',
    ]);
  });

  it('end with an unexpected error, after which no other fetch starts', async () => {
    const defect = new TypeError('defect');
    const requested: string[] = [];
    const quick = async () => {
      await tick();
      await tick();
      requested.push('quick');
      return { data: { products: [entity('2')] } };
    };
    const stock = () => requested.push('stock');
    await expect(runScripted('{ products { left } }', plan, { slow: defect, quick, stock })).rejects.toBe(defect);
    for (let count = 0; count < 6; count += 1) await tick();
    expect(requested).toEqual(['quick']);
  });

  it('run mutations one after the other, and equal ones as often as they occur', async () => {
    const order: string[] = [];
    const step =
      (name: string) =>
      async ({ query }: { query: string }) => {
        order.push(`${name} starts`);
        await tick();
        order.push(`${name} ends`);
        return { data: query.includes('other') ? { other: 'x' } : query.includes('one') ? { one: '1' } : { two: '2' } };
      };
    const steps = planOf([
      root('shop', 'mutation { one: step(name: "a") }'),
      root('stock', 'mutation { other }', {}, [0]),
      root('shop', 'mutation { two: step(name: "a") }', {}, [1]),
    ]);
    const text = 'mutation { one: step(name: "a") other two: step(name: "a") }';
    const result = await runScripted(text, steps, { shop: step('shop'), stock: step('stock') });
    expect(dataOf(result)).toEqual({ one: '1', other: 'x', two: '2' });
    expect(order).toEqual(['shop starts', 'shop ends', 'stock starts', 'stock ends', 'shop starts', 'shop ends']);
    expect(bodiesOf(result)[0]?.query).toBe('mutation{one:step(name:"a")}');
  });
});

describe('an operation that needs no subgraph', () => {
  it('returns introspection results without a fetch', async () => {
    const text =
      'query ($name: String!) { __typename kind: __type(name: $name) { name } again: __type(name: "Crate") { kind } __schema { queryType { name } } }';
    const result = await runScripted(text, planOf([]), {}, { variables: { name: 'Place' } });
    expect(dataOf(result)).toEqual({
      __typename: 'Query',
      kind: { name: 'Place' },
      again: { kind: 'OBJECT' },
      __schema: { queryType: { name: 'Query' } },
    });
    expect(result.requests).toEqual([]);
  });
});

describe('values of all kinds', () => {
  const product = { id: 7, name: 'a"\\\n\u2028\ud800😀', price: 1e21, count: -0, isNew: false, tags: [], matrix: [[], [0]], toString: 'é' };
  const expected = { ...product, id: '7', count: 0 };
  const text = '{ product { id name price count isNew tags matrix toString } }';

  it('are written as valid JSON', async () => {
    const result = await runScripted(text, planOf([root('shop', text)]), { shop: { data: { product } } });
    expect(dataOf(result)).toEqual({ product: expected });
  });

  it('are escaped correctly when only one of two subgraphs needs no escaping', async () => {
    const both = '{ product { name } places { city } }';
    const plan = planOf([root('shop', '{ product { name } }'), root('stock', '{ places { city } }')]);
    const shop = { data: { product: { name: 'é 😀 \u2028' } }, needsNoEscape: true };
    const stock = { data: { places: [{ city: 'a"b' }] } };
    expect(dataOf(await runScripted(both, plan, { shop, stock }))).toEqual({ product: shop.data.product, places: stock.data.places });
    const alone = await runScripted('{ product { name } }', planOf([root('shop', '{ product { name } }')]), { shop });
    expect(dataOf(alone)).toEqual({ product: shop.data.product });
  });

  it('have a `__typename` of the schema, whatever the subgraph returned', async () => {
    const result = await runScripted('{ product { __typename id __typename } }', planOf([root('shop', '{ product { id } }')]), {
      shop: { data: { product: { __typename: 'Other', id: '1' } } },
    });
    expect(result.data).toBe('{"product":{"__typename":"Product","id":"1"}}');
  });
});
