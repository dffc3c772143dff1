import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { dataOf, runScripted } from './scripted-graph.ts';

interface Body {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const bodiesOf = (requests: readonly { readonly body: string }[]): readonly Body[] => requests.map(({ body }) => JSON.parse(body));

describe('given a variable that decides what is skipped', () => {
  it('when it is null or absent, then the operation is refused before anybody is asked', async () => {
    let asked = 0;
    const shop = () => {
      asked += 1;
      return { data: {} };
    };
    const text = 'query ($s: Boolean = true) { product { id @skip(if: $s) name } }';
    for (const variables of [{ s: null }, {}]) {
      await expect(runScripted(text, { shop }, { variables })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    }
    expect(asked).toBe(0);
  });

  it('when more combinations occur than shapes are kept, then each is still answered right', async () => {
    const text = 'query ($a: Boolean!, $b: Boolean!) { product { id @skip(if: $a) name @skip(if: $b) } }';
    const shop = { data: { product: { id: '1', name: 'n' } } };
    for (const [a, b] of [
      [true, false],
      [false, true],
      [false, false],
      [true, false],
    ] as const) {
      const outcome = await runScripted(text, { shop }, { variables: { a, b }, settings: { maxShapes: 1 } });
      expect(dataOf(outcome)).toEqual({ product: { ...(!a && { id: '1' }), ...(!b && { name: 'n' }) } });
    }
  });
});

describe('given entities', () => {
  const entity = (id: number) => ({ __typename: 'Product', id: `${id}`, name: 'n' });

  it('when several are equal, then the subgraph is asked about each once, and all places are filled', async () => {
    const script = {
      shop: { data: { products: [entity(1), entity(2), entity(1)] } },
      stock: { data: { _entities: [{ place: { city: 'a' } }, { place: { city: 'b' } }] } },
    };
    const outcome = await runScripted('{ products { place { city } } }', script);
    expect(dataOf(outcome)).toEqual({ products: ['a', 'b', 'a'].map((city) => ({ place: { city } })) });
    expect(bodiesOf(outcome.requests)[1]?.variables).toEqual({
      representations: [
        { __typename: 'Product', id: '1' },
        { __typename: 'Product', id: '2' },
      ],
    });
  });

  it('when there are none, then the subgraph is not asked', async () => {
    for (const products of [[], null]) {
      const { requests, errors } = await runScripted('{ products { left } }', { shop: { data: { products } } });
      expect(requests).toHaveLength(1);
      expect(errors).toEqual([]);
    }
  });

  it("when the client has a variable with the planner's name, then both reach the subgraph", async () => {
    const text = 'query ($representations: Int) { product { near(representations: $representations) } }';
    const script = { shop: { data: { product: entity(1) } }, stock: { data: { _entities: [{ near: 5 }] } } };
    const outcome = await runScripted(text, script, { variables: { representations: 4 } });
    const [, body] = bodiesOf(outcome.requests);
    expect(dataOf(outcome)).toEqual({ product: { near: 5 } });
    expect(body?.variables).toEqual({ representations: 4, representations_0: [{ __typename: 'Product', id: '1' }] });
    expect(() => parse(body?.query ?? '')).not.toThrow();
    expect(body?.query).toContain('_entities(representations:$representations_0)');
    expect(body?.query).toContain('near(representations:$representations)');
  });
});

describe('given mutations', () => {
  it('when one waits for its answer, then the next is not sent before', async () => {
    const order: string[] = [];
    const step =
      (name: string) =>
      async ({ query }: Body) => {
        order.push(`${name} starts`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
        return { data: query.includes('other') ? { other: 'x' } : { one: 'x', two: 'x' } };
      };
    await runScripted('mutation { one: step(name: "a") other two: step(name: "b") }', { shop: step('shop'), stock: step('stock') });
    expect(order).toEqual(['shop starts', 'shop ends', 'stock starts', 'stock ends', 'shop starts', 'shop ends']);
  });
});

describe('given one compiled operation', () => {
  it('when the answer has numbers, texts and ids in all forms, then they are printed as JSON wants them', async () => {
    const product = {
      __typename: 'Product',
      id: 7,
      name: 'a"\\\n\u2028\ud800😀',
      price: 1e21,
      count: -0,
      isNew: false,
      tags: [],
      matrix: [[], [0]],
    };
    const outcome = await runScripted('{ product { id name price count isNew tags matrix } }', { shop: { data: { product } } });
    expect(dataOf(outcome)).toEqual({
      product: { id: '7', name: product.name, price: 1e21, count: 0, isNew: false, tags: [], matrix: [[], [0]] },
    });
  });
});
