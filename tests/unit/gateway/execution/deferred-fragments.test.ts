import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { PlannedFetch } from '../../../../gateway/planning/operation-plan.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { dataOf, errorsOf } from './scripted-graph.ts';
import { allPatches, gate, nextPatches, readPatch, runDeferred } from './scripted-deferral.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const schema = buildSchema(`
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  interface Thing { id: ID! name: String }
  type Book implements Thing { id: ID! name: String price: Int stock: Int! review: Review reviews: [Review!] }
  type Shelf implements Thing { id: ID! name: String width: Int }
  type Review { id: ID! text: String author: String! }
  type Query { book: Book books: [Book] sure: Book! things: [Thing] }
`);

function later(deferral: number, fetch: PlannedFetch): PlannedFetch {
  return { ...fetch, deferral };
}

const BOOK = root('a', '{ book { id name } }');
const BOOKS = root('a', '{ books { id name } }');
const price = (deferral: number, at = 'book') =>
  later(deferral, lookups('b', [0], [{ at: [at], by: ['*Book'], request: '{ ... on Book { price } }' }]));
const stock = (deferral: number, at = 'book') =>
  later(deferral, lookups('c', [0], [{ at: [at], by: ['*Book'], request: '{ ... on Book { stock } }' }]));

const book = { data: { book: { id: '1', name: 'One' } } };
const books = { data: { books: [{ id: '1', name: 'One' }, null, { id: '2', name: 'Two' }] } };
const priceOf = (value: unknown) => ({ data: { _entities: [{ price: value }] } });
const stockOf = (value: unknown) => ({ data: { _entities: [{ stock: value }] } });

describe('errors of deferred fragments', () => {
  it('appear in the patch and not in the initial result when a deferred fetch fails', async () => {
    const failure = new GatewayError('SUBGRAPH_UNAVAILABLE', 'Not there.');
    const text = '{ book { name ... @defer { price } } }';
    const result = await runDeferred({ schema, text, plan: planOf([BOOK, price(1)]), script: { a: book, b: failure } });
    expect([dataOf(result), errorsOf(result)]).toEqual([{ book: { name: 'One' } }, []]);
    expect(await allPatches(result)).toEqual([[{ path: 'book', data: { price: null }, errors: ['book.price SUBGRAPH_UNAVAILABLE'] }]]);
  });

  it('make the fragment null and nothing around it for an invalid null', async () => {
    const text = '{ sure { id ... @defer { stock } } }';
    const plan = planOf([root('a', '{ sure { id } }'), stock(1, 'sure')]);
    const result = await runDeferred({ schema, text, plan, script: { a: { data: { sure: { id: '1' } } }, c: stockOf(null) } });
    expect(dataOf(result)).toEqual({ sure: { id: '1' } });
    expect(await allPatches(result)).toEqual([[{ path: 'sure', data: null, errors: ['sure.stock SUBGRAPH_INVALID_RESPONSE'] }]]);
  });

  it('include no patch for fragments inside a null of the initial result', async () => {
    const text = '{ book { stock ... @defer { price } } }';
    const plan = planOf([root('a', '{ book { id stock } }'), price(1)]);
    const result = await runDeferred({ schema, text, plan, script: { a: { data: { book: { id: '1', stock: null } } }, b: priceOf(1) } });
    expect(dataOf(result)).toEqual({ book: null });
    expect(result.deferred?.hasNext).toBe(false);
  });

  it('include no patch for a fragment inside a null fragment', async () => {
    const text = '{ book { id ... @defer(label: "a") { stock ... @defer(label: "b") { price } } } }';
    const result = await runDeferred({
      schema,
      text,
      plan: planOf([BOOK, stock(1), price(2)]),
      script: { a: book, b: priceOf(1), c: stockOf(null) },
    });
    expect(await allPatches(result)).toMatchObject([[{ label: 'a', data: null }]]);
  });

  it('are split between initial result and patch for one subgraph response', async () => {
    const text = '{ book { name ... @defer { price } } }';
    const errors = [
      { message: 'Name.', code: 'A', path: ['book', 'name'] },
      { message: 'Price.', code: 'B', path: ['book', 'price'] },
    ];
    const script = { a: { data: { book: { name: null, price: null } }, errors } };
    const result = await runDeferred({ schema, text, plan: planOf([root('a', '{ book { name price } }')]), script });
    expect(errorsOf(result)).toEqual(['book.name A']);
    expect(await allPatches(result)).toEqual([[{ path: 'book', data: { price: null }, errors: ['book.price B'] }]]);
  });

  it('appear in the patch of the list item whose entity failed', async () => {
    const text = '{ books { name ... @defer { price } } }';
    const errors = [{ message: 'No.', code: 'GONE', path: ['_entities', 1] }];
    const script = { a: books, b: { data: { _entities: [{ price: 1 }, null] }, errors } };
    const result = await runDeferred({ schema, text, plan: planOf([BOOKS, price(1, 'books')]), script });
    expect(await allPatches(result)).toEqual([
      [
        { path: 'books.0', data: { price: 1 }, errors: [] },
        { path: 'books.2', data: { price: null }, errors: ['books.2 GONE'] },
      ],
    ]);
  });

  it('appear in the patch of a fragment that is missing at the deadline', async () => {
    const controller = new AbortController();
    const hanging = gate(new Error('stopped'));
    const text = '{ book { name ... @defer { price } } }';
    const script = { a: book, b: hanging.respond };
    const result = await runDeferred({ schema, text, plan: planOf([BOOK, price(1)]), script, signal: controller.signal });
    const patches = allPatches(result);
    controller.abort(new GatewayError('GATEWAY_TIMEOUT', 'Late.'));
    hanging.open();
    expect(await patches).toEqual([[{ path: 'book', data: { price: null }, errors: ['book.price GATEWAY_TIMEOUT'] }]]);
  });

  it('reject `next` when they are unexpected, and `giveUp` returns the fragment as null', async () => {
    const text = '{ book { name ... @defer(label: "p") { price } } }';
    const result = await runDeferred({ schema, text, plan: planOf([BOOK, price(1)]), script: { a: book, b: new TypeError('defect') } });
    await expect(result.deferred?.next()).rejects.toThrow('defect');
    expect(result.deferred?.giveUp().patches.map(readPatch)).toEqual([{ label: 'p', path: 'book', data: null, errors: [] }]);
    expect(result.deferred?.hasNext).toBe(false);
  });
});

describe('order of deferred fragments', () => {
  it('the initial result does not wait for a deferred subgraph', async () => {
    const hanging = gate(priceOf(5));
    const text = '{ book { name ... @defer { price } } }';
    const result = await runDeferred({ schema, text, plan: planOf([BOOK, price(1)]), script: { a: book, b: hanging.respond } });
    expect([dataOf(result), result.deferred?.hasNext]).toEqual([{ book: { name: 'One' } }, true]);
    hanging.open();
    expect(await allPatches(result)).toEqual([[{ path: 'book', data: { price: 5 }, errors: [] }]]);
  });

  it('a fragment that is ready first does not wait for an earlier one in the document', async () => {
    const [slow, quick] = [gate(priceOf(5)), gate(stockOf(7))];
    const text = '{ book { name ... @defer(label: "slow") { price } ... @defer(label: "quick") { stock } } }';
    const result = await runDeferred({
      schema,
      text,
      plan: planOf([BOOK, price(1), stock(2)]),
      script: { a: book, b: slow.respond, c: quick.respond },
    });
    quick.open();
    expect(await nextPatches(result)).toEqual([{ label: 'quick', path: 'book', data: { stock: 7 }, errors: [] }]);
    expect(result.deferred?.hasNext).toBe(true);
    slow.open();
    expect(await nextPatches(result)).toEqual([{ label: 'slow', path: 'book', data: { price: 5 }, errors: [] }]);
    expect(result.deferred?.hasNext).toBe(false);
  });

  it('an inner fragment that is ready waits for the outer one and follows it', async () => {
    const slow = gate(priceOf(5));
    const text = '{ book { name ... @defer(label: "outer") { price ... @defer(label: "inner") { stock } } } }';
    const result = await runDeferred({
      schema,
      text,
      plan: planOf([BOOK, price(1), stock(2)]),
      script: { a: book, b: slow.respond, c: stockOf(7) },
    });
    slow.open();
    expect(await allPatches(result)).toEqual([
      [
        { label: 'outer', path: 'book', data: { price: 5 }, errors: [] },
        { label: 'inner', path: 'book', data: { stock: 7 }, errors: [] },
      ],
    ]);
  });

  it('a fragment waits for a field that is fetched for another fragment', async () => {
    const hanging = gate(priceOf(5));
    const text = '{ book { name ... @defer(label: "a") { price } ... @defer(label: "b") { cost: price stock } } }';
    const result = await runDeferred({
      schema,
      text,
      plan: planOf([BOOK, price(1), stock(2)]),
      script: { a: book, b: hanging.respond, c: stockOf(7) },
    });
    hanging.open();
    expect((await allPatches(result)).flat()).toEqual([
      { label: 'a', path: 'book', data: { price: 5 }, errors: [] },
      { label: 'b', path: 'book', data: { cost: 5, stock: 7 }, errors: [] },
    ]);
  });
});

describe('patches of deferred fragments', () => {
  it('are sent for each list item that is not null', async () => {
    const text = '{ all: books { name ... @defer { cost: price } } }';
    const script = { a: books, b: { data: { _entities: [{ price: 1 }, { price: 2 }] } } };
    const plan = planOf([root('a', '{ all: books { id name } }'), price(1, 'all')], { withArguments: { 'all:books': 'all' } });
    const result = await runDeferred({ schema, text, plan, script: { ...script, a: { data: { all: books.data.books } } } });
    expect(await allPatches(result)).toEqual([
      [
        { path: 'all.0', data: { cost: 1 }, errors: [] },
        { path: 'all.2', data: { cost: 2 }, errors: [] },
      ],
    ]);
  });

  it('are sent only for values of the type condition', async () => {
    const text = '{ things { id ... on Book @defer { name } ... on Shelf @defer(label: "s") { width } } }';
    const things = [
      { __typename: 'Book', id: '1', name: 'One' },
      { __typename: 'Shelf', id: '2', width: 3 },
    ];
    const request = '{ things { __typename id ... on Book { name } ... on Shelf { width } } }';
    const result = await runDeferred({ schema, text, plan: planOf([root('a', request)]), script: { a: { data: { things } } } });
    expect(dataOf(result)).toEqual({ things: [{ id: '1' }, { id: '2' }] });
    expect(await allPatches(result)).toEqual([
      [
        { path: 'things.0', data: { name: 'One' }, errors: [] },
        { label: 's', path: 'things.1', data: { width: 3 }, errors: [] },
      ],
    ]);
  });

  it('repeat a fragment that is spread with and without @defer', async () => {
    const text = '{ book { ...F ...F @defer(label: "again") } } fragment F on Book { name }';
    const result = await runDeferred({ schema, text, plan: planOf([BOOK]), script: { a: book } });
    expect(dataOf(result)).toEqual({ book: { name: 'One' } });
    expect(await allPatches(result)).toEqual([[{ label: 'again', path: 'book', data: { name: 'One' }, errors: [] }]]);
  });

  it('include a nested deferred fragment once although two spreads lead to it', async () => {
    const text = '{ book { ...F ...F @defer(label: "again") } } fragment F on Book { name ... @defer(label: "inner") { price } }';
    const result = await runDeferred({ schema, text, plan: planOf([BOOK, price(1)]), script: { a: book, b: priceOf(5) } });
    const labels = (await allPatches(result)).flat().map(({ label }) => label);
    expect(labels).toHaveLength(2);
    expect(labels).toEqual(expect.arrayContaining(['again', 'inner']));
  });

  it('have an empty path for @defer at the root', async () => {
    const text = '{ book { name } ... @defer { sure { name } } }';
    const plan = planOf([BOOK, later(1, root('b', '{ sure { name } }'))]);
    const result = await runDeferred({ schema, text, plan, script: { a: book, b: { data: { sure: { name: 'Sure' } } } } });
    expect(dataOf(result)).toEqual({ book: { name: 'One' } });
    expect(await allPatches(result)).toEqual([[{ path: '', data: { sure: { name: 'Sure' } }, errors: [] }]]);
  });

  it('are not sent when @defer is disabled or the execution does not defer', async () => {
    const off = '{ book { name ... @defer(if: false) { price } } }';
    const all = { a: { data: { book: { id: '1', name: 'One', price: 5 } } } };
    const plan = planOf([root('a', '{ book { name price } }')]);
    const result = await runDeferred({ schema, text: off, plan, script: all });
    expect([dataOf(result), result.deferred]).toEqual([{ book: { name: 'One', price: 5 } }, undefined]);
    const settings = { isDeferring: false };
    const whole = await runDeferred({ schema, text: '{ book { name ... @defer { price } } }', plan, script: all, settings });
    expect([dataOf(whole), whole.deferred]).toEqual([{ book: { name: 'One', price: 5 } }, undefined]);
  });

  it('are not sent for the fragment whose `if` variable is false', async () => {
    const text = 'query ($x: Boolean!) { book { name ... @defer(if: $x) { price } ... @defer(label: "b") { stock } } }';
    const all = { a: { data: { book: { id: '1', name: 'One', price: 5, stock: 7 } } } };
    const plan = planOf([root('a', '{ book { name price stock } }')]);
    const result = await runDeferred({ schema, text, plan, script: all, settings: { conditions: { x: false } } });
    expect(dataOf(result)).toEqual({ book: { name: 'One', price: 5 } });
    expect(await allPatches(result)).toEqual([[{ label: 'b', path: 'book', data: { stock: 7 }, errors: [] }]]);
  });
});
