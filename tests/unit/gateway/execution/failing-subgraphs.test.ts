import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { dataOf, errorsOf, runScripted } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const down = new GatewayError('SUBGRAPH_UNAVAILABLE', 'A service that is needed for this cannot be reached.');
const slow = new GatewayError('SUBGRAPH_TIMEOUT', 'A service that is needed for this took too long.');
const ofProducts = (request: string, at = 'products') =>
  planOf([
    root('shop', `{ ${at} { __typename id name } }`),
    lookups('stock', [0], [{ at: [at], by: ['Product'], request: `{ ...on Product { ${request} } }` }]),
  ]);
const TWO_ROOTS = planOf([root('shop', '{ product { id } products { id } }')]);
const LABEL = planOf([
  root('shop', '{ product { __typename id name price } }'),
  lookups('stock', [0], [{ at: ['product'], by: ['Product { id price }'], request: '{ ...on Product { tax } }' }]),
  lookups('tax', [0, 1], [{ at: ['product'], by: ['Product { id tax }'], request: '{ ...on Product { label } }' }]),
]);
const STEPS = planOf([
  root('shop', 'mutation { one: step(name: "first") }'),
  root('stock', 'mutation { other }', {}, [0]),
  root('shop', 'mutation { two: step(name: "second") }', {}, [1]),
]);
const RELATED = planOf([
  root('shop', '{ product { related { __typename id } } }'),
  lookups('stock', [0], [{ at: ['product.related'], by: ['Product'], request: '{ ...on Product { left } }' }]),
]);
const product = (id: string, more: object = {}) => ({ __typename: 'Product', id, name: `n${id}`, ...more });

describe('a subgraph that cannot be reached', () => {
  it('makes each of its root fields null with an error at its response key', async () => {
    const result = await runScripted('{ a: product { id } products { id } }', TWO_ROOTS, { shop: down });
    expect(dataOf(result)).toEqual({ a: null, products: null });
    expect(errorsOf(result)).toEqual(['a SUBGRAPH_UNAVAILABLE', 'products SUBGRAPH_UNAVAILABLE']);
    expect(result.errors[0]?.message).toBe(down.message);
  });

  it('makes data null with a single error when a root field is non-nullable', async () => {
    const result = await runScripted('{ must { id } }', planOf([root('shop', '{ must { id } }')]), { shop: slow });
    expect(result.data).toBe('null');
    expect(errorsOf(result)).toEqual(['must SUBGRAPH_TIMEOUT']);
  });

  it('makes its entity fields null with an error at every position, and no others', async () => {
    const script = { shop: { data: { products: [product('1'), product('2'), product('1')] } }, stock: down };
    const result = await runScripted('{ products { name amount: left } }', ofProducts('left'), script);
    expect(dataOf(result)).toEqual({ products: [1, 2, 1].map((id) => ({ name: `n${id}`, amount: null })) });
    expect(errorsOf(result)).toEqual([0, 1, 2].map((index) => `products.${index}.amount SUBGRAPH_UNAVAILABLE`));
  });

  it('fails fields that require its values with the same error, without a fetch', async () => {
    const script = { shop: { data: { product: product('1', { price: 1 }) } }, stock: slow, tax: { data: { _entities: [] } } };
    const result = await runScripted('{ product { name label } }', LABEL, script);
    expect(dataOf(result)).toEqual({ product: { name: 'n1', label: null } });
    expect(errorsOf(result)).toEqual(['product.label SUBGRAPH_TIMEOUT']);
    expect(result.requests.map(({ subgraph }) => subgraph)).toEqual(['shop', 'stock']);
  });

  it('does not stop the mutations after a failed one', async () => {
    const script = {
      shop: ({ query }: { query: string }) => (query.includes('first') ? down : { data: { two: 'done' } }),
      stock: { data: { other: 'x' } },
    };
    const result = await runScripted('mutation { one: step(name: "first") other two: step(name: "second") }', STEPS, script);
    expect(dataOf(result)).toEqual({ one: null, other: 'x', two: 'done' });
    expect(errorsOf(result)).toEqual(['one SUBGRAPH_UNAVAILABLE']);
  });
});

describe('a subgraph that returns errors', () => {
  it('causes a single error at the path of the fetch when errors have no path', async () => {
    const rejected = { errors: [{ message: 'Not for you.', code: 'FORBIDDEN' }] };
    const whole = await runScripted('{ must { id } }', planOf([root('shop', '{ must { id } }')]), { shop: { data: null, ...rejected } });
    expect(whole.data).toBe('null');
    expect(whole.errors).toEqual([{ message: 'Not for you.', code: 'FORBIDDEN' }]);
    const entities = await runScripted('{ products { name must } }', ofProducts('must'), {
      shop: { data: { products: [product('1'), product('2')] } },
      stock: rejected,
    });
    expect(dataOf(entities)).toEqual({ products: null });
    expect(errorsOf(entities)).toEqual(['products FORBIDDEN']);
  });

  it.each([[['_entities']], [['_entities', 7, 'left']], [['_entities', 'x']], [['nothing', 0]], [['_entities', 0, 'unknown']], [[]]])(
    'causes an error at the path of the fetch for the unknown path %j',
    async (path) => {
      const script = {
        shop: { data: { product: { related: [product('1')] } } },
        stock: { data: { _entities: [{ left: null }] }, errors: [{ message: 'x', code: 'CONFLICT', path }] },
      };
      const result = await runScripted('{ product { related { left } } }', RELATED, script);
      expect(dataOf(result)).toEqual({ product: { related: [{ left: null }] } });
      expect(errorsOf(result)).toEqual(['product.related.0 CONFLICT']);
    },
  );

  it('causes no errors at the siblings of a field that makes its entity null', async () => {
    const script = {
      shop: { data: { product: product('1') } },
      stock: { data: { _entities: [null] }, errors: [{ message: 'x', code: 'NOT_FOUND', path: ['_entities', 0, 'must'] }] },
    };
    const result = await runScripted('{ product { name a: must left } }', ofProducts('must left', 'product'), script);
    expect(dataOf(result)).toEqual({ product: null });
    expect(errorsOf(result)).toEqual(['product.a NOT_FOUND']);
  });

  it('causes an error at each position of a failed entity, which explains its nulls', async () => {
    const script = {
      shop: { data: { products: [product('1'), product('2'), product('1')] } },
      stock: {
        data: { _entities: [null, { must: 'yes', left: 2 }] },
        errors: [{ message: 'x', code: 'NOT_FOUND', path: ['_entities', 0] }],
      },
    };
    const result = await runScripted('{ products { left } }', ofProducts('left'), script);
    expect(dataOf(result)).toEqual({ products: [{ left: null }, { left: 2 }, { left: null }] });
    expect(errorsOf(result)).toEqual(['products.0 NOT_FOUND', 'products.2 NOT_FOUND']);
    const strict = await runScripted('{ products { must } }', ofProducts('must'), script);
    expect(dataOf(strict)).toEqual({ products: null });
    expect(errorsOf(strict)).toEqual(['products.0 NOT_FOUND', 'products.2 NOT_FOUND']);
  });

  it('causes a single error for a field that several fetches fail to resolve', async () => {
    const plan = planOf([root('shop', '{ anything { name } }'), root('stock', '{ anything { left } }')]);
    const failed = (message: string) => ({ data: { anything: null }, errors: [{ message, code: 'CONFLICT', path: ['anything'] }] });
    const script = { shop: failed('first'), stock: failed('second') };
    const result = await runScripted('{ a: anything { name left } }', plan, script);
    expect(dataOf(result)).toEqual({ a: null });
    expect(result.errors).toEqual([{ message: 'first', code: 'CONFLICT', path: ['a'] }]);
  });

  it('causes all errors that one fetch reports for the same field', async () => {
    const errors = ['first', 'second'].map((message) => ({ message, code: 'CONFLICT', path: ['anything'] }));
    const script = { shop: { data: { anything: null }, errors } };
    const result = await runScripted('{ anything { name } }', planOf([root('shop', '{ anything { name } }')]), script);
    expect(result.errors.map(({ message }) => message)).toEqual(['first', 'second']);
  });

  it('causes no additional error above an error below an invalid null', async () => {
    const errors = [{ message: 'x', code: 'CONFLICT', path: ['must', 'name'] }];
    const result = await runScripted('{ must { id name } }', planOf([root('shop', '{ must { id name } }')]), {
      shop: { data: { must: null }, errors },
    });
    expect(result.data).toBe('null');
    expect(errorsOf(result)).toEqual(['must.name CONFLICT']);
  });

  it('causes an additional error at an invalid null when the error is elsewhere', async () => {
    const errors = [{ message: 'x', code: 'CONFLICT', path: ['must', 'price'] }];
    const result = await runScripted('{ must { price name } }', planOf([root('shop', '{ must { price name } }')]), {
      shop: { data: { must: { price: null } }, errors },
    });
    expect(errorsOf(result)).toEqual(['must.price CONFLICT', 'must.name SUBGRAPH_INVALID_RESPONSE']);
  });

  it('causes entity errors with the aliases of the client in their path', async () => {
    const script = {
      shop: { data: { product: product('1') } },
      stock: {
        data: { _entities: [{ place: null }] },
        errors: [{ message: 'x', code: 'CONFLICT', path: ['_entities', 0, 'place', 'city'] }],
      },
    };
    const result = await runScripted('{ first: product { where: place { town: city } } }', ofProducts('place { city }', 'product'), script);
    expect(dataOf(result)).toEqual({ first: { where: null } });
    expect(errorsOf(result)).toEqual(['first.where.town CONFLICT']);
  });

  it('causes equal errors once, and a final note when there are too many', async () => {
    const error = { message: 'x', code: 'CONFLICT', path: ['_entities', 0, 'left'] };
    const script = {
      shop: { data: { products: Array.from({ length: 9 }, () => product('1')) } },
      stock: { data: { _entities: [{ left: null }] }, errors: [error, error] },
    };
    expect((await runScripted('{ products { left } }', ofProducts('left'), script)).errors).toHaveLength(9);
    const capped = await runScripted('{ products { left } }', ofProducts('left'), script, { settings: { maxErrors: 4 } });
    expect(errorsOf(capped).slice(0, 4)).toEqual([0, 1, 2, 3].map((index) => `products.${index}.left CONFLICT`));
    expect(capped.errors.slice(4)).toEqual([{ message: 'The response has more errors than this list shows.', code: 'CONFLICT' }]);
  });

  it('causes errors in the order of the plan, independent of the response order', async () => {
    const shop = {
      data: { product: product('1', { price: 1 }) },
      errors: [{ message: 'x', code: 'CONFLICT', path: ['product', 'price'] }],
    };
    const stock = { data: { places: null }, errors: [{ message: 'y', code: 'NOT_FOUND', path: ['places'] }] };
    const late = (response: object) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return response;
    };
    const text = '{ product { price } places { city } }';
    const plan = planOf([root('shop', '{ product { price } }'), root('stock', '{ places { city } }')]);
    const [one, other] = [
      await runScripted(text, plan, { shop: late(shop), stock }),
      await runScripted(text, plan, { shop, stock: late(stock) }),
    ];
    expect(errorsOf(one)).toEqual(errorsOf(other));
    expect(errorsOf(one).toSorted()).toEqual(['places NOT_FOUND', 'product.price CONFLICT']);
  });
});

describe('an operation that is stopped', () => {
  it('returns partial data with errors at the deadline and fetches nothing more', async () => {
    const controller = new AbortController();
    const shop = () => {
      controller.abort(new GatewayError('GATEWAY_TIMEOUT', 'It took too long.'));
      return { data: { product: product('1') } };
    };
    const result = await runScripted('{ product { name left } }', ofProducts('left', 'product'), { shop }, { signal: controller.signal });
    expect(dataOf(result)).toEqual({ product: { name: 'n1', left: null } });
    expect(errorsOf(result)).toEqual(['product.left GATEWAY_TIMEOUT']);
    expect(result.requests).toHaveLength(1);
  });

  it('ends with the abort reason when the client disconnects', async () => {
    const controller = new AbortController();
    const gone = new Error('gone');
    controller.abort(gone);
    await expect(
      runScripted('{ product { name } }', planOf([root('shop', '{ product { name } }')]), {}, { signal: controller.signal }),
    ).rejects.toBe(gone);
  });

  it('ends with an unexpected error, so that the error is logged', async () => {
    const defect = new TypeError('defect');
    await expect(runScripted('{ product { name } }', planOf([root('shop', '{ product { name } }')]), { shop: defect })).rejects.toBe(
      defect,
    );
  });
});
