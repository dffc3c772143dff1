import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { dataOf, errorsOf, runScripted, scriptedGraph } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const WITH_STOCK = planOf(
  [
    root('shop', '{ products { __typename id name } }'),
    lookups(
      'stock',
      [0],
      [{ at: ['products'], by: ['Product'], request: '{ ...on Product { left left_1: left(unit: "kg") price tax } }' }],
    ),
  ],
  { withArguments: { 'left(unit:"kg")': 'left_1' } },
);
const product = (id: string) => ({ __typename: 'Product', id, name: `n${id}` });
const error = (path: readonly (string | number)[]) => ({ message: 'x', code: 'CONFLICT', path });

describe('fields under several response keys', () => {
  it('report an error for each key when their value fails', async () => {
    const result = await runScripted('{ all: products { a: left b: left } products { c: left(unit: "kg") left } }', WITH_STOCK, {
      shop: { data: { products: [product('1')] } },
      stock: { data: { _entities: [{ left: null, left_1: 3 }] }, errors: [error(['_entities', 0, 'left'])] },
    });
    expect(dataOf(result)).toEqual({ all: [{ a: null, b: null }], products: [{ c: 3, left: null }] });
    expect(errorsOf(result)).toEqual(['all.0.a CONFLICT', 'all.0.b CONFLICT', 'products.0.left CONFLICT']);
  });

  it('report an error for each key when their fetch fails', async () => {
    const stock = new GatewayError('SUBGRAPH_UNAVAILABLE', 'Down.');
    const result = await runScripted('{ all: products { a: left b: left } products { tax } }', WITH_STOCK, {
      shop: { data: { products: [product('1')] } },
      stock,
    });
    expect(errorsOf(result)).toEqual(['all.0.a', 'all.0.b', 'products.0.tax'].map((path) => `${path} SUBGRAPH_UNAVAILABLE`));
  });

  it('report no error of a field that the client did not select', async () => {
    const result = await runScripted('{ products { left } }', WITH_STOCK, {
      shop: { data: { products: [product('1')] }, errors: [error(['products', 0, 'name'])] },
      stock: { data: { _entities: [{ left: 1, price: null }] }, errors: [error(['_entities', 0, 'price'])] },
    });
    expect(dataOf(result)).toEqual({ products: [{ left: 1 }] });
    expect(result.errors).toEqual([]);
  });

  it('report the error of such a field at the null that it causes for the client', async () => {
    const result = await runScripted('{ products { name left } }', WITH_STOCK, {
      shop: { data: { products: [product('1')] } },
      stock: { data: { _entities: [null] }, errors: [error(['_entities', 0, 'price'])] },
    });
    expect(dataOf(result)).toEqual({ products: [{ name: 'n1', left: null }] });
    expect(errorsOf(result)).toEqual(['products.0.left CONFLICT']);
  });
});

describe('response keys of a client', () => {
  const text = '{ f0: products { f1: name left } }';
  const script = {
    shop: { data: { products: [product('1')] } },
    stock: { data: { _entities: [{ left: null }] }, errors: [error(['_entities', 0, 'left'])] },
  };

  it('appear in the data and errors of this client', async () => {
    const aliases = new Map([
      ['f0', 'everything'],
      ['f1', 'title'],
      ['left', 'amount'],
    ]);
    const result = await runScripted(text, WITH_STOCK, script, { aliases });
    expect(result.data).toBe('{"everything":[{"title":"n1","amount":null}]}');
    expect(errorsOf(result)).toEqual(['everything.0.amount CONFLICT']);
    const other = await runScripted(text, WITH_STOCK, script, {
      aliases: new Map([
        ['f1', 'left'],
        ['left', 'f1'],
      ]),
    });
    expect(other.data).toBe('{"f0":[{"left":"n1","f1":null}]}');
    expect(errorsOf(other)).toEqual(['f0.0.f1 CONFLICT']);
    expect((await runScripted(text, WITH_STOCK, script)).data).toBe('{"f0":[{"f1":"n1","left":null}]}');
  });
});

describe('fields of one name and different types', () => {
  const runNodes = scriptedGraph(
    buildSchema(`
      type Query { nodes: [Node] }
      interface Node { id: ID! }
      type Pot implements Node { id: ID! size: Int owner: Owner }
      type Hat implements Node { id: ID! size: String! owner: Owner }
      type Owner { id: ID! name: String }
    `),
  );
  const plan = planOf(
    [
      root('a', '{ nodes { __typename ... on Pot { size owner { id } } ... on Hat { size_1: size owner { id } } } }'),
      lookups('b', [0], [{ at: ['nodes|Hat.owner'], by: ['*Owner'], request: '{ ...on Owner { name } }' }]),
    ],
    { beneathAbstract: { 'Hat.size': '_1' } },
  );
  const text = '{ nodes { ... on Pot { s: size } ... on Hat { t: size owner { name } } } }';

  it('are each read under the key of their type', async () => {
    const nodes = [
      { __typename: 'Pot', size: 3, owner: { id: 'x' } },
      { __typename: 'Hat', size_1: 'L', owner: { id: 'y' } },
    ];
    const result = await runNodes(text, plan, { a: { data: { nodes } }, b: { data: { _entities: [{ name: 'Y' }] } } });
    expect(dataOf(result)).toEqual({ nodes: [{ s: 3 }, { t: 'L', owner: { name: 'Y' } }] });
    expect(JSON.parse(result.requests[1]?.body ?? '').variables.representations).toEqual([{ __typename: 'Owner', id: 'y' }]);
  });

  it('report an error at the selected field when a null hides the type', async () => {
    const errors = [error(['nodes', 0, 'size_1'])];
    const result = await runNodes(text, plan, { a: { data: { nodes: [null] }, errors } });
    expect(dataOf(result)).toEqual({ nodes: [null] });
    expect(errorsOf(result)).toEqual(['nodes.0.t CONFLICT']);
  });
});
