import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import { startReferenceGateway } from '../../support/stack/reference-gateway.ts';
import { expectRefusal } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';
import { type Behaviour, closedAddress, startSubgraphProxy, type SubgraphProxy } from '../../support/stack/subgraph-proxy.ts';

/** Under which key a request asks for the book: a subgraph answers under the alias that it was given. */
function keyOfBook(body: string): string {
  const { query } = JSON.parse(body) as { readonly query: string };
  return /(\w+): ?book\b/.exec(query)?.[1] ?? 'book';
}

/** A body of text has the book under the key that was asked for. */
const send =
  (
    body: string | Buffer,
    { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ): Behaviour =>
  (_request, response, asked) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body.replaceAll('"book"', JSON.stringify(keyOfBook(asked))) : body);
  };
const sendJson = (value: unknown, options?: Parameters<typeof send>[1]): Behaviour => send(JSON.stringify(value), options);

/** Ways to answer nonsense, each with the code that the client reads. */
const NONSENSE: readonly (readonly [what: string, behaviour: Behaviour, code: string])[] = [
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
  ['errors that are no list', sendJson({ errors: 'no' }), 'SUBGRAPH_INVALID_RESPONSE'],
  [
    'a redirect to an address inside',
    send('', { status: 302, headers: { location: 'http://127.0.0.1:5432/' } }),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  ['a permanent redirect', send('', { status: 308, headers: { location: 'http://169.254.169.254/' } }), 'SUBGRAPH_INVALID_RESPONSE'],
  ['more than it may', send(`{"data":{"book":{"title":"${'x'.repeat(300_000)}"}}}`), 'SUBGRAPH_INVALID_RESPONSE'],
  [
    'an encoded body',
    send(gzipSync('{"data":{"book":{"title":"x"}}}'), { headers: { 'content-encoding': 'gzip' } }),
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  ['bytes that are no UTF-8', send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), 'SUBGRAPH_INVALID_RESPONSE'],
  ['a closed connection', (request) => request.socket.destroy(), 'SUBGRAPH_UNAVAILABLE'],
  [
    'a body that breaks off',
    (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"data":', () => request.socket.destroy());
    },
    'SUBGRAPH_INVALID_RESPONSE',
  ],
  ['no HTTP', (request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'SUBGRAPH_INVALID_RESPONSE'],
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
    'a code that is no code',
    sendJson({ data: { book: null }, errors: [{ message: 'select * from books', path: ['book'], extensions: { code: 'not a code' } }] }),
    'INTERNAL_SERVER_ERROR',
  ],
  [
    'a refusal of our document',
    sendJson(
      { errors: [{ message: 'Cannot query field "title" on type "Book".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
      { status: 400 },
    ),
    'INTERNAL_SERVER_ERROR',
  ],
];

describeOnStack('subgraphs that fail', (stack) => {
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
      // Each failure is to be seen as what it is, so nothing is held back after the fifth.
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

  it('given a subgraph that is not there, when others take part, then their data is there with one SUBGRAPH_UNAVAILABLE at its field', async () => {
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

  it('given a list of items that it should fill, when it is not there, then each error points at a field that is null', async () => {
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

  it('given an operation that needs only others, when one subgraph is not there, then nothing is missing', async () => {
    const { data, errors } = await graphql('{ user(id: "1") { name } book(id: "1") { title } }', { origin });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ user: { name: expect.any(String) }, book: { title: expect.any(String) } });
  });

  describe.each(NONSENSE)('given a subgraph that answers %s', (_what, behaviour, code) => {
    it('when a graph of two is asked, then the other half is there and the failure has its code and nothing of its text', async () => {
      catalogue.behave(behaviour);
      const { status, data, errors, codes } = await graphql('{ user(id: "1") { name } book(id: "1") { title } }', { origin });
      expect({ status, codes }).toEqual({ status: 200, codes: [code] });
      // An error that the subgraph itself tied to no field has no path here either.
      expect([['book'], code === 'INTERNAL_SERVER_ERROR' ? undefined : ['book']]).toContainEqual(errors?.[0]?.path);
      expect(data).toEqual({ user: { name: expect.any(String) }, book: null });
      expect(errors?.[0]?.message).not.toMatch(/catalogue|nginx|relation|select|SSH|Cannot query/i);
    });

    it('when it is asked by REST, then the status is 503 or 500 and the body says nothing of it', async () => {
      catalogue.behave(behaviour);
      const answer = await http.get('/books/1', { origin });
      expectRefusal(answer, code === 'INTERNAL_SERVER_ERROR' ? 500 : 503, code);
      expect(answer.text).not.toMatch(/catalogue|nginx|relation|select|SSH|Cannot query/i);
    });
  });

  it('given a gateway whose secret the subgraphs do not share, when asked, then it is a failure of ours, and nobody is sent to sign in', async () => {
    await using stranger = await startReferenceGateway({
      subgraphUrls,
      developmentKey,
      identitySecret: 'x'.repeat(64),
      config: { subgraphs: { errorMessages: 'listed' } },
    });
    for (const token of [undefined, tokens.user1]) {
      const answer = await http.get('/books/1', { origin: stranger.url, token });
      expectRefusal(answer, 500, 'INTERNAL_SERVER_ERROR');
      expect(answer.text).not.toMatch(/identity|gateway/i);
    }
  });

  it('given a subgraph with codes of its own, when it refuses, then GraphQL has its code, REST 400, and both its words', async () => {
    catalogue.behave(
      sendJson({ data: { book: null }, errors: [{ message: 'Sold out.', path: ['book'], extensions: { code: 'OUT_OF_STOCK' } }] }),
    );
    const { errors, codes } = await graphql('{ book(id: "1") { title } }', { origin });
    expect([codes, errors?.[0]?.message]).toEqual([['OUT_OF_STOCK'], 'Sold out.']);
    const answer = await http.get<{ message: string }>('/books/1', { origin });
    expectRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.body.message).toBe('Sold out.');
  });

  it('given a subgraph whose non-null field fails, when the parents can be null, then the null goes up to the nearest of them', async () => {
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

  it('given a subgraph that gives null for what cannot be null and reports nothing, when asked, then there is an error all the same', async () => {
    catalogue.behave(sendJson({ data: { book: { title: null } } }));
    const { data, errors } = await graphql('{ book(id: "1") { title } }', { origin });
    expect(data).toEqual({ book: null });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.path).toEqual(['book', 'title']);
  });

  it('given a subgraph that answers more than it was asked, when read, then it does not come through', async () => {
    catalogue.behave(
      send(
        '{"data":{"book":{"title":"T","secret":"S","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}},"other":1},"extensions":{"trace":"S"}}',
      ),
    );
    const { text } = await graphql('{ book(id: "1") { title } }', { origin });
    expect(JSON.parse(text)).toEqual({ data: { book: { title: 'T' } } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('given values of a wrong type, when the subgraph sends them, then they do not come through as they are', async () => {
    catalogue.behave(sendJson({ data: { book: { title: { a: 1 }, price: 'free', inStock: 'yes' } } }));
    const { data, errors } = await graphql('{ book(id: "1") { title } }', { origin });
    expect(data).toEqual({ book: null });
    expect(errors?.length).toBeGreaterThan(0);
  });

  it('given a subgraph that fails in a mutation, when others come behind it, then they run all the same', async () => {
    catalogue.behave((request) => request.socket.destroy());
    const { data, codes } = await graphql(
      'mutation { a: createBook(input: { title: "T", author: "A", price: 1 }) { book { id } } b: createPost(input: { title: "T", body: "B" }) { id } }',
      { token: tokens.admin, origin },
    );
    expect(codes).toContain('SUBGRAPH_UNAVAILABLE');
    expect(data ?? null).toBeNull(); // both root fields are non-null: the null of one is the null of all
  });

  it('given a mutation whose answer was lost, when it failed, then it was sent once: nobody sends it again unasked', async () => {
    catalogue.behave((request) => request.socket.destroy());
    catalogue.forget();
    await graphql('mutation { createBook(input: { title: "Once", author: "A", price: 1 }) { book { id } } }', {
      token: tokens.admin,
      origin,
    });
    expect(catalogue.requests).toHaveLength(1);
  });

  it('given a client that leaves, when its answer is still being made, then the subgraph is let go', async () => {
    let letGo: (value: boolean) => void = () => {};
    const wasLetGo = new Promise<boolean>((resolve) => {
      letGo = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      catalogue.behave((request) => {
        request.socket.once('close', () => letGo(true));
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
    await asked;
    controller.abort();
    await pending;
    expect(await wasLetGo).toBe(true);
  });

  it('given a storm of requests to a subgraph that hangs, when others are asked meanwhile, then those are answered', async () => {
    catalogue.behave(() => {});
    const storm = Array.from({ length: 40 }, () => graphql('{ book(id: "1") { title } }', { origin }));
    const { data } = await graphql('{ user(id: "1") { name } }', { origin });
    expect(data).toMatchObject({ user: { name: expect.any(String) } });
    for (const { codes } of await Promise.all(storm)) expect(codes).toEqual(['SUBGRAPH_TIMEOUT']);
  });
});
