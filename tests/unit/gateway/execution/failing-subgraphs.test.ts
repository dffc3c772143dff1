import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { dataOf, errorsOf, runScripted } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const down = new GatewayError('SUBGRAPH_UNAVAILABLE', 'A service that is needed for this cannot be reached.');
const slow = new GatewayError('SUBGRAPH_TIMEOUT', 'A service that is needed for this took too long.');
const ofProducts = (ask: string, at = 'products') =>
  planOf([
    root('shop', `{ ${at} { __typename id name } }`),
    lookups('stock', [0], [{ at: [at], by: ['Product'], ask: `{ ...on Product { ${ask} } }` }]),
  ]);
const TWO_ROOTS = planOf([root('shop', '{ product { id } products { id } }')]);
const LABEL = planOf([
  root('shop', '{ product { __typename id name price } }'),
  lookups('stock', [0], [{ at: ['product'], by: ['Product { id price }'], ask: '{ ...on Product { tax } }' }]),
  lookups('tax', [0, 1], [{ at: ['product'], by: ['Product { id tax }'], ask: '{ ...on Product { label } }' }]),
]);
const STEPS = planOf([
  root('shop', 'mutation { one: step(name: "first") }'),
  root('stock', 'mutation { other }', {}, [0]),
  root('shop', 'mutation { two: step(name: "second") }', {}, [1]),
]);
const RELATED = planOf([
  root('shop', '{ product { related { __typename id } } }'),
  lookups('stock', [0], [{ at: ['product.related'], by: ['Product'], ask: '{ ...on Product { left } }' }]),
]);
const product = (id: string, more: object = {}) => ({ __typename: 'Product', id, name: `n${id}`, ...more });

describe('given a subgraph that cannot be reached', () => {
  it('when it has the roots, then each root field is null with the error at its own response key', async () => {
    const outcome = await runScripted('{ a: product { id } products { id } }', TWO_ROOTS, { shop: down });
    expect(dataOf(outcome)).toEqual({ a: null, products: null });
    expect(errorsOf(outcome)).toEqual(['a SUBGRAPH_UNAVAILABLE', 'products SUBGRAPH_UNAVAILABLE']);
    expect(outcome.errors[0]?.message).toBe(down.message);
  });

  it('when a root must not be null, then data are null and the failure alone explains it', async () => {
    const outcome = await runScripted('{ must { id } }', planOf([root('shop', '{ must { id } }')]), { shop: slow });
    expect(outcome.data).toBe('null');
    expect(errorsOf(outcome)).toEqual(['must SUBGRAPH_TIMEOUT']);
  });

  it('when it has fields of entities, then each of them is null with the error, at every place, and the rest stands', async () => {
    const script = { shop: { data: { products: [product('1'), product('2'), product('1')] } }, stock: down };
    const outcome = await runScripted('{ products { name amount: left } }', ofProducts('left'), script);
    expect(dataOf(outcome)).toEqual({ products: [1, 2, 1].map((id) => ({ name: `n${id}`, amount: null })) });
    expect(errorsOf(outcome)).toEqual([0, 1, 2].map((index) => `products.${index}.amount SUBGRAPH_UNAVAILABLE`));
  });

  it('when what it has is required elsewhere, then the field that needed it fails for the same cause, and nobody is asked in vain', async () => {
    const script = { shop: { data: { product: product('1', { price: 1 }) } }, stock: slow, tax: { data: { _entities: [] } } };
    const outcome = await runScripted('{ product { name label } }', LABEL, script);
    expect(dataOf(outcome)).toEqual({ product: { name: 'n1', label: null } });
    expect(errorsOf(outcome)).toEqual(['product.label SUBGRAPH_TIMEOUT']);
    expect(outcome.requests.map(({ subgraph }) => subgraph)).toEqual(['shop', 'stock']);
  });

  it('when a mutation fails, then the mutations after it are run all the same', async () => {
    const script = {
      shop: ({ query }: { query: string }) => (query.includes('first') ? down : { data: { two: 'done' } }),
      stock: { data: { other: 'x' } },
    };
    const outcome = await runScripted('mutation { one: step(name: "first") other two: step(name: "second") }', STEPS, script);
    expect(dataOf(outcome)).toEqual({ one: null, other: 'x', two: 'done' });
    expect(errorsOf(outcome)).toEqual(['one SUBGRAPH_UNAVAILABLE']);
  });
});

describe('given a subgraph that answers with errors only', () => {
  it('when they have no path, then there is one error at the path of the fetch and no other', async () => {
    const refused = { errors: [{ message: 'Not for you.', code: 'FORBIDDEN' }] };
    const whole = await runScripted('{ must { id } }', planOf([root('shop', '{ must { id } }')]), { shop: { data: null, ...refused } });
    expect(whole.data).toBe('null');
    expect(whole.errors).toEqual([{ message: 'Not for you.', code: 'FORBIDDEN' }]);
    const entities = await runScripted('{ products { name must } }', ofProducts('must'), {
      shop: { data: { products: [product('1'), product('2')] } },
      stock: refused,
    });
    expect(dataOf(entities)).toEqual({ products: null });
    expect(errorsOf(entities)).toEqual(['products FORBIDDEN']);
  });

  it.each([[['_entities']], [['_entities', 7, 'left']], [['_entities', 'x']], [['nothing', 0]], [['_entities', 0, 'unknown']], [[]]])(
    'when an error has the path %j, which leads nowhere, then it stands at the path of the fetch',
    async (path) => {
      const script = {
        shop: { data: { product: { related: [product('1')] } } },
        stock: { data: { _entities: [{ left: null }] }, errors: [{ message: 'x', code: 'CONFLICT', path }] },
      };
      const outcome = await runScripted('{ product { related { left } } }', RELATED, script);
      expect(dataOf(outcome)).toEqual({ product: { related: [{ left: null }] } });
      expect(errorsOf(outcome)).toEqual(['product.related.0 CONFLICT']);
    },
  );

  it('when the null of one field takes its entity along, then the error stands at that field and nothing is said of its siblings', async () => {
    const script = {
      shop: { data: { product: product('1') } },
      stock: { data: { _entities: [null] }, errors: [{ message: 'x', code: 'NOT_FOUND', path: ['_entities', 0, 'must'] }] },
    };
    const outcome = await runScripted('{ product { name a: must left } }', ofProducts('must left', 'product'), script);
    expect(dataOf(outcome)).toEqual({ product: null });
    expect(errorsOf(outcome)).toEqual(['product.a NOT_FOUND']);
  });

  it('when one entity fails as a whole, then its error stands at each of its places and explains the nulls in it', async () => {
    const script = {
      shop: { data: { products: [product('1'), product('2'), product('1')] } },
      stock: {
        data: { _entities: [null, { must: 'yes', left: 2 }] },
        errors: [{ message: 'x', code: 'NOT_FOUND', path: ['_entities', 0] }],
      },
    };
    const outcome = await runScripted('{ products { left } }', ofProducts('left'), script);
    expect(dataOf(outcome)).toEqual({ products: [{ left: null }, { left: 2 }, { left: null }] });
    expect(errorsOf(outcome)).toEqual(['products.0 NOT_FOUND', 'products.2 NOT_FOUND']);
    const strict = await runScripted('{ products { must } }', ofProducts('must'), script);
    expect(dataOf(strict)).toEqual({ products: null });
    expect(errorsOf(strict)).toEqual(['products.0 NOT_FOUND', 'products.2 NOT_FOUND']);
  });

  it('when an error is below a null that must not be, then nothing is added to it', async () => {
    const errors = [{ message: 'x', code: 'CONFLICT', path: ['must', 'name'] }];
    const outcome = await runScripted('{ must { id name } }', planOf([root('shop', '{ must { id name } }')]), {
      shop: { data: { must: null }, errors },
    });
    expect(outcome.data).toBe('null');
    expect(errorsOf(outcome)).toEqual(['must.name CONFLICT']);
  });

  it('when an error is elsewhere, then a null that must not be gets one of its own', async () => {
    const errors = [{ message: 'x', code: 'CONFLICT', path: ['must', 'price'] }];
    const outcome = await runScripted('{ must { price name } }', planOf([root('shop', '{ must { price name } }')]), {
      shop: { data: { must: { price: null } }, errors },
    });
    expect(errorsOf(outcome)).toEqual(['must.price CONFLICT', 'must.name SUBGRAPH_INVALID_RESPONSE']);
  });

  it('when an error of an entity has aliases in its path, then the path is the one the client knows', async () => {
    const script = {
      shop: { data: { product: product('1') } },
      stock: {
        data: { _entities: [{ place: null }] },
        errors: [{ message: 'x', code: 'CONFLICT', path: ['_entities', 0, 'place', 'city'] }],
      },
    };
    const outcome = await runScripted(
      '{ first: product { where: place { town: city } } }',
      ofProducts('place { city }', 'product'),
      script,
    );
    expect(dataOf(outcome)).toEqual({ first: { where: null } });
    expect(errorsOf(outcome)).toEqual(['first.where.town CONFLICT']);
  });

  it('when there are two equal errors, then one is told; when there are too many, then the last says so', async () => {
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

  it('when two subgraphs fail at once, then the errors are in the order of the plan, whichever came first', async () => {
    const shop = {
      data: { product: product('1', { price: 1 }) },
      errors: [{ message: 'x', code: 'CONFLICT', path: ['product', 'price'] }],
    };
    const stock = { data: { places: null }, errors: [{ message: 'y', code: 'NOT_FOUND', path: ['places'] }] };
    const late = (answer: object) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return answer;
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

describe('given an operation that is stopped', () => {
  it('when its time is over, then what arrived is answered, the error stands at what is missing, and nobody else is asked', async () => {
    const controller = new AbortController();
    const shop = () => {
      controller.abort(new GatewayError('GATEWAY_TIMEOUT', 'It took too long.'));
      return { data: { product: product('1') } };
    };
    const outcome = await runScripted('{ product { name left } }', ofProducts('left', 'product'), { shop }, { signal: controller.signal });
    expect(dataOf(outcome)).toEqual({ product: { name: 'n1', left: null } });
    expect(errorsOf(outcome)).toEqual(['product.left GATEWAY_TIMEOUT']);
    expect(outcome.requests).toHaveLength(1);
  });

  it('when the client left, then execution ends with the reason', async () => {
    const controller = new AbortController();
    const gone = new Error('gone');
    controller.abort(gone);
    await expect(
      runScripted('{ product { name } }', planOf([root('shop', '{ product { name } }')]), {}, { signal: controller.signal }),
    ).rejects.toBe(gone);
  });

  it('when something throws what is no refusal, then execution ends with it, so that it is logged', async () => {
    const defect = new TypeError('defect');
    await expect(runScripted('{ product { name } }', planOf([root('shop', '{ product { name } }')]), { shop: defect })).rejects.toBe(
      defect,
    );
  });
});
