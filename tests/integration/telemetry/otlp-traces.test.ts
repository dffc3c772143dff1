import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startShopGraph, type ShopGraph, type ShopGraphOptions } from '../../fixtures/shop-graph.ts';
import { createHttpClient } from '../../support/http/http-client.ts';
import { type ReceivedBatch, readSpans } from '../../support/otlp/read-spans.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

let ends: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of ends.reverse()) await one[Symbol.asyncDispose]();
  ends = [];
});

/** Starts a collector that responds with a status. */
async function startCollector(status = 200) {
  const requests: { readonly headers: IncomingHttpHeaders; readonly batch: ReceivedBatch }[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      requests.push({ headers: request.headers, batch: readSpans(body) });
      response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push({ [Symbol.asyncDispose]: async () => void server.close() });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, requests };
}

async function startShop(url: string, telemetry: NonNullable<ShopGraphOptions['config']>['telemetry'] = {}): Promise<ShopGraph> {
  const traces = { ratio: 1, url, ...telemetry.traces };
  const shop = await startShopGraph({ config: { telemetry: { serviceName: 'shop "α"', ...telemetry, traces } } });
  ends.push(shop);
  return shop;
}

const ITEM = { query: 'query Item($id: ID!) { item(id: $id) { name left stars } }', variables: { id: '1' } };

describe('traces for a collector', () => {
  it('do not affect requests when the collector rejects them', async () => {
    const { url, requests } = await startCollector(400);
    const shop = await startShop(url);
    expect((await createHttpClient({ origin: shop.url }).post('/graphql', ITEM)).status).toBe(200);
    await shop[Symbol.asyncDispose]();
    expect(requests).toHaveLength(1);
  });

  it('are binary OTLP with the trace of the client, and arrive when the gateway shuts down', async () => {
    const { url, requests } = await startCollector();
    const shop = await startShop(url);
    const client = createHttpClient({ origin: shop.url });
    const before = BigInt(Date.now()) * 1_000_000n;
    await client.post('/graphql', ITEM, { headers: { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-correlation-id': 'request-1' } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await shop[Symbol.asyncDispose]();
    expect(requests.map(({ headers }) => headers['content-type'])).toEqual(['application/x-protobuf']);
    const { resource, scope, spans } = requests[0]?.batch ?? { resource: {}, scope: '', spans: [] };
    expect(resource).toEqual({ 'service.name': 'shop "α"' });
    expect(scope).toBe('gatefold');
    const [http, operation] = spans;
    expect(http).toMatchObject({
      name: 'POST /graphql',
      parentSpanId: PARENT,
      flags: 0x3_01,
      kind: 2,
      statusCode: 0,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/graphql',
        'http.response.status_code': 200,
        'gatefold.transport': 'graphql',
        'gatefold.request.id': 'request-1',
      },
    });
    expect(operation).toMatchObject({
      name: 'query',
      parentSpanId: http?.spanId,
      attributes: { 'graphql.operation.name': 'Item', 'gatefold.request.id': 'request-1' },
    });
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    const execution = spans.find(({ name }) => name === 'GraphQL Operation Execution');
    const fetches = spans.filter(({ kind }) => kind === 3);
    expect(fetches.map(({ parentSpanId }) => parentSpanId)).toEqual(fetches.map(() => execution?.spanId));
    const sent = shop.requests.map(({ headers }) => String(headers['traceparent'])).toSorted();
    expect(fetches.map(({ spanId }) => `00-${TRACE}-${spanId}-01`).toSorted()).toEqual(sent);
    for (const { start, end } of spans) {
      expect(start).toBeGreaterThan(before - 1_000_000_000n);
      expect(end).toBeGreaterThanOrEqual(start);
    }
  });

  it('name each operation and each status, also when requests alternate', async () => {
    const { url, requests } = await startCollector();
    const shop = await startShop(url);
    const client = createHttpClient({ origin: shop.url });
    for (const name of ['One', 'Two', 'One']) await client.post('/graphql', { ...ITEM, query: ITEM.query.replace('Item', name) });
    await client.post('/graphql', { query: '{ nothing }' });
    await client.get('/v1/items/1');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await shop[Symbol.asyncDispose]();
    const spans = requests.flatMap(({ batch }) => batch.spans);
    const operations = spans.filter(({ kind, attributes }) => kind === 2 && !('http.request.method' in attributes));
    expect(operations.map(({ attributes }) => attributes['graphql.operation.name'])).toEqual(['One', 'Two', 'One', undefined, 'GetItem']);
    expect(operations.map(({ statusCode }) => statusCode)).toEqual([0, 0, 0, 2, 0]);
    expect(operations[3]?.attributes).toMatchObject({
      'error.type': 'GRAPHQL_VALIDATION_FAILED',
      'gatefold.error.codes': ['GRAPHQL_VALIDATION_FAILED'],
    });
    const http = spans.filter(({ attributes }) => 'http.route' in attributes);
    expect(http.map(({ name }) => name)).toEqual([
      'POST /graphql',
      'POST /graphql',
      'POST /graphql',
      'POST /graphql',
      'GET /v1/items/{id}',
    ]);
  });
});
