import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { dataOf, errorsOf, runScripted, scriptedGraph } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const WITH_STOCK = planOf(
  [
    root('shop', '{ products { __typename id name } }'),
    lookups('stock', [0], [{ at: ['products'], by: ['Product'], ask: '{ ...on Product { left left_1: left(unit: "kg") price tax } }' }]),
  ],
  { withArguments: { 'left(unit:"kg")': 'left_1' } },
);
const product = (id: string) => ({ __typename: 'Product', id, name: `n${id}` });
const error = (path: readonly (string | number)[]) => ({ message: 'x', code: 'CONFLICT', path });

describe('given fields under several response keys', () => {
  it('when their value fails, then there is an error for each, as if each had been resolved', async () => {
    const outcome = await runScripted('{ all: products { a: left b: left } products { c: left(unit: "kg") left } }', WITH_STOCK, {
      shop: { data: { products: [product('1')] } },
      stock: { data: { _entities: [{ left: null, left_1: 3 }] }, errors: [error(['_entities', 0, 'left'])] },
    });
    expect(dataOf(outcome)).toEqual({ all: [{ a: null, b: null }], products: [{ c: 3, left: null }] });
    expect(errorsOf(outcome)).toEqual(['all.0.a CONFLICT', 'all.0.b CONFLICT', 'products.0.left CONFLICT']);
  });

  it('when their fetch fails, then there is an error for each', async () => {
    const stock = new GatewayError('SUBGRAPH_UNAVAILABLE', 'Down.');
    const outcome = await runScripted('{ all: products { a: left b: left } products { tax } }', WITH_STOCK, {
      shop: { data: { products: [product('1')] } },
      stock,
    });
    expect(errorsOf(outcome)).toEqual(['all.0.a', 'all.0.b', 'products.0.tax'].map((path) => `${path} SUBGRAPH_UNAVAILABLE`));
  });

  it('when an error is of a field that the client did not ask for, then nothing is said of it', async () => {
    const outcome = await runScripted('{ products { left } }', WITH_STOCK, {
      shop: { data: { products: [product('1')] }, errors: [error(['products', 0, 'name'])] },
      stock: { data: { _entities: [{ left: 1, price: null }] }, errors: [error(['_entities', 0, 'price'])] },
    });
    expect(dataOf(outcome)).toEqual({ products: [{ left: 1 }] });
    expect(outcome.errors).toEqual([]);
  });

  it('when such a field takes its entity along, then its error stands where the client misses something', async () => {
    const outcome = await runScripted('{ products { name left } }', WITH_STOCK, {
      shop: { data: { products: [product('1')] } },
      stock: { data: { _entities: [null] }, errors: [error(['_entities', 0, 'price'])] },
    });
    expect(dataOf(outcome)).toEqual({ products: [{ name: 'n1', left: null }] });
    expect(errorsOf(outcome)).toEqual(['products.0.left CONFLICT']);
  });
});

describe('given a client that has names of its own for response keys', () => {
  const text = '{ f0: products { f1: name left } }';
  const script = {
    shop: { data: { products: [product('1')] } },
    stock: { data: { _entities: [{ left: null }] }, errors: [error(['_entities', 0, 'left'])] },
  };

  it('when it is answered, then data and errors have the names of this client', async () => {
    const aliases = new Map([
      ['f0', 'everything'],
      ['f1', 'title'],
      ['left', 'amount'],
    ]);
    const outcome = await runScripted(text, WITH_STOCK, script, { aliases });
    expect(outcome.data).toBe('{"everything":[{"title":"n1","amount":null}]}');
    expect(errorsOf(outcome)).toEqual(['everything.0.amount CONFLICT']);
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

describe('given fields of one name and different types', () => {
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
      lookups('b', [0], [{ at: ['nodes|Hat.owner'], by: ['*Owner'], ask: '{ ...on Owner { name } }' }]),
    ],
    { beneathAbstract: { 'Hat.size': '_1' } },
  );
  const text = '{ nodes { ... on Pot { s: size } ... on Hat { t: size owner { name } } } }';

  it('when both are there, then each is found where it is', async () => {
    const nodes = [
      { __typename: 'Pot', size: 3, owner: { id: 'x' } },
      { __typename: 'Hat', size_1: 'L', owner: { id: 'y' } },
    ];
    const outcome = await runNodes(text, plan, { a: { data: { nodes } }, b: { data: { _entities: [{ name: 'Y' }] } } });
    expect(dataOf(outcome)).toEqual({ nodes: [{ s: 3 }, { t: 'L', owner: { name: 'Y' } }] });
    expect(JSON.parse(outcome.requests[1]?.body ?? '').variables.representations).toEqual([{ __typename: 'Owner', id: 'y' }]);
  });

  it('when one took its object along, so that nobody knows the type, then the error stands where the client has it', async () => {
    const errors = [error(['nodes', 0, 'size_1'])];
    const outcome = await runNodes(text, plan, { a: { data: { nodes: [null] }, errors } });
    expect(dataOf(outcome)).toEqual({ nodes: [null] });
    expect(errorsOf(outcome)).toEqual(['nodes.0.t CONFLICT']);
  });
});
