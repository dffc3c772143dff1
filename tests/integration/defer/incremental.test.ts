import { beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { type DeferredGraph, startDeferredGraph } from '../../fixtures/deferred-graph.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { ACCEPT_MULTIPART, type MultipartResponse, type MultipartRequest, requestMultipart } from '../../support/http/multipart-reader.ts';

let graph: DeferredGraph;

const shared = sharedByTests(startDeferredGraph);
beforeEach(() => {
  graph = shared();
  graph.gates.reset();
});

function request(query: string, more: Partial<MultipartRequest> & { readonly variables?: object } = {}): Promise<MultipartResponse> {
  const { variables, ...request } = more;
  return requestMultipart({ url: `${graph.url}/graphql`, body: { query, variables }, ...request });
}

const PRICE = '{ book(id: "1") { title ... @defer(label: "price") { price } } }';

describe('a rejected operation with @defer', () => {
  it.each([
    ['it is not valid', '{ book(id: "1") { ... @defer { nothing } } }', {}],
    ['a label is there twice', '{ book(id: "1") { ... @defer(label: "a") { id } ... @defer(label: "a") { id } } }', {}],
    ['a variable is missing', 'query ($id: ID!) { book(id: $id) { ... @defer { id } } }', {}],
    ['its condition is null', 'query ($if: Boolean = true) { book(id: "1") { ... @defer(if: $if) { id } } }', { variables: { if: null } }],
    ['it is a subscription', 'subscription { renamed { ... @defer { id } } }', {}],
  ])('gets a plain response with an error status when %s', async (_why, query, more) => {
    const response = await request(query, { headers: { accept: 'multipart/mixed, application/graphql-response+json' }, ...more });
    expect([response.status, response.headers['content-type']]).toEqual([400, 'application/graphql-response+json; charset=utf-8']);
    expect(await response.next()).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });

  it('gets the usual errors for a wrong content type or media type', async () => {
    expect((await request(PRICE, { headers: { 'content-type': 'text/plain' } })).status).toBe(400);
    expect((await request(PRICE, { headers: { accept: 'text/plain' } })).status).toBe(406);
    expect((await request(PRICE, { headers: { accept: 'multipart/mixed;q=0' } })).status).toBe(406);
  });
});

describe('a client that does not accept multipart', () => {
  it.each([
    'application/json',
    '*/*',
    'multipart/mixed;subscriptionSpec="1.0", application/json',
    'multipart/mixed;deferSpec=20300101, application/json',
    'multipart/mixed;q=0, application/json',
    'multipart/form-data, application/json',
  ])('gets everything at once when it accepts %s', async (accept) => {
    const response = await request(PRICE, { headers: { accept } });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await response.next()).toEqual({ data: { book: { title: 'Momo', price: 10 } } });
  });

  it('gets everything at once without HTTP', async () => {
    const request = {
      principal: await graph.gateway.authenticate({}),
      document: { text: PRICE },
      transport: 'rest',
      headers: {},
      correlationId: 'c',
      signal: new AbortController().signal,
    } as const;
    expect((await graph.gateway.executeToObject(request)).data).toEqual({ book: { title: 'Momo', price: 10 } });
    expect((await graph.gateway.executeToObject({ ...request, acceptsIncremental: true })).data).toEqual({
      book: { title: 'Momo', price: 10 },
    });
    expect(await graph.gateway.execute(request)).toMatchObject({ body: '{"data":{"book":{"title":"Momo","price":10}}}' });
  });
});

describe('a client that accepts multipart', () => {
  it.each([
    ['there is no @defer', '{ book(id: "1") { title price } }', {}],
    ['@defer is off', '{ book(id: "1") { title ... @defer(if: false) { price } } }', {}],
    [
      'a variable switches @defer off',
      'query ($if: Boolean!) { book(id: "1") { title ... @defer(if: $if) { price } } }',
      { variables: { if: false } },
    ],
  ])('gets a plain response when %s', async (_why, query, more) => {
    for (const accept of [ACCEPT_MULTIPART, 'multipart/mixed']) {
      const response = await request(query, { ...more, headers: { accept } });
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(await response.next()).toEqual({ data: { book: { title: 'Momo', price: 10 } } });
    }
  });

  it.each([
    ACCEPT_MULTIPART,
    'multipart/mixed',
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    'Multipart/Mixed; boundary="-"; deferSpec="20220824"; q=0.5',
  ])('gets the second payload when the hanging subgraph responds, with Accept: %s', async (accept) => {
    graph.gates.close('prices');
    const response = await request(PRICE, { headers: { accept, 'x-correlation-id': 'trace-7' } });
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'multipart/mixed; boundary="-"; deferSpec=20220824',
      'cache-control': 'no-store',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
      'x-correlation-id': 'trace-7',
    });
    expect(await response.next()).toEqual({ data: { book: { title: 'Momo' } }, hasNext: true });
    graph.gates.open('prices');
    expect(await response.rest()).toEqual([{ incremental: [{ label: 'price', path: ['book'], data: { price: 10 } }], hasNext: false }]);
  });

  it('gets multipart by GET, and its headers by HEAD', async () => {
    const url = `${graph.url}/graphql?query=${encodeURIComponent(PRICE)}`;
    const response = await requestMultipart({ url, method: 'GET' });
    expect(await response.rest()).toMatchObject([{ hasNext: true }, { hasNext: false }]);
    const head = await requestMultipart({ url, method: 'HEAD' });
    expect([head.status, head.headers['content-type']]).toEqual([200, response.headers['content-type']]);
  });

  it('gets outer fragments before inner ones, also in lists', async () => {
    graph.gates.close('readers');
    const response = await request(`{
      books { title ...Reviews @defer(label: "reviews") }
    }
    fragment Reviews on Book { reviews { text by { id ... @defer(label: "name") { name } } } }`);
    expect(await response.next()).toEqual({ data: { books: [{ title: 'Momo' }, { title: 'Jim Knopf' }] }, hasNext: true });
    const reviewsOf = (id: string) => ['a', 'b'].map((by) => ({ text: `${by} on ${id}`, by: { id: by } }));
    expect(await response.next()).toEqual({
      incremental: [0, 1].map((index) => ({ label: 'reviews', path: ['books', index], data: { reviews: reviewsOf(`${index + 1}`) } })),
      hasNext: true,
    });
    graph.gates.open('readers');
    const positions = [0, 1].flatMap((book) => [0, 1].map((review) => ['books', book, 'reviews', review, 'by'] as const));
    expect(await response.rest()).toEqual([
      { incremental: positions.map((path) => ({ label: 'name', path, data: { name: path[3] === 0 ? 'A' : 'B' } })), hasNext: false },
    ]);
  });

  it('gets payloads with its aliases', async () => {
    const response = await request(
      '{ mine: book(id: "1") { it: title ... @defer { cost: price } } other: book(id: "2") { ... @defer { cost: price } } }',
    );
    const [first, ...later] = (await response.rest()) as [unknown, ...{ incremental: { path: unknown }[] }[]];
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

  it('gets a single payload when no object exists for the fragment', async () => {
    const response = await request('{ book(id: "9") { title ... @defer { price } } }');
    expect(await response.rest()).toEqual([{ data: { book: null }, hasNext: false }]);
  });

  it('gets the result of a deferred mutation later, executed in order', async () => {
    const response = await request(
      'mutation { one: rename(id: "1", title: "One") { title } ... @defer { two: rename(id: "2", title: "Two") { title } } }',
    );
    expect(await response.rest()).toEqual([
      { data: { one: { title: 'One' } }, hasNext: true },
      { incremental: [{ path: [], data: { two: { title: 'Two' } } }], hasNext: false },
    ]);
  });

  it('gets a payload for the root when @defer is at the root of a query', async () => {
    graph.gates.close('prices');
    const response = await request('{ book(id: "1") { title } ... @defer { cheapest { price } } }');
    expect(await response.next()).toEqual({ data: { book: { title: 'Momo' } }, hasNext: true });
    graph.gates.open('prices');
    expect(await response.rest()).toEqual([{ incremental: [{ path: [], data: { cheapest: { price: 20 } } }], hasNext: false }]);
  });
});

describe('failures', () => {
  it('reports a failed deferred subgraph in the payload, and everything else remains', async () => {
    graph.gates.fail('prices', new GatewayError('SUBGRAPH_UNAVAILABLE', 'Not there.'));
    const response = await request(PRICE, { headers: { 'x-correlation-id': 'trace-8' } });
    expect(await response.rest()).toEqual([
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

  it('nulls the fragment when one of its non-null fields is null', async () => {
    const response = await request('{ books { title ... @defer { sure } } }');
    const [, part] = await response.rest();
    expect(part).toMatchObject({
      incremental: [
        { path: ['books', 0], data: null, errors: [{ path: ['books', 0, 'sure'] }] },
        { path: ['books', 1], data: null, errors: [{ path: ['books', 1, 'sure'] }] },
      ],
      hasNext: false,
    });
  });

  it('reports a defect after the first payload without details, and completes the response', async () => {
    graph.gates.fail('prices', new TypeError('a secret of ours'));
    const response = await request(PRICE);
    const parts = await response.rest();
    expect(parts).toMatchObject([
      { data: { book: { title: 'Momo' } }, hasNext: true },
      {
        incremental: [{ label: 'price', path: ['book'], data: null, errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] }],
        hasNext: false,
      },
    ]);
    expect(JSON.stringify(parts)).not.toContain('secret');
  });

  it('sends no further payloads when the first subgraph fails and no data remains', async () => {
    graph.gates.fail('catalogue', new GatewayError('SUBGRAPH_UNAVAILABLE', 'Not there.'));
    expect(await (await request(PRICE)).rest()).toMatchObject([{ data: { book: null }, errors: [{ path: ['book'] }], hasNext: false }]);
  });

  it('aborts the deferred requests of a query when the client disconnects', async () => {
    graph.gates.close('prices');
    const response = await request(PRICE);
    await response.next();
    const { signal } = await graph.gates.requested('prices');
    expect(signal.aborted).toBe(false);
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
    response.leave();
    await stopped;
  });

  it('finishes the response before the gateway closes', async () => {
    graph = await startDeferredGraph();
    graph.gates.close('prices');
    const response = await request(PRICE);
    await response.next();
    const closed = graph[Symbol.asyncDispose]();
    graph.gates.open('prices');
    expect(await response.rest()).toMatchObject([{ hasNext: false }]);
    await closed;
  });
});

describe('a deadline after the first payload', () => {
  it('completes the response with an error for each missing payload', async () => {
    await using late = await startDeferredGraph({ graphql: { operationTimeoutMs: 1_000 } });
    // Plans the operation first. Planning would use a part of the deadline, and the first payload might miss it.
    await (await requestMultipart({ url: `${late.url}/graphql`, body: { query: PRICE } })).rest();
    late.gates.close('prices');
    const response = await requestMultipart({ url: `${late.url}/graphql`, body: { query: PRICE } });
    expect(await response.rest()).toMatchObject([
      { data: { book: { title: 'Momo' } }, hasNext: true },
      { incremental: [{ path: ['book'], data: { price: null }, errors: [{ extensions: { code: 'GATEWAY_TIMEOUT' } }] }], hasNext: false },
    ]);
  });
});
