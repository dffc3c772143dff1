import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { type Script, type ScriptedRun, dataOf, errorsOf, runScripted } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const COUNT = 3_000;
const PLAN = planOf([
  root('shop', '{ products { __typename id name } }'),
  lookups('stock', [0], [{ at: ['products'], by: ['Product'], request: '{ ...on Product { left must } }' }]),
]);
const GRID = planOf([
  root('shop', '{ grid { __typename id } places { city owner { name } } }'),
  lookups('stock', [0], [{ at: ['grid'], by: ['Product'], request: '{ ...on Product { left } }' }]),
]);
const RELATED = planOf([root('shop', '{ product { related { id related { id name } } } }')]);

const list = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index));
const product = (index: number) => ({ __typename: 'Product', id: `p${index % (COUNT / 2)}`, name: `Name "${index}"` });
const products = () => ({ data: { products: list(COUNT, product) } });

interface Sent {
  readonly variables: Readonly<Record<string, readonly { readonly id: string }[]>>;
}

/** Responds with an entity for each representation. */
const entities =
  (entity: (id: string) => unknown) =>
  ({ variables }: Sent): unknown => ({ data: { _entities: Object.values(variables)[0]?.map(({ id }) => entity(id)) } });
const stock = entities((id) => ({ left: id.length, must: id }));

/** Marks all responses of a script as large. */
function asLarge(script: Script): Script {
  const large = (response: unknown): unknown => (response instanceof Error ? response : { ...(response as object), isLarge: true });
  return Object.fromEntries(
    Object.entries(script).map(([name, response]) => [
      name,
      typeof response === 'function' ? async (body: unknown, count: number) => large(await response(body, count)) : large(response),
    ]),
  );
}

/** Runs an operation with small and with large responses. Returns the result of the large ones after comparing both. */
async function runBoth(text: string, plan: typeof PLAN, script: Script, run?: ScriptedRun) {
  const small = await runScripted(text, plan, script, run);
  const large = await runScripted(text, plan, asLarge(script), run);
  expect(large.data === small.data).toBe(true);
  const { longData } = large;
  expect(longData === undefined || longData.pieces.join('') === small.data).toBe(true);
  expect(longData?.byteLength ?? 0).toBe(longData === undefined ? 0 : Buffer.byteLength(small.data));
  expect(errorsOf(large).toSorted()).toEqual(errorsOf(small).toSorted());
  expect(large.requests.map(({ body }) => body)).toEqual(small.requests.map(({ body }) => body));
  return large;
}

describe('large responses have the same result as small ones', () => {
  it('with an entity for each of many objects', async () => {
    const result = await runBoth('{ products { name left other: name } }', PLAN, { shop: products, stock });
    expect(result.errors).toEqual([]);
    expect((dataOf(result) as { products: unknown[] }).products).toHaveLength(COUNT);
    expect(result.requests[1]?.body.split('p1"')).toHaveLength(2);
  });

  it('with a null entity, whose nullable fields are null', async () => {
    const missing = entities((id) => (id === 'p7' ? null : { left: 1, must: 'm' }));
    const result = await runBoth('{ products { left } }', PLAN, { shop: products, stock: missing });
    expect(result.errors).toEqual([]);
    expect((dataOf(result) as { products: unknown[] }).products[7]).toEqual({ left: null });
  });

  it.each([
    ['an entity that is no object', entities((id) => (id === 'p7' ? 'p7' : { left: 1, must: 'm' }))],
    ['a value of the wrong type', entities((id) => ({ left: id === 'p7' ? 'seven' : 7, must: 'm' }))],
    ['too few entities', () => ({ data: { _entities: [] } })],
    ['no entities', () => ({ data: {} })],
    ['no data', () => ({ data: null })],
    ['an error', () => ({ data: { _entities: null }, errors: [{ message: 'x', code: 'CONFLICT', path: ['_entities'] }] })],
    ['a failure', () => new GatewayError('SUBGRAPH_TIMEOUT', 'It took too long.')],
  ])('with %s', async (_name, wrong) => {
    const result = await runBoth('{ products { name left } }', PLAN, { shop: products, stock: wrong });
    expect(result.errors.length).toBeGreaterThan(0);
  });

  it('with a null in a non-nullable field, which removes the list', async () => {
    const wrong = entities((id) => ({ left: 1, must: id === 'p7' ? null : 'm' }));
    const result = await runBoth('{ products { must } }', PLAN, { shop: products, stock: wrong });
    expect(dataOf(result)).toEqual({ products: null });
  });

  it('with lists in lists, and short lists of objects', async () => {
    const grid = list(40, (row) => list(200, (column) => (column === 9 ? null : { __typename: 'Product', id: `p${row * 200 + column}` })));
    const places = list(3, (index) => ({ city: `City ${index}`, owner: index === 1 ? null : { name: 'Owner' } }));
    const shop = () => structuredClone({ data: { grid, places } });
    const result = await runBoth('{ grid { id left } places { city owner { name } } }', GRID, { shop, stock });
    expect(result.errors).toEqual([]);
  });

  it('with long lists inside the items of a long list, and errors at several paths', async () => {
    const inner = (outer: number) =>
      list(300, (index) => ({ id: `${outer}-${index}`, name: outer === 70 && index > 290 ? null : 'x'.repeat(300) }));
    const shop = () => ({ data: { product: { related: list(80, (outer) => ({ id: `${outer}`, related: inner(outer) })) } } });
    const result = await runBoth('{ product { related { id one: related { id name } two: related { name } } } }', RELATED, { shop });
    expect(result.errors.length).toBe(18);
    expect(Math.max(...(result.longData?.pieces ?? []).map(({ length }) => length))).toBeLessThan(200_000);
  });

  it('with long lists inside each item, of which only the first one is printed at once', async () => {
    const inner = list(2_000, (index) => ({ id: `${index}`, name: 'x'.repeat(300) }));
    const shop = () => ({ data: { product: { related: list(70, (outer) => ({ id: `${outer}`, related: structuredClone(inner) })) } } });
    const { longData } = await runBoth('{ product { related { id related { id name } } } }', RELATED, { shop });
    expect((longData?.pieces ?? []).filter(({ length }) => length > 200_000)).toHaveLength(1);
  });

  it('with control characters in the texts of long lists', async () => {
    const related = list(600, (index) => ({ id: `\0${index % 3}\0`, related: [{ id: `\0${index}`, name: '\0'.repeat(200) }] }));
    const result = await runBoth('{ product { related { id related { id name } } } }', RELATED, {
      shop: () => ({ data: { product: { related } } }),
    });
    expect(result.longData).toBeDefined();
    expect(dataOf(result)).toEqual({ product: { related } });
  });
});

describe('an operation with a large response', () => {
  it('returns the data that has arrived at the deadline', async () => {
    const controller = new AbortController();
    const late = () => {
      controller.abort(new GatewayError('GATEWAY_TIMEOUT', 'It took too long.'));
      return products();
    };
    const script = asLarge({ shop: late, stock });
    const result = await runScripted('{ products { name left } }', PLAN, script, { signal: controller.signal });
    expect(result.requests).toHaveLength(1);
    expect(result.errors[0]).toMatchObject({ code: 'GATEWAY_TIMEOUT', path: ['products', 0, 'left'] });
  });

  it('ends with the abort reason when the client disconnects', async () => {
    const controller = new AbortController();
    const gone = new Error('gone');
    const shop = () => {
      setImmediate(() => controller.abort(gone));
      return products();
    };
    const run = runScripted('{ products { name left } }', PLAN, asLarge({ shop, stock }), { signal: controller.signal });
    await expect(run).rejects.toBe(gone);
  });

  it('lets other work run between its steps', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const shop = () => ({ data: { products: list(80_000, product) } });
    await runScripted('{ products { name left } }', PLAN, asLarge({ shop, stock }));
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(8);
  });
});
