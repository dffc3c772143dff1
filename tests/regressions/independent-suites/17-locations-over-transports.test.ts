import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGateway, type Gateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { requestMultipart } from '../../support/http/multipart-reader.ts';
import { type AnyMessage, openRawWebSocket } from '../../support/websocket/raw-websocket.ts';

const SDL = `
  type Query { book: Book }
  type Subscription { bookRenamed(id: ID): Book }
  type Book { title: String }
`;
const QUERY = '{\n  book { title }\n}';
const LOCATED = [{ line: 2, column: 3 }];
const SUBSCRIPTION = 'subscription {\n  bookRenamed { title }\n}';
const DEFERRED = '{\n  __typename ... @defer {\n    book { title } } }';
const UNFIT = 'subscription (\n  $id: ID) { bookRenamed(id: $id) { title } }';

/** Starts a subgraph whose fields all fail. */
async function startFailingSubgraph(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const path = [body.includes('bookRenamed') ? 'bookRenamed' : 'book'];
      const failed = JSON.stringify({ data: null, errors: [{ message: 'No.', path, extensions: { code: 'CONFLICT' } }] });
      const isStream = request.headers.accept?.includes('text/event-stream') === true;
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
      response.end(isStream ? `event: next\ndata: ${failed}\n\nevent: complete\ndata:\n\n` : failed);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql` };
}

describe('point 17: error locations, over transports', () => {
  let subgraph: Awaited<ReturnType<typeof startFailingSubgraph>>;
  let gateway: Gateway;
  let url: string;

  beforeAll(async () => {
    subgraph = await startFailingSubgraph();
    const composition = composeSubgraphs([{ name: 'books', url: subgraph.url, files: [{ path: 'books.graphql', text: SDL }] }]);
    if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
    gateway = await createGateway(
      {
        profile: 'dev',
        supergraph: { sdl: composition.supergraphSdl },
        server: { port: 0, internalPort: 0 },
        subgraphs: { retry: { maxRetries: 0 }, circuitBreaker: { enabled: false }, subscriptions: { transport: 'sse' } },
      },
      { logger: silentLogger },
    );
    ({ url } = await gateway.listen());
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    subgraph.server.close();
    subgraph.server.closeAllConnections();
  });

  const post = async (query: string, accept: string, variables = {}): Promise<string> => {
    const headers = { 'content-type': 'application/json', connection: 'close', accept };
    return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })).text();
  };
  const byWebSocket = async (query: string, variables = {}): Promise<string> => {
    await using socket = await openRawWebSocket(url);
    socket.send({ type: 'connection_init' });
    await socket.next();
    socket.send({ id: '1', type: 'subscribe', payload: { query, variables } });
    const messages: AnyMessage[] = [];
    do messages.push(await socket.next());
    while (!['complete', 'error'].includes(String(messages.at(-1)?.['type'])));
    return JSON.stringify(messages);
  };
  const incrementally = async (query: string): Promise<string> =>
    JSON.stringify(await (await requestMultipart({ url: `${url}/graphql`, body: { query } })).rest());

  it.each<[string, () => Promise<string>]>([
    ['a query over JSON', () => post(QUERY, 'application/json')],
    ['a query over server-sent events', () => post(QUERY, 'text/event-stream')],
    ['a query over WebSocket', () => byWebSocket(QUERY)],
    ['an event over server-sent events', () => post(SUBSCRIPTION, 'text/event-stream')],
    ['an event over WebSocket', () => byWebSocket(SUBSCRIPTION)],
    ['variables of a subscription over server-sent events', () => post(UNFIT, 'text/event-stream', { id: {} })],
    ['variables of a subscription over WebSocket', () => byWebSocket(UNFIT, { id: {} })],
  ])('are those of the field or the variable for %s', async (_path, request) => {
    expect(await request()).toContain(`"locations":${JSON.stringify(LOCATED)}`);
  });

  it('are those of the field for a deferred payload', async () => {
    expect(await incrementally(DEFERRED)).toContain(`"locations":${JSON.stringify([{ line: 3, column: 5 }])}`);
  });
});
