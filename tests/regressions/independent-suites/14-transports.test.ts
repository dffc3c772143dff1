import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient } from '../../support/http/http-client.ts';
import { openRawWebSocket } from '../../support/websocket/raw-websocket.ts';
import { signToken } from '../../support/identity/tokens.ts';

const PAGE = '{ page(id: 1) { id text } }';
const ME = '{ me { id text } }';
const PUBLISH = 'mutation { publish(id: 1) { id } }';
const ROUTES = `"Shows a page." query GetPage($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/pages/{id}") { page(id: $id) @result { id text } }
"Publishes a page." mutation Publish($id: ID! @in(path: "id")) @endpoint(method: POST, path: "/pages/{id}", status: 200) { publish(id: $id) @result { id } }`;

describe('point 14: reads after own writes, by transport', () => {
  let graph: CachedGraph;
  beforeAll(async () => {
    graph = await startCachedGraph();
    graph.gateway.mount(createRestFacade({ gateway: graph.gateway, documents: [{ path: 'rest/pages.graphql', text: ROUTES }] }));
  });
  afterAll(async () => graph[Symbol.asyncDispose]());
  beforeEach(() => graph.reset());

  const tokenOf = (sub: string) => signToken({ sub, roles: ['USER'] }, { key: DEVELOPMENT_KEY });
  const post = async (query: string, sub: string, accept: string) => {
    const headers = { 'content-type': 'application/json', accept, authorization: `Bearer ${tokenOf(sub)}` };
    await (await fetch(`${graph.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).text();
  };
  const byWebSocket = async (query: string, sub: string) => {
    await using socket = await openRawWebSocket(graph.url);
    socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${tokenOf(sub)}` } });
    await socket.next();
    socket.send({ id: '1', type: 'subscribe', payload: { query } });
    let message = await socket.next();
    while (message['type'] === 'next') message = await socket.next();
    expect(message['type']).toBe('complete');
  };
  const byRest = async (sub: string) => {
    await createHttpClient({ origin: graph.url }).send({ method: 'POST', path: '/pages/1', token: tokenOf(sub) });
  };
  /** Reads by GET, the only transport whose responses are stored. */
  const read = async (query: string, sub: string) => {
    await createHttpClient({ origin: graph.url }).get(`/graphql?query=${encodeURIComponent(query)}`, { token: tokenOf(sub) });
  };

  const WRITES: readonly (readonly [string, (sub: string) => Promise<void>])[] = [
    ['POST', (sub) => post(PUBLISH, sub, 'application/json')],
    ['server-sent events', (sub) => post(PUBLISH, sub, 'text/event-stream')],
    ['WebSocket', (sub) => byWebSocket(PUBLISH, sub)],
    ['REST', byRest],
  ];

  it.each(WRITES)('return no response from before a write by %s', async (path, write) => {
    const sub = `writer by ${path}`;
    await read(PAGE, sub);
    await read(PAGE, sub);
    expect(graph.requested.length).toBeLessThanOrEqual(1); // An earlier case may have stored the response already.
    await write(sub);
    graph.reset();
    await read(PAGE, sub);
    expect(graph.requested).toHaveLength(1);
  });

  it('return no response from before a mutation that names the tag of another type', async () => {
    graph.respondWith({ cacheTags: 'shelf' });
    for (const sub of ['ada', 'bob']) for (let count = 0; count < 2; count += 1) await read(ME, sub);
    expect(graph.requested).toHaveLength(2);
    await post(PUBLISH, 'ada', 'application/json');
    expect(graph.requested).toHaveLength(3);
    for (const sub of ['ada', 'bob']) await read(ME, sub);
    expect(graph.requested).toHaveLength(4);
  });
});
