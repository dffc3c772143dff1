import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import { startReferenceGateway } from '../../support/stack/reference-gateway.ts';
import { expectError } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';
import { type Behavior, closedAddress, startSubgraphProxy, type SubgraphProxy } from '../../support/stack/subgraph-proxy.ts';

/** Finds the response key of the book in a request: a subgraph must use the alias that the gateway requests. */
function keyOfBook(body: string): string {
  const { query } = JSON.parse(body) as { readonly query: string };
  return /(\w+): ?book\b/.exec(query)?.[1] ?? 'book';
}

/** Sends a body. In a text body, the book has the requested response key. */
const send =
  (body: string | Buffer, { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {}): Behavior =>
  (_request, response, requested) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body.replaceAll('"book"', JSON.stringify(keyOfBook(requested))) : body);
  };
const sendJson = (value: unknown, options?: Parameters<typeof send>[1]): Behavior => send(JSON.stringify(value), options);

/** Malformed responses, each with the error code that the client receives. */
const NONSENSE: readonly (readonly [what: string, behavior: Behavior, code: string])[] = [
  [
    'an HTML page with 502',
    send('<html><h1>502 Bad Gateway</h1>nginx at 127.0.0.1:8080</html>', { status: 502, headers: { 'content-type': 'text/html' } }),
    'SUBGRAPH_UNAVAILABLE',
  ],
  ['503 with nothing', send('', { status: 503 }), 'SUBGRAPH_UNAVAILABLE'],
  ['429', send('{"message":"slow down"}', { status: 429 }), 'SUBGRAPH_UNAVAILABLE'],
  ['a page with 200', send('<html></html>', { headers: { 'content-type': 'text/html' } }), 'SUBGRAPH_INVALID_RESPONSE'],
  ['no content type', (_request, response) => response.writeHead(200).end('{"data":{}}'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['half a document', send('{"data":{"book":'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['nothing', send(''), 'SUBGRAPH_INVALID_RESPONSE'],
  ['a list', send('[]'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['null', send('null'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['data that is a list', sendJson({ data: [] }), 'SUBGRAPH_INVALID_RESPONSE'],
  ['data that is text', sendJson({ data: 'book' }), 'SUBGRAPH_INVALID_RESPONSE'],
  ['neither data nor errors', sendJson({}), 'SUBGRAPH_INVALID_RESPONSE'],
  ['data null without errors', sendJson({ data: null }), 'SUBGRAPH_INVALID_RESPONSE'],
  ['errors that are not a list', sendJson({ errors: 'no' }), 'SUBGRAPH_INVALID_RESPONSE'],
  [
    'a redirect to an internal address',
    send('', { status: 302, headers: { location: 'http://127.0.0.1:5432/' } }),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  ['a permanent redirect', send('', { status: 308, headers: { location: 'http://169.254.169.254/' } }), 'SUBGRAPH_INVALID_RESPONSE'],
  ['more than the maximum size', send(`{"data":{"book":{"title":"${'x'.repeat(300_000)}"}}}`), 'SUBGRAPH_INVALID_RESPONSE'],
  [
    'an encoded body',
    send(gzipSync('{"data":{"book":{"title":"x"}}}'), { headers: { 'content-encoding': 'gzip' } }),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  ['bytes that are not UTF-8', send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), 'SUBGRAPH_INVALID_RESPONSE'],
  ['a closed connection', (request) => request.socket.destroy(), 'SUBGRAPH_UNAVAILABLE'],
  [
    'an incomplete body',
    (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"data":', () => request.socket.destroy());
    },
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  ['another protocol', (request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'SUBGRAPH_INVALID_RESPONSE'],
  ['nothing at all, for too long', () => {}, 'SUBGRAPH_TIMEOUT'],
  [
    'the head and then nothing',
    (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
    'SUBGRAPH_TIMEOUT',
  ],
  ['a field of another type', sendJson({ data: { book: [1, 2] } }), 'SUBGRAPH_INVALID_RESPONSE'],
  [
    'an error without a code',
    sendJson({ data: null, errors: [{ message: 'connect ECONNREFUSED 127.0.0.1:5432' }] }),
    'INTERNAL_SERVER_ERROR',
  ],
  [
    'an error of the database',
    sendJson({
      data: { book: null },
      errors: [
        {
          message: 'relation "books" does not exist',
          path: ['book'],
          extensions: {
            code: 'INTERNAL_SERVER_ERROR',
            stacktrace: ['Error: relation', '    at Client.query (/app/node_modules/pg/lib/client.js:526:17)'],
          },
        },
      ],
    }),
    'INTERNAL_SERVER_ERROR',
  ],
  [
    'an invalid code',
    sendJson({ data: { book: null }, errors: [{ message: 'select * from books', path: ['book'], extensions: { code: 'not a code' } }] }),
    'INTERNAL_SERVER_ERROR',
  ],
  [
    'a rejection of the document',
    sendJson(
      { errors: [{ message: 'Cannot query field "title" on type "Book".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
      { status: 400 },
    ),
    'INTERNAL_SERVER_ERROR',
  ],
];

describeOnStack('failing subgraphs', (stack) => {
  const { http, graphql, tokens, subgraphUrls, developmentKey, identitySecret, newUser, newOrder } = stack;
  let catalogue: SubgraphProxy;
  let gateway: RunningGateway;
  let origin: string;

  beforeAll(async () => {
    catalogue = await startSubgraphProxy(String(subgraphUrls['catalogue']));
    gateway = await startReferenceGateway({
      subgraphUrls: { ...subgraphUrls, catalogue: catalogue.url, shipping: await closedAddress() },
      developmentKey,
      identitySecret,
      // Each failure must be visible, so the circuit breaker must not open after the fifth one.
      config: {
        subgraphs: {
          requestTimeoutMs: 400,
          maxResponseBytes: 262_144,
          circuitBreaker: { enabled: false },
          errorCodes: ['OUT_OF_STOCK'],
          errorMessages: 'listed',
        },
      },
    });
    origin = gateway.url;
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await catalogue[Symbol.asyncDispose]();
  });
  afterEach(() => catalogue.behave());

  it('returns SUBGRAPH_UNAVAILABLE at the field of an unreachable subgraph, and other data', async () => {
    const owner = await newUser();
    const id = await newOrder(owner);
    const { status, data, errors, codes } = await graphql(
      'query ($id: ID!) { order(id: $id) { id product { title } user { name } shipment { carrier } } }',
      {
        variables: { id: String(id) },
        token: owner.token,
        origin,
      },
    );
    expect({ status, codes }).toEqual({ status: 200, codes: ['SUBGRAPH_UNAVAILABLE'] });
    expect(errors?.[0]?.path).toEqual(['order', 'shipment']);
    expect(data).toEqual({
      order: { id: String(id), product: { title: expect.any(String) }, user: { name: expect.any(String) }, shipment: null },
    });
  });

  it('reports an unreachable subgraph in a list only at fields that are null', async () => {
    const { data, errors } = await graphql<{ user: { orders: { nodes: readonly { shipment: null }[] } } }>(
      '{ user(id: "1") { name orders(first: 5) { nodes { id shipment { carrier } } } } }',
      { token: tokens.user1, origin },
    );
    expect(data?.user.orders.nodes.length).toBeGreaterThan(0);
    for (const { shipment } of data?.user.orders.nodes ?? []) expect(shipment).toBeNull();
    expect(errors?.length).toBeGreaterThan(0);
    for (const { path = [], extensions } of errors ?? []) {
      expect(extensions.code).toBe('SUBGRAPH_UNAVAILABLE');
      expect(path.slice(0, 3)).toEqual(['user', 'orders', 'nodes']);
      expect(path.at(-1)).toBe('shipment');
    }
  });

  it('completes an operation that does not need the unreachable subgraph', async () => {
    const { data, errors } = await graphql('{ user(id: "1") { name } book(id: "1") { title } }', { origin });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ user: { name: expect.any(String) }, book: { title: expect.any(String) } });
  });

  describe.each(NONSENSE)('a subgraph that responds with %s', (_what, behavior, code) => {
    it('returns the other data and an error with its code, without the original text', async () => {
      catalogue.behave(behavior);
      const { status, data, errors, codes } = await graphql('{ user(id: "1") { name } book(id: "1") { title } }', { origin });
      expect({ status, codes }).toEqual({ status: 200, codes: [code] });
      // An error without a path from the subgraph has no path in the response either.
      expect([['book'], code === 'INTERNAL_SERVER_ERROR' ? undefined : ['book']]).toContainEqual(errors?.[0]?.path);
      expect(data).toEqual({ user: { name: expect.any(String) }, book: null });
      expect(errors?.[0]?.message).not.toMatch(/catalogue|nginx|relation|select|SSH|Cannot query/i);
    });

    it('returns 503 or 500 by REST, without details', async () => {
      catalogue.behave(behavior);
      const response = await http.get('/books/1', { origin });
      expectError(response, code === 'INTERNAL_SERVER_ERROR' ? 500 : 503, code);
      expect(response.text).not.toMatch(/catalogue|nginx|relation|select|SSH|Cannot query/i);
    });
  });

  it('returns an internal error, not 401, when the identity secrets differ', async () => {
    await using stranger = await startReferenceGateway({
      subgraphUrls,
      developmentKey,
      identitySecret: 'x'.repeat(64),
      config: { subgraphs: { errorMessages: 'listed' } },
    });
    for (const token of [undefined, tokens.user1]) {
      const response = await http.get('/books/1', { origin: stranger.url, token });
      expectError(response, 500, 'INTERNAL_SERVER_ERROR');
      expect(response.text).not.toMatch(/identity|gateway/i);
    }
  });

  it('returns a listed code and message, and 400 with the message by REST', async () => {
    catalogue.behave(
      sendJson({ data: { book: null }, errors: [{ message: 'Sold out.', path: ['book'], extensions: { code: 'OUT_OF_STOCK' } }] }),
    );
    const { errors, codes } = await graphql('{ book(id: "1") { title } }', { origin });
    expect([codes, errors?.[0]?.message]).toEqual([['OUT_OF_STOCK'], 'Sold out.']);
    const response = await http.get<{ message: string }>('/books/1', { origin });
    expectError(response, 400, 'BAD_REQUEST');
    expect(response.body.message).toBe('Sold out.');
  });

  it('nulls the nearest nullable parent of a failed non-null field', async () => {
    catalogue.behave(
      sendJson({
        data: { book: { title: null } },
        errors: [{ message: 'Nobody knows.', path: ['book', 'title'], extensions: { code: 'NOT_FOUND' } }],
      }),
    );
    const { data, errors } = await graphql('{ book(id: "1") { title } }', { origin });
    expect(data).toEqual({ book: null });
    expect(errors).toEqual([
      {
        message: 'Nobody knows.',
        locations: [{ line: 1, column: 19 }],
        path: ['book', 'title'],
        extensions: { code: 'NOT_FOUND', requestId: expect.any(String) },
      },
    ]);
  });

  it('returns an error for a null in a non-null field that the subgraph did not report', async () => {
    catalogue.behave(sendJson({ data: { book: { title: null } } }));
    const { data, errors } = await graphql('{ book(id: "1") { title } }', { origin });
    expect(data).toEqual({ book: null });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.path).toEqual(['book', 'title']);
  });

  it('drops data that was not requested', async () => {
    catalogue.behave(
      send(
        '{"data":{"book":{"title":"T","secret":"S","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}},"other":1},"extensions":{"trace":"S"}}',
      ),
    );
    const { text } = await graphql('{ book(id: "1") { title } }', { origin });
    expect(JSON.parse(text)).toEqual({ data: { book: { title: 'T' } } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('does not pass values of a wrong type to the client', async () => {
    catalogue.behave(sendJson({ data: { book: { title: { a: 1 }, price: 'free', inStock: 'yes' } } }));
    const { data, errors } = await graphql('{ book(id: "1") { title } }', { origin });
    expect(data).toEqual({ book: null });
    expect(errors?.length).toBeGreaterThan(0);
  });

  it('executes the mutations after a failed one', async () => {
    catalogue.behave((request) => request.socket.destroy());
    const { data, codes } = await graphql(
      'mutation { a: createBook(input: { title: "T", author: "A", price: 1 }) { book { id } } b: createPost(input: { title: "T", body: "B" }) { id } }',
      { token: tokens.admin, origin },
    );
    expect(codes).toContain('SUBGRAPH_UNAVAILABLE');
    expect(data ?? null).toBeNull(); // Both root fields are non-null, so the null of one nulls all data.
  });

  it('sends a mutation only once when its response is lost', async () => {
    catalogue.behave((request) => request.socket.destroy());
    catalogue.forget();
    await graphql('mutation { createBook(input: { title: "Once", author: "A", price: 1 }) { book { id } } }', {
      token: tokens.admin,
      origin,
    });
    expect(catalogue.requests).toHaveLength(1);
  });

  it('releases the subgraph when the client disconnects', async () => {
    let release: (value: boolean) => void = () => {};
    const wasReleased = new Promise<boolean>((resolve) => {
      release = resolve;
    });
    const requested = new Promise<void>((resolve) => {
      catalogue.behave((request) => {
        request.socket.once('close', () => release(true));
        resolve();
      });
    });
    const controller = new AbortController();
    const pending = fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ book(id: \\"1\\") { title } }"}',
      signal: controller.signal,
    }).catch(() => undefined);
    await requested;
    controller.abort();
    await pending;
    expect(await wasReleased).toBe(true);
  });

  it('serves other requests during many requests to a subgraph that hangs', async () => {
    catalogue.behave(() => {});
    const storm = Array.from({ length: 40 }, () => graphql('{ book(id: "1") { title } }', { origin }));
    const { data } = await graphql('{ user(id: "1") { name } }', { origin });
    expect(data).toMatchObject({ user: { name: expect.any(String) } });
    for (const { codes } of await Promise.all(storm)) expect(codes).toEqual(['SUBGRAPH_TIMEOUT']);
  });
});
