import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { type BackEndBehavior, type ConnectedGraph, startConnectedGraph } from '../../fixtures/connected-graph.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';

const BOOK = '{ book(id: "1") { title price } }';

/** Returns a behavior that sends one response. */
function sending(status: number, type: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): BackEndBehavior {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    return true;
  };
}

const JSON_TYPE = 'application/json';

describe('a connector, if its back end fails', () => {
  const shared = sharedByTests(() =>
    startConnectedGraph({
      subgraphs: {
        requestTimeoutMs: 400,
        maxResponseBytes: 10_000,
        retry: { maxRetries: 0 },
        circuitBreaker: { enabled: false },
      },
    }),
  );

  it.each([
    ['a value of a wrong type', sending(200, JSON_TYPE, '{"title":{"a":1},"price":2}'), 'SUBGRAPH_INVALID_RESPONSE'],
    ['truncated JSON', sending(200, JSON_TYPE, '{"title":"T"'), 'SUBGRAPH_INVALID_RESPONSE'],
    ['status 400 without a body', sending(400, JSON_TYPE, ''), 'BAD_USER_INPUT'],
    ['status 404 with a body', sending(404, JSON_TYPE, '{"error":"db-7.internal"}'), 'NOT_FOUND'],
    ['status 500 without a body', sending(500, JSON_TYPE, ''), 'SUBGRAPH_UNAVAILABLE'],
    ['status 500 with a stack trace', sending(500, JSON_TYPE, '{"stack":"at db-7.internal"}'), 'SUBGRAPH_UNAVAILABLE'],
    ['status 503 with a page', sending(503, 'text/html', '<h1>db-7.internal</h1>'), 'SUBGRAPH_UNAVAILABLE'],
    ['a redirect', sending(302, JSON_TYPE, '', { location: 'http://db-7.internal/' }), 'SUBGRAPH_INVALID_RESPONSE'],
    [
      'a compressed body',
      sending(200, JSON_TYPE, gzipSync(Buffer.alloc(1_000_000, 0x20)), { 'content-encoding': 'gzip' }),
      'SUBGRAPH_INVALID_RESPONSE',
    ],
    ['a page in place of JSON', sending(200, 'text/html', '<h1>db-7.internal</h1>'), 'SUBGRAPH_INVALID_RESPONSE'],
    ['text that is not UTF-8', sending(200, JSON_TYPE, Buffer.from('{"title":"\xff"}', 'latin1')), 'SUBGRAPH_INVALID_RESPONSE'],
    ['a body above the limit', sending(200, JSON_TYPE, JSON.stringify({ title: 'x'.repeat(20_000) })), 'SUBGRAPH_INVALID_RESPONSE'],
    ['a reset connection', (request) => Boolean(request.socket.resetAndDestroy()), 'SUBGRAPH_UNAVAILABLE'],
    ['no response', () => true, 'SUBGRAPH_TIMEOUT'],
  ] satisfies readonly (readonly [string, BackEndBehavior, string])[])(
    'reports %s without internal details',
    async (_what, behavior, code) => {
      const graph = shared();
      graph.behave(behavior);
      const { data, errors, text } = await graph.query(BOOK);
      graph.behave(undefined);
      expect(JSON.stringify(data)).not.toContain('{"a":1}');
      expect([...new Set(errors?.map(({ extensions }) => extensions.code))]).toEqual([code]);
      expect(text).not.toMatch(/db-7\.|127\.0\.0\.1|catalogue|api/);
    },
  );

  it('returns the data of the other entities, and errors at their paths', async () => {
    const graph = shared();
    graph.behave((request, response) =>
      request.url === '/catalogue/books/2/reviews?n=2' ? sending(500, JSON_TYPE, '')(request, response) : false,
    );
    const { data, errors } = await graph.query('{ books { id reviews { text } } }');
    graph.behave(undefined);
    expect(data).toMatchObject({ books: [{ reviews: [{}, {}] }, { reviews: null }, { reviews: [{}, {}] }] });
    expect(errors).toMatchObject([{ path: ['books', 1, 'reviews'], extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }]);
  });
});

describe('a graph of connectors', () => {
  const shared = sharedByTests(() => startConnectedGraph());
  const graph = (): ConnectedGraph => {
    shared().requested.length = 0;
    return shared();
  };

  it('joins root fields, fields of entities and batches', async () => {
    const one = graph();
    const { data, errors } = await one.query('{ list: books { id title price count reviews(first: 1) { text } } }');
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      list: [1, 2, 3].map((id) => ({
        id: `${id}`,
        title: `Book ${id}`,
        price: id * 10,
        count: id * 5,
        reviews: [{ text: `Review 0 of ${id}` }],
      })),
    });
    expect(one.requested.filter((request) => request === 'POST /stocks/counts')).toHaveLength(2);
    expect(one.requested.filter((request) => /^GET \/catalogue\/books\/\d$/.test(request))).toHaveLength(3);
  });

  it('executes mutations one after another', async () => {
    const one = graph();
    const { data } = await one.query('mutation { a: addBook(title: "A") { id title count } b: putBook(id: "2", title: "B") { title } }');
    expect(data).toEqual({ a: { id: '9', title: 'A', count: 45 }, b: { title: 'B' } });
    expect(one.requested.filter((request) => !request.includes('stocks'))).toEqual(['POST /catalogue/books', 'PUT /catalogue/books/2']);
  });

  it('delivers deferred fields later', async () => {
    const response = await fetch(`${graph().url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed;deferSpec=20220824' },
      body: JSON.stringify({ query: '{ book(id: "1") { title ... @defer { reviews { text } } } }' }),
    });
    const text = await response.text();
    expect(text).toContain('"title":"Book 1"');
    expect(text.indexOf('Review 0 of 1')).toBeGreaterThan(text.indexOf('Book 1'));
  });

  it('reports an object that does not exist without the words of the back end', async () => {
    const { data, errors, text } = await graph().query('{ book(id: "404") { title } }');
    expect(data).toEqual({ book: null });
    expect(errors).toMatchObject([{ path: ['book'], extensions: { code: 'NOT_FOUND' } }]);
    expect(text).not.toContain('db-7.');
  });

  it('sends a copied header of the client, and no other', async () => {
    const one = graph();
    let received: NodeJS.Dict<string | string[]> = {};
    one.behave((request) => {
      received = request.headers;
      return false;
    });
    const { data } = await one.query('{ tenant }', { headers: { 'x-tenant': 't1', cookie: 'a=b', 'x-other': '1' } });
    one.behave(undefined);
    expect(data).toEqual({ tenant: 't1' });
    expect(received).not.toHaveProperty('cookie');
    expect(received).not.toHaveProperty('x-other');
  });

  it('shows its sources in the health of the subgraph, which needs no address', async () => {
    await graph().query(BOOK);
    const health = (await (await fetch(`${shared().internalUrl}/health`)).json()) as { subgraphs: Readonly<Record<string, unknown>> };
    expect(Object.keys(health.subgraphs).sort()).toEqual(['catalogue', 'stocks']);
    expect(health.subgraphs['catalogue']).toMatchObject({ status: 'ok', sources: { api: { status: 'ok', circuitBreaker: 'closed' } } });
  });
});

describe('a request of a connector', () => {
  it('is recorded with its method and URL template, and without values', async () => {
    const spans: ReadableSpan[] = [];
    const exporter = new InMemorySpanExporter();
    const recordSpans = exporter.export.bind(exporter);
    exporter.export = (batch, done) => {
      spans.push(...batch);
      recordSpans(batch, done);
    };
    const graph = await startConnectedGraph({ telemetry: { traces: { ratio: 1 } } }, { telemetryExporters: { spans: exporter } });
    let traceparent: unknown;
    graph.behave((request) => {
      ({ traceparent } = request.headers);
      return false;
    });
    await graph.query('{ book(id: "3") { title } }');
    await graph[Symbol.asyncDispose]();
    const fetched = spans.filter(({ attributes }) => attributes['gatefold.subgraph.name'] !== undefined);
    expect(fetched.map(({ name }) => name)).toEqual([expect.stringMatching(/^GET .*\/catalogue\/books\/\{\$args\.id\}$/)]);
    expect(fetched[0]?.attributes).toMatchObject({ 'gatefold.subgraph.name': 'catalogue', 'http.request.method': 'GET' });
    expect(JSON.stringify(fetched[0]?.attributes)).not.toContain('books/3');
    expect(traceparent).toBe(`00-${fetched[0]?.spanContext().traceId}-${fetched[0]?.spanContext().spanId}-01`);
  });

  it('passes hooks of its subgraph, which change headers and see the response', async () => {
    const seen: unknown[] = [];
    await using graph = await startConnectedGraph(
      {},
      {
        hooks: {
          onSubgraphRequest: ({ subgraph, connector }) => {
            seen.push([subgraph, connector]);
            return { headers: { 'x-signed': 'yes' } };
          },
          onSubgraphResponse: ({ status, data }) => void seen.push([status, Object.values(data() ?? {})]),
        },
      },
    );
    let signed: unknown;
    graph.behave((request) => {
      signed = request.headers['x-signed'];
      return false;
    });
    await graph.query(BOOK);
    expect(signed).toBe('yes');
    expect(seen).toEqual([
      ['catalogue', 'Query.book'],
      [200, [{ title: 'Book 1', price: 10 }]],
    ]);
  });
});

describe('policies of a connector', () => {
  it('caches entities no longer than the back end allows', async () => {
    let now = 1_000_000;
    const clock = { now: () => Date.now(), monotonic: () => now };
    await using graph = await startConnectedGraph({ cache: { entities: true } }, { clock });
    const stocks = (): number => graph.requested.filter((request) => request.includes('/stocks/')).length;
    const query = '{ books { count } }';
    await graph.query(query);
    now += 59_000;
    await graph.query(query);
    expect(stocks()).toBe(2);
    now += 2_000;
    await graph.query(query);
    expect(stocks()).toBe(4);
  });

  it('separates cached responses by the headers that a connector copies', async () => {
    await using graph = await startConnectedGraph();
    const get = async (tenant: string) => {
      const response = await fetch(`${graph.url}/graphql?query={tenant}`, {
        headers: { 'x-tenant': tenant, 'apollo-require-preflight': '1' },
      });
      return { vary: response.headers.get('vary'), cacheControl: response.headers.get('cache-control'), text: await response.text() };
    };
    const first = await get('t1');
    expect(first).toMatchObject({ vary: expect.stringContaining('x-tenant'), cacheControl: 'public, max-age=60' });
    expect((await get('t2')).text).toBe('{"data":{"tenant":"t2"}}');
    expect((await get('t1')).text).toBe('{"data":{"tenant":"t1"}}');
    expect(graph.requested).toHaveLength(2);
  });

  it('opens the circuit breaker', async () => {
    await using graph = await startConnectedGraph({ subgraphs: { retry: { maxRetries: 0 }, circuitBreaker: { failures: 2, window: 2 } } });
    graph.behave(sending(500, JSON_TYPE, ''));
    const codes = [];
    for (let count = 0; count < 3; count += 1) codes.push((await graph.query(BOOK)).errors?.[0]?.extensions.code);
    expect(codes).toEqual(['SUBGRAPH_UNAVAILABLE', 'SUBGRAPH_UNAVAILABLE', 'CIRCUIT_OPEN']);
  });

  it('repeats PUT, but not POST', async () => {
    await using graph = await startConnectedGraph({ subgraphs: { retry: { maxRetries: 1, baseDelayMs: 0 } } });
    graph.behave(sending(503, JSON_TYPE, ''));
    await graph.query('mutation { putBook(id: "1", title: "B") { id } }');
    await graph.query('mutation { addBook(title: "A") { id } }');
    expect(graph.requested).toEqual(['PUT /catalogue/books/1', 'PUT /catalogue/books/1', 'POST /catalogue/books']);
  });

  it('limits the requests of one operation', async () => {
    await using graph = await startConnectedGraph({ connectors: { subgraphs: { catalogue: { maxRequestsPerOperation: 2 } } } });
    const { data, errors } = await graph.query('{ books { reviews { text } } }');
    expect(JSON.stringify(data).match(/"reviews":null/g)).toHaveLength(2);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual([
      'CONNECTOR_REQUEST_LIMIT_EXCEEDED',
      'CONNECTOR_REQUEST_LIMIT_EXCEEDED',
    ]);
  });

  it('limits the size of the responses of one operation', async () => {
    await using graph = await startConnectedGraph({ subgraphs: { maxResponseBytesPerOperation: 1 } });
    const { data, errors } = await graph.query('{ books { title } }');
    expect(data).toEqual({ books: null });
    expect(errors?.map(({ extensions, path }) => [extensions.code, path])).toEqual([['SUBGRAPH_RESPONSE_LIMIT_EXCEEDED', ['books']]]);
  });

  it('replaces the URL of a source, and names a setting that fits none', async () => {
    await using other = await startConnectedGraph();
    await expect(startConnectedGraph({ connectors: { subgraphs: { catalogue: { sources: { wrong: {} } } } } })).rejects.toThrow(
      'Expected one of: api',
    );
    await using graph = await startConnectedGraph({
      connectors: { subgraphs: { catalogue: { sources: { api: { baseUrl: `${other.url}/none` } } } } },
    });
    expect((await graph.query(BOOK)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});
