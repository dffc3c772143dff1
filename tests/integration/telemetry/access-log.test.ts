import { afterEach, describe, expect, it } from '@jest/globals';
import { startShopGraph, type ShopGraph, type ShopGraphOptions } from '../../fixtures/shop-graph.ts';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpClient } from '../../support/http/http-client.ts';
import { readStream } from '../../support/streams/stream-reader.ts';
import { openRawWebSocket } from '../../support/websocket/raw-websocket.ts';

type Line = Readonly<Record<string, unknown>>;

let ends: AsyncDisposable[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end[Symbol.asyncDispose]();
  ends = [];
});

/** Starts the shop, and returns a function that waits for the next lines of its access log. */
async function start(options: ShopGraphOptions = {}) {
  const lines: Line[] = [];
  const { config } = options;
  const shop: ShopGraph = await startShopGraph({
    ...options,
    config: { ...config, telemetry: { accessLog: 'stdout', ...config?.telemetry } },
    accessLog: (line) => lines.push(JSON.parse(line) as Line),
  });
  ends.push(shop);
  const client: HttpClient = createHttpClient({ origin: shop.url });
  async function next(): Promise<Line> {
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    return lines.shift() ?? {};
  }
  return { shop, client, lines, next };
}

const ITEM = 'query Item($id: ID!) { item(id: $id) { name left stars } }';
const STREAM = { query: 'subscription Renamed { renamed { name } }' };

describe('the access log of GraphQL over HTTP', () => {
  it('is not written when it is off', async () => {
    const { client, lines } = await start({ config: { telemetry: { accessLog: 'off' } } });
    await client.post('/graphql', { query: '{ __typename }' });
    expect(lines).toEqual([]);
  });

  it.each([
    ['{ item(id: 1 { name } }', 200, 'GRAPHQL_PARSE_FAILED'],
    ['{ nothing }', 200, 'GRAPHQL_VALIDATION_FAILED'],
  ])('names the code of the rejected operation `%s` and no operation', async (query, status, code) => {
    const { client, next } = await start();
    await client.post('/graphql', { query, operationName: 'Sent' });
    const line = await next();
    expect(line).toMatchObject({ status, errors: [code], transport: 'graphql', route: '/graphql' });
    expect(line).not.toHaveProperty('operation');
    expect(line).not.toHaveProperty('operationType');
  });

  it('names the code of a failed subgraph', async () => {
    const { client, next } = await start({ config: { subgraphs: { errorMessages: 'listed' } } });
    await client.post('/graphql', { query: 'query Broken { broken }' });
    expect(await next()).toMatchObject({ status: 200, operation: 'Broken', operationType: 'query', errors: ['INTERNAL_SERVER_ERROR'] });
  });

  it('names the code of a request that executes no operation', async () => {
    const { client, next } = await start();
    await client.send({ method: 'PUT', path: '/graphql', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(await next()).toMatchObject({ method: 'PUT', status: 405 });
  });

  it('has the facts of a query, and no value of its variables and headers', async () => {
    const { client, next } = await start();
    const headers = { 'x-correlation-id': 'request-1', 'graphql-client-name': 'shop-web', 'graphql-client-version': '1.2.3' };
    const { text } = await client.post(
      '/graphql',
      { query: ITEM, variables: { id: 'secret-id' } },
      { headers: { ...headers, 'x-secret': 'secret' } },
    );
    const line = await next();
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      type: 'access',
      requestId: 'request-1',
      transport: 'graphql',
      method: 'POST',
      route: '/graphql',
      status: 200,
      durationMs: expect.any(Number) as unknown,
      bytes: expect.any(Number) as unknown,
      client: { name: 'shop-web', version: '1.2.3' },
      operation: 'Item',
      operationType: 'query',
      cost: expect.any(Number) as unknown,
    });
    expect(line['bytes']).toBeGreaterThan(text.length);
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  it('has the id of a persisted operation', async () => {
    const { client, next } = await start();
    const sha256Hash = 'a'.repeat(64);
    await client.post('/graphql', { extensions: { persistedQuery: { version: 1, sha256Hash } } });
    expect(await next()).toMatchObject({ errors: ['PERSISTED_QUERY_NOT_FOUND'] });
  });

  it('names misses and hits of the response cache, also for requests that are not prepared again', async () => {
    const { client, next } = await start();
    const path = `/graphql?query=${encodeURIComponent('query Page { page { text } }')}`;
    for (const cache of ['miss', 'hit', 'hit']) {
      await client.get(path);
      expect(await next()).toMatchObject({ method: 'GET', operation: 'Page', operationType: 'query', cache });
    }
  });

  it('lists the operations of a batch', async () => {
    const { client, next } = await start({ config: { graphql: { maxBatchedOperations: 5 } } });
    await client.post('/graphql', [{ query: 'query One { __typename }' }, { query: '{ nothing }' }]);
    expect(await next()).toMatchObject({ operations: [{ operation: 'One' }, { errors: ['GRAPHQL_VALIDATION_FAILED'] }] });
  });

  it('marks a request whose client disconnected', async () => {
    const lines: Line[] = [];
    const library = await startLibraryGateway({
      config: { telemetry: { accessLog: 'stderr' } },
      accessLog: (line) => lines.push(JSON.parse(line) as Line),
    });
    ends.push(library);
    const controller = new AbortController();
    const body = JSON.stringify({ query: 'query Held { heldBook { title } }' });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal: controller.signal };
    const sent = fetch(`${library.url}/graphql`, init).catch(() => undefined);
    await library.subgraph.held;
    controller.abort();
    await sent;
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(lines[0]).toMatchObject({ isAborted: true, operation: 'Held' });
    expect(lines[0]).not.toHaveProperty('status');
  });
});

describe('the access log of REST', () => {
  it('has the template of the route instead of its path', async () => {
    const { client, next } = await start();
    await client.get('/v1/items/secret-7');
    const line = await next();
    expect(line).toMatchObject({
      transport: 'rest',
      method: 'GET',
      route: '/v1/items/{id}',
      version: 1,
      operation: 'GetItem',
      status: 200,
    });
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  it('has no route for a path without a resource', async () => {
    const { client, next } = await start();
    await client.get('/secret-path');
    const line = await next();
    expect(line).toMatchObject({ status: 404, transport: 'other' });
    expect(line).not.toHaveProperty('route');
  });

  it('has no line for health checks', async () => {
    const { client, next } = await start();
    await client.get('/health');
    await client.post('/graphql', { query: 'query First { __typename }' });
    expect(await next()).toMatchObject({ operation: 'First' });
  });
});

describe('the access log of streams', () => {
  it('has one line for the upgrade to a WebSocket that is rejected', async () => {
    const { shop, next, client } = await start();
    const headers = { origin: 'https://evil.example.com', 'x-correlation-id': 'rejected-1', 'graphql-client-name': 'web' };
    await expect(openRawWebSocket(shop.url, { headers })).rejects.toThrow('HTTP/1.1 403');
    expect(await next()).toMatchObject({ method: 'GET', route: '/graphql', status: 403, requestId: 'rejected-1' });
    await client.post('/graphql', { query: '{ __typename }' });
    expect(await next()).toMatchObject({ status: 200 });
  });

  it('has one line for server-sent events, with their number and the reason of the end', async () => {
    const { shop, next } = await start();
    await using stream = await readStream(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(STREAM),
    });
    await stream.rest();
    expect(await next()).toMatchObject({
      transport: 'sse',
      operation: 'Renamed',
      operationType: 'subscription',
      events: 2,
      endReason: 'completed',
    });
  });

  it('has one line for each operation of a WebSocket, with the client of connection_init', async () => {
    const { shop, next } = await start();
    await using socket = await openRawWebSocket(shop.url);
    socket.send({ type: 'connection_init', payload: { 'graphql-client-name': 'shop-ios', 'graphql-client-version': '7' } });
    await socket.next();
    socket.send({ id: '1', type: 'subscribe', payload: { query: ITEM, variables: { id: '1' } } });
    expect(await next()).toMatchObject({ transport: 'websocket', operation: 'Item', client: { name: 'shop-ios', version: '7' } });
    socket.send({ id: '2', type: 'subscribe', payload: STREAM });
    expect(await next()).toMatchObject({ transport: 'websocket', operation: 'Renamed', events: 2, endReason: 'completed' });
  });
});

describe('the name of the client', () => {
  const library = { clientLibrary: { name: '@apollo/client', version: '4.3.8' } };

  it.each<[string, Record<string, string>, object | undefined, object | undefined]>([
    ['no header and no extension', {}, undefined, undefined],
    ['a header with characters that are not allowed', { 'graphql-client-name': '<script>' }, undefined, undefined],
    ['a header that is too long', { 'graphql-client-name': 'x'.repeat(101) }, undefined, undefined],
    [
      'headers of Apollo',
      { 'apollographql-client-name': 'ios', 'apollographql-client-version': '2' },
      undefined,
      { name: 'ios', version: '2' },
    ],
    ['a version that is not valid', { 'graphql-client-name': 'web', 'graphql-client-version': '{}' }, undefined, { name: 'web' }],
    ['only a library', {}, library, library.clientLibrary],
    ['a header and a library', { 'graphql-client-name': 'web' }, library, { name: 'web' }],
  ])('given %s', async (_given, headers, extensions, client) => {
    const { client: http, next } = await start();
    await http.post('/graphql', { query: '{ __typename }', extensions }, { headers });
    expect((await next())['client']).toEqual(client);
  });
});
