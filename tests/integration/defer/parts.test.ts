import { beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { type DeferredGraph, startDeferredGraph } from '../../fixtures/deferred-graph.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { ACCEPT_PARTS, type PartsAnswer, type PartsRequest, askForParts } from '../../support/http/multipart-reader.ts';

let graph: DeferredGraph;

const shared = sharedByTests(startDeferredGraph);
beforeEach(() => {
  graph = shared();
  graph.gates.reset();
});

function ask(query: string, more: Partial<PartsRequest> & { readonly variables?: object } = {}): Promise<PartsAnswer> {
  const { variables, ...request } = more;
  return askForParts({ url: `${graph.url}/graphql`, body: { query, variables }, ...request });
}

const PRICE = '{ book(id: "1") { title ... @defer(label: "price") { price } } }';

describe('given an operation with @defer that is refused', () => {
  it.each([
    ['it is not valid', '{ book(id: "1") { ... @defer { nothing } } }', {}],
    ['a label is there twice', '{ book(id: "1") { ... @defer(label: "a") { id } ... @defer(label: "a") { id } } }', {}],
    ['a variable is missing', 'query ($id: ID!) { book(id: $id) { ... @defer { id } } }', {}],
    ['its condition is null', 'query ($if: Boolean = true) { book(id: "1") { ... @defer(if: $if) { id } } }', { variables: { if: null } }],
    ['it is a subscription', 'subscription { renamed { ... @defer { id } } }', {}],
  ])('when %s, then the answer is plain, with the status of a refusal', async (_why, query, more) => {
    const answer = await ask(query, { headers: { accept: 'multipart/mixed, application/graphql-response+json' }, ...more });
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/graphql-response+json; charset=utf-8']);
    expect(await answer.next()).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });

  it('when it is sent by a page that may not, or wants something else, then it is refused as others are', async () => {
    expect((await ask(PRICE, { headers: { 'content-type': 'text/plain' } })).status).toBe(400);
    expect((await ask(PRICE, { headers: { accept: 'text/plain' } })).status).toBe(406);
    expect((await ask(PRICE, { headers: { accept: 'multipart/mixed;q=0' } })).status).toBe(406);
  });
});

describe('given a client that does not take parts', () => {
  it.each([
    'application/json',
    '*/*',
    'multipart/mixed;subscriptionSpec="1.0", application/json',
    'multipart/mixed;deferSpec=20300101, application/json',
    'multipart/mixed;q=0, application/json',
    'multipart/form-data, application/json',
  ])('when it accepts %s, then all comes at once', async (accept) => {
    const answer = await ask(PRICE, { headers: { accept } });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await answer.next()).toEqual({ data: { book: { title: 'Momo', price: 10 } } });
  });

  it('when the gateway is used without HTTP, then all comes at once', async () => {
    const request = {
      principal: await graph.gateway.authenticate({}),
      document: { text: PRICE },
      door: 'rest',
      headers: {},
      correlationId: 'c',
      signal: new AbortController().signal,
    } as const;
    expect((await graph.gateway.executeToObject(request)).data).toEqual({ book: { title: 'Momo', price: 10 } });
    expect((await graph.gateway.executeToObject({ ...request, acceptsParts: true })).data).toEqual({ book: { title: 'Momo', price: 10 } });
    expect(await graph.gateway.execute(request)).toMatchObject({ body: '{"data":{"book":{"title":"Momo","price":10}}}' });
  });
});

describe('given a client that takes parts', () => {
  it.each([
    ['there is no @defer', '{ book(id: "1") { title price } }', {}],
    ['@defer is off', '{ book(id: "1") { title ... @defer(if: false) { price } } }', {}],
    [
      'a variable switches @defer off',
      'query ($if: Boolean!) { book(id: "1") { title ... @defer(if: $if) { price } } }',
      { variables: { if: false } },
    ],
  ])('when %s, then the answer is plain', async (_why, query, more) => {
    for (const accept of [ACCEPT_PARTS, 'multipart/mixed']) {
      const answer = await ask(query, { ...more, headers: { accept } });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(await answer.next()).toEqual({ data: { book: { title: 'Momo', price: 10 } } });
    }
  });

  it.each([
    ACCEPT_PARTS,
    'multipart/mixed',
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    'Multipart/Mixed; boundary="-"; deferSpec="20220824"; q=0.5',
  ])('when it accepts %s and the deferred subgraph hangs, then the first part is there, and the second when it answers', async (accept) => {
    graph.gates.close('prices');
    const answer = await ask(PRICE, { headers: { accept, 'x-correlation-id': 'trace-7' } });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'multipart/mixed; boundary="-"; deferSpec=20220824',
      'cache-control': 'no-store',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
      'x-correlation-id': 'trace-7',
    });
    expect(await answer.next()).toEqual({ data: { book: { title: 'Momo' } }, hasNext: true });
    graph.gates.open('prices');
    expect(await answer.rest()).toEqual([{ incremental: [{ label: 'price', path: ['book'], data: { price: 10 } }], hasNext: false }]);
  });

  it('when it asks by GET, then it is answered in parts, and by HEAD with the head of that answer', async () => {
    const url = `${graph.url}/graphql?query=${encodeURIComponent(PRICE)}`;
    const answer = await askForParts({ url, method: 'GET' });
    expect(await answer.rest()).toMatchObject([{ hasNext: true }, { hasNext: false }]);
    const head = await askForParts({ url, method: 'HEAD' });
    expect([head.status, head.headers['content-type']]).toEqual([200, answer.headers['content-type']]);
  });

  it('when fragments stand in each other and in lists, then outer ones come first, and inner ones when they are there', async () => {
    graph.gates.close('readers');
    const answer = await ask(`{
      books { title ...Reviews @defer(label: "reviews") }
    }
    fragment Reviews on Book { reviews { text by { id ... @defer(label: "name") { name } } } }`);
    expect(await answer.next()).toEqual({ data: { books: [{ title: 'Momo' }, { title: 'Jim Knopf' }] }, hasNext: true });
    const reviewsOf = (id: string) => ['a', 'b'].map((by) => ({ text: `${by} on ${id}`, by: { id: by } }));
    expect(await answer.next()).toEqual({
      incremental: [0, 1].map((index) => ({ label: 'reviews', path: ['books', index], data: { reviews: reviewsOf(`${index + 1}`) } })),
      hasNext: true,
    });
    graph.gates.open('readers');
    const places = [0, 1].flatMap((book) => [0, 1].map((review) => ['books', book, 'reviews', review, 'by'] as const));
    expect(await answer.rest()).toEqual([
      { incremental: places.map((path) => ({ label: 'name', path, data: { name: path[3] === 0 ? 'A' : 'B' } })), hasNext: false },
    ]);
  });

  it('when the client has other names for fields, then patches have them too', async () => {
    const answer = await ask(
      '{ mine: book(id: "1") { it: title ... @defer { cost: price } } other: book(id: "2") { ... @defer { cost: price } } }',
    );
    const [first, ...later] = (await answer.rest()) as [unknown, ...{ incremental: { path: unknown }[] }[]];
    expect(first).toEqual({ data: { mine: { it: 'Momo' }, other: {} }, hasNext: true });
    const patches = later.flatMap(({ incremental }) => incremental);
    expect(patches).toHaveLength(2);
    expect(patches).toEqual(
      expect.arrayContaining([
        { path: ['mine'], data: { cost: 10 } },
        { path: ['other'], data: { cost: 20 } },
      ]),
    );
  });

  it('when there is nothing at which a fragment could stand, then the first part is the last', async () => {
    const answer = await ask('{ book(id: "9") { title ... @defer { price } } }');
    expect(await answer.rest()).toEqual([{ data: { book: null }, hasNext: false }]);
  });

  it('when it is a mutation with @defer at its root, then the effect has its turn and its result comes later', async () => {
    const answer = await ask(
      'mutation { one: rename(id: "1", title: "One") { title } ... @defer { two: rename(id: "2", title: "Two") { title } } }',
    );
    expect(await answer.rest()).toEqual([
      { data: { one: { title: 'One' } }, hasNext: true },
      { incremental: [{ path: [], data: { two: { title: 'Two' } } }], hasNext: false },
    ]);
  });

  it('when @defer is at the root of a query, then the patch is too', async () => {
    graph.gates.close('prices');
    const answer = await ask('{ book(id: "1") { title } ... @defer { cheapest { price } } }');
    expect(await answer.next()).toEqual({ data: { book: { title: 'Momo' } }, hasNext: true });
    graph.gates.open('prices');
    expect(await answer.rest()).toEqual([{ incremental: [{ path: [], data: { cheapest: { price: 20 } } }], hasNext: false }]);
  });
});

describe('given something that goes wrong', () => {
  it('when a deferred subgraph fails, then the patch has the error and all else stands', async () => {
    graph.gates.fail('prices', new GatewayError('SUBGRAPH_UNAVAILABLE', 'Not there.'));
    const answer = await ask(PRICE, { headers: { 'x-correlation-id': 'trace-8' } });
    expect(await answer.rest()).toEqual([
      { data: { book: { title: 'Momo' } }, hasNext: true },
      {
        incremental: [
          {
            label: 'price',
            path: ['book'],
            data: { price: null },
            errors: [
              {
                message: 'Not there.',
                locations: [{ line: 1, column: PRICE.lastIndexOf('price') + 1 }],
                path: ['book', 'price'],
                extensions: { code: 'SUBGRAPH_UNAVAILABLE', requestId: 'trace-8' },
              },
            ],
          },
        ],
        hasNext: false,
      },
    ]);
  });

  it('when a field of the fragment must not be null and is, then the fragment is null', async () => {
    const answer = await ask('{ books { title ... @defer { sure } } }');
    const [, part] = await answer.rest();
    expect(part).toMatchObject({
      incremental: [
        { path: ['books', 0], data: null, errors: [{ path: ['books', 0, 'sure'] }] },
        { path: ['books', 1], data: null, errors: [{ path: ['books', 1, 'sure'] }] },
      ],
      hasNext: false,
    });
  });

  it('when there is a defect after the first part, then the last part says so without telling what, and the answer is whole', async () => {
    graph.gates.fail('prices', new TypeError('a secret of ours'));
    const answer = await ask(PRICE);
    const parts = await answer.rest();
    expect(parts).toMatchObject([
      { data: { book: { title: 'Momo' } }, hasNext: true },
      {
        incremental: [{ label: 'price', path: ['book'], data: null, errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] }],
        hasNext: false,
      },
    ]);
    expect(JSON.stringify(parts)).not.toContain('secret');
  });

  it('when a subgraph of the first part fails so that nothing is there, then nothing comes later', async () => {
    graph.gates.fail('catalogue', new GatewayError('SUBGRAPH_UNAVAILABLE', 'Not there.'));
    expect(await (await ask(PRICE)).rest()).toMatchObject([{ data: { book: null }, errors: [{ path: ['book'] }], hasNext: false }]);
  });

  it('when the client leaves after the first part, then the deferred requests of a query are stopped', async () => {
    graph.gates.close('prices');
    const answer = await ask(PRICE);
    await answer.next();
    const { signal } = await graph.gates.asked('prices');
    expect(signal.aborted).toBe(false);
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
    answer.leave();
    await stopped;
  });

  it('when the gateway is closed after the first part, then the answer is finished before', async () => {
    graph = await startDeferredGraph();
    graph.gates.close('prices');
    const answer = await ask(PRICE);
    await answer.next();
    const closed = graph[Symbol.asyncDispose]();
    graph.gates.open('prices');
    expect(await answer.rest()).toMatchObject([{ hasNext: false }]);
    await closed;
  });
});

describe('given a deadline', () => {
  it('when it ends after the first part, then what is missing comes with the error, and the answer is whole', async () => {
    await using late = await startDeferredGraph({ graphql: { operationTimeoutMs: 1_000 } });
    // Plans the operation first: planning would take its share of the deadline, and the first part might miss it.
    await (await askForParts({ url: `${late.url}/graphql`, body: { query: PRICE } })).rest();
    late.gates.close('prices');
    const answer = await askForParts({ url: `${late.url}/graphql`, body: { query: PRICE } });
    expect(await answer.rest()).toMatchObject([
      { data: { book: { title: 'Momo' } }, hasNext: true },
      { incremental: [{ path: ['book'], data: { price: null }, errors: [{ extensions: { code: 'GATEWAY_TIMEOUT' } }] }], hasNext: false },
    ]);
  });
});
