import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGateway, type Gateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { ACCEPT_MULTIPART, requestMultipart } from '../../support/http/multipart-reader.ts';
import { type AnyMessage, openRawWebSocket } from '../../support/websocket/raw-websocket.ts';

const SDL = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { book(id: ID!): Book }
  type Mutation { renameBook(id: ID!): Book }
  type Subscription { bookRenamed: Book }
  type Book @key(fields: "id") { id: ID! title: String }
`;
const ROUTES = `"Shows a book." query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") {
  book(id: $id) @result { id title }
}
"Renames a book." mutation RenameBook($id: ID! @in(path: "id")) @endpoint(method: POST, path: "/books/{id}", status: 200) {
  renameBook(id: $id) @result { id title }
}
"Follows the books." subscription FollowBooks @endpoint(method: GET, path: "/books/events") { bookRenamed @result { id title } }`;

const SECRET = 'secret host db1';
const QUERY = '{ book(id: "1") { title } }';
const MUTATION = 'mutation { renameBook(id: "1") { title } }';
const SUBSCRIPTION = 'subscription { bookRenamed { title } }';

/** Starts a subgraph whose responses all consist of one error. */
async function startFailingSubgraph(codeNow: () => unknown): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    request.resume();
    const code = codeNow();
    const extensions = { ...(code === undefined ? {} : { code }), exception: { stacktrace: [SECRET] } };
    const body = JSON.stringify({ data: null, errors: [{ message: SECRET, extensions }] });
    const isStream = request.headers.accept?.includes('text/event-stream') === true;
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    response.end(isStream ? `event: next\ndata: ${body}\n\nevent: complete\ndata:\n\n` : body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql` };
}

/** A listening gateway for each profile. */
interface Running {
  readonly gateway: Gateway;
  readonly url: string;
}

let code: unknown;
let subgraph: Awaited<ReturnType<typeof startFailingSubgraph>>;
let production: Running;
let development: Running;
let supergraphSdl: string;

async function start(profile: 'production' | 'dev', sdl: string, more: object = {}): Promise<Running> {
  const gateway = await createGateway(
    {
      profile,
      supergraph: { sdl },
      server: { port: 0, internalPort: 0, shutdown: { lameDuckMs: 0 } },
      budget: { mode: 'off' },
      subgraphs: { retry: { maxRetries: 0 }, circuitBreaker: { enabled: false }, subscriptions: { transport: 'sse' }, ...more },
    },
    { logger: silentLogger },
  );
  gateway.mount(createRestFacade({ gateway, documents: [{ path: 'rest/books.graphql', text: ROUTES }] }));
  return { gateway, url: (await gateway.listen()).url };
}

beforeAll(async () => {
  subgraph = await startFailingSubgraph(() => code);
  const composition = composeSubgraphs([{ name: 'books', url: subgraph.url, files: [{ path: 'books.graphql', text: SDL }] }]);
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  ({ supergraphSdl } = composition);
  [production, development] = [await start('production', supergraphSdl), await start('dev', supergraphSdl)];
});
afterAll(async () => {
  await production.gateway[Symbol.asyncDispose]();
  await development.gateway[Symbol.asyncDispose]();
  subgraph.server.close();
  subgraph.server.closeAllConnections();
});

/** Reads everything that a client receives over one transport, as text. */
interface Read {
  readonly status?: number;
  readonly text: string;
}

interface Init extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

async function fetchText(url: string, init: Init = {}): Promise<Read> {
  const response = await fetch(url, { ...init, headers: { connection: 'close', ...init.headers } });
  return { status: response.status, text: JSON.stringify([...response.headers]) + (await response.text()) };
}

const post =
  (query: string, accept: string) =>
  (url: string): Promise<Read> =>
    fetchText(`${url}/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query }),
      headers: { 'content-type': 'application/json', accept },
    });

const byWebSocket =
  (query: string) =>
  async (url: string): Promise<Read> => {
    await using socket = await openRawWebSocket(url);
    socket.send({ type: 'connection_init' });
    await socket.next();
    socket.send({ id: '1', type: 'subscribe', payload: { query } });
    const messages: AnyMessage[] = [];
    do messages.push(await socket.next());
    while (!['complete', 'error'].includes(String(messages.at(-1)?.['type'])));
    return { text: JSON.stringify(messages) };
  };

async function incrementally(url: string): Promise<Read> {
  const query = '{ __typename ... @defer { book(id: "1") { title } } }';
  const response = await requestMultipart({ url: `${url}/graphql`, body: { query }, headers: { accept: ACCEPT_MULTIPART } });
  return { text: JSON.stringify([response.headers, await response.rest()]) };
}

const MULTIPART_SUBSCRIPTION = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/json';

const GRAPHQL: readonly (readonly [string, (url: string) => Promise<Read>])[] = [
  ['POST /graphql', post(QUERY, 'application/json')],
  ['a mutation', post(MUTATION, 'application/graphql-response+json')],
  ['GET /graphql', (url) => fetchText(`${url}/graphql?query=${encodeURIComponent(QUERY)}`, { headers: { accept: 'application/json' } })],
  ['a query over SSE', post(QUERY, 'text/event-stream')],
  ['a subscription over SSE', post(SUBSCRIPTION, 'text/event-stream')],
  ['a multipart subscription', post(SUBSCRIPTION, MULTIPART_SUBSCRIPTION)],
  ['a deferred fragment', incrementally],
  ['a query over WebSocket', byWebSocket(QUERY)],
  ['a subscription over WebSocket', byWebSocket(SUBSCRIPTION)],
];

const REST: readonly (readonly [string, (url: string) => Promise<Read>])[] = [
  ['GET', (url) => fetchText(`${url}/books/1`)],
  ['GET below /api', (url) => fetchText(`${url}/api/books/1`)],
  ['POST', (url) => fetchText(`${url}/books/1`, { method: 'POST', headers: { 'x-requested-with': 'test' } })],
];

describe('point 10: a subgraph message that was not written for clients', () => {
  describe.each([['X'], ['CIRCUIT_OPEN'], ['INTERNAL_SERVER_ERROR'], [undefined]])('code %p', (given) => {
    beforeAll(() => {
      code = given;
    });

    it.each([...GRAPHQL, ...REST, ['REST events', (url: string) => fetchText(`${url}/books/events`)] as const])(
      'is not in any part of the response in production (%s)',
      async (_path, request) => {
        const { text } = await request(production.url);
        expect(text).toContain('INTERNAL_SERVER_ERROR');
        expect(text).not.toMatch(/secret|host db1|CIRCUIT_OPEN|"X"|127\.0\.0\.1:|"books"/);
      },
    );

    it.each(REST)('has status 500 over REST in production and in development (%s)', async (_path, request) => {
      expect([(await request(production.url)).status, (await request(development.url)).status]).toEqual([500, 500]);
    });

    it.each(GRAPHQL)('is forwarded in development, with its code and the name of the subgraph (%s)', async (_path, request) => {
      const { text } = await request(development.url);
      expect(text.replaceAll('\\', '')).toContain(`Subgraph "books": ${SECRET}`);
      expect(text.replaceAll('\\', '')).toContain(`"code":"${given ?? 'INTERNAL_SERVER_ERROR'}"`);
      expect(text).not.toContain('stacktrace');
    });

    it.each(REST)('is forwarded in development over REST (%s)', async (_path, request) => {
      expect((await request(development.url)).text.replaceAll('\\', '')).toContain(`Subgraph "books": ${SECRET}`);
    });
  });
});

describe('point 10: a message with a listed code', () => {
  it.each(GRAPHQL)('is forwarded in production (%s)', async (_path, request) => {
    code = 'CONFLICT';
    const { text } = await request(production.url);
    expect(text).toContain(SECRET);
    expect(text).toContain('CONFLICT');
  });

  it('has the status of its code over REST', async () => {
    code = 'CONFLICT';
    expect((await fetchText(`${production.url}/books/1`)).status).toBe(409);
  });
});

describe('point 10: a message with a configured code', () => {
  it.each([
    ['for all subgraphs', { errorCodes: ['OUT_OF_STOCK'] }],
    ['for the subgraph', { override: { books: { errorCodes: ['OUT_OF_STOCK'] } } }],
  ])('is forwarded in production if the code is configured %s', async (_whose, subgraphs) => {
    code = 'OUT_OF_STOCK';
    const { text: masked } = await post(QUERY, 'application/json')(production.url);
    expect(masked).not.toContain(SECRET);
    const configured = await start('production', supergraphSdl, subgraphs);
    const { text } = await post(QUERY, 'application/json')(configured.url);
    await configured.gateway[Symbol.asyncDispose]();
    expect(text).toContain(SECRET);
    expect(text).toContain('OUT_OF_STOCK');
  });
});
