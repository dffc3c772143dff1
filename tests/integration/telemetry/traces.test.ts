import { afterEach, describe, expect, it } from '@jest/globals';
import { SpanKind } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { startShopGraph, type ShopGraphOptions } from '../../fixtures/shop-graph.ts';
import { createHttpClient } from '../../support/http/http-client.ts';
import { readStream } from '../../support/streams/stream-reader.ts';
import { openRawWebSocket } from '../../support/websocket/raw-websocket.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SAMPLED = `00-${TRACE}-${PARENT}-01`;
const NOT_SAMPLED = `00-${TRACE}-${PARENT}-00`;

type Traces = NonNullable<NonNullable<ShopGraphOptions['config']>['telemetry']>['traces'];

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

/** Starts the shop. `spans` closes it and returns the spans that were sent. */
async function start(traces: Traces = { ratio: 1 }, conventions: 'draft-2026-07' | 'released' = 'draft-2026-07') {
  const exporter = new InMemorySpanExporter();
  // Its spans are removed when it is shut down.
  const sent: ReadableSpan[] = [];
  const recordSpans = exporter.export.bind(exporter);
  exporter.export = (spans, done) => {
    sent.push(...spans);
    recordSpans(spans, done);
  };
  const config = { telemetry: { traces, graphqlConventions: conventions }, subgraphs: { errorMessages: 'listed' as const } };
  const shop = await startShopGraph({ config, telemetryExporters: { spans: exporter } });
  let closed: Promise<void> | undefined;
  const dispose = async (): Promise<void> => shop[Symbol.asyncDispose]();
  const close = (): Promise<void> => (closed ??= dispose());
  ends.push(close);
  return {
    shop,
    client: createHttpClient({ origin: shop.url }),
    async spans(): Promise<readonly ReadableSpan[]> {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await close();
      return sent;
    },
  };
}

const ITEM = { query: 'query Item($id: ID!) { item(id: $id) { name left stars } }', variables: { id: '1' } };

function spanNamed(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`There is no span ${name}, only ${spans.map((span) => span.name).join(', ')}.`);
  return found;
}

describe('sampling', () => {
  it('sends nothing without an endpoint and an exporter', async () => {
    const shop = await startShopGraph({ config: { telemetry: { accessLog: 'off' } } });
    ends.push(async () => shop[Symbol.asyncDispose]());
    await createHttpClient({ origin: shop.url }).post('/graphql', ITEM);
    expect(shop.requests.map(({ headers }) => headers['traceparent'])).toEqual([undefined, undefined, undefined]);
  });

  it.each<[string, Traces, string | undefined, number]>([
    ['a ratio of 0', { ratio: 0 }, undefined, 0],
    ['a ratio of 1 and a client that does not sample', { ratio: 1 }, NOT_SAMPLED, 0],
    ['a ratio of 1 that does not follow the client', { ratio: 1, followParent: false }, NOT_SAMPLED, 1],
    ['a ratio of 0 and a client that samples', { ratio: 0 }, SAMPLED, 1],
    ['a ratio of 0 and any duration', { ratio: 0, slowMs: 1 }, undefined, 1],
  ])('given %s', async (_given, traces, traceparent, expected) => {
    const { client, spans } = await start({ slowMs: 0, ...traces });
    await client.post('/graphql', ITEM, { headers: traceparent === undefined ? {} : { traceparent } });
    expect((await spans()).filter(({ name }) => name === 'POST /graphql')).toHaveLength(expected);
  });

  it('sends the trace of a failed subgraph, and not that of an invalid document', async () => {
    const { client, spans } = await start({ ratio: 0, slowMs: 0 });
    await client.post('/graphql', { query: '{ nothing }' });
    await client.post('/graphql', { query: 'query Broken { broken }' });
    const sent = await spans();
    expect(sent.filter(({ name }) => name === 'POST /graphql')).toHaveLength(1);
    expect(spanNamed(sent, 'query').attributes).toMatchObject({
      'graphql.operation.name': 'Broken',
      'error.type': 'INTERNAL_SERVER_ERROR',
    });
  });
});

describe('the spans of a query', () => {
  it('are one tree in the trace of the client', async () => {
    const { shop, client, spans } = await start();
    await client.post('/graphql', ITEM, { headers: { traceparent: SAMPLED, tracestate: 'vendor=1', baggage: 'tenant=7' } });
    const sent = await spans();
    const http = spanNamed(sent, 'POST /graphql');
    const operation = spanNamed(sent, 'query');
    const execution = spanNamed(sent, 'GraphQL Operation Execution');
    expect(new Set(sent.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]));
    expect(http.parentSpanContext?.spanId).toBe(PARENT);
    expect(operation.parentSpanContext?.spanId).toBe(http.spanContext().spanId);
    for (const name of [
      'GraphQL Document Parsing',
      'GraphQL Document Validation',
      'GraphQL Operation Planning',
      'GraphQL Operation Execution',
    ]) {
      expect(spanNamed(sent, name).parentSpanContext?.spanId).toBe(operation.spanContext().spanId);
    }
    const fetches = sent.filter(({ kind }) => kind === SpanKind.CLIENT);
    expect(fetches.map(({ attributes }) => String(attributes['gatefold.subgraph.name'])).toSorted()).toEqual([
      'catalog',
      'reviews',
      'stock',
    ]);
    for (const fetch of fetches) {
      expect(fetch.parentSpanContext?.spanId).toBe(execution.spanContext().spanId);
      const { headers } = shop.requests.find(({ subgraph }) => subgraph === fetch.attributes['gatefold.subgraph.name']) ?? { headers: {} };
      expect(headers).toMatchObject({
        traceparent: `00-${TRACE}-${fetch.spanContext().spanId}-01`,
        tracestate: 'vendor=1',
        baggage: 'tenant=7',
      });
    }
  });

  it('have no parsing and no planning when the plan is cached', async () => {
    const { client, spans } = await start({ ratio: 0, slowMs: 0 });
    await client.post('/graphql', ITEM);
    await client.post('/graphql', ITEM, { headers: { traceparent: SAMPLED } });
    const names = (await spans()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('GraphQL'))).toEqual(['GraphQL Operation Execution']);
  });

  it('have names of the gateway with the released conventions', async () => {
    const { client, spans } = await start({ ratio: 1 }, 'released');
    await client.post('/graphql', ITEM);
    const sent = await spans();
    expect(sent.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['query', 'gatefold.parse', 'gatefold.plan', 'gatefold.execute', 'POST']),
    );
    expect(sent.some(({ attributes }) => 'graphql.processing.type' in attributes || 'graphql.source.name' in attributes)).toBe(false);
  });
});

describe('the trace of other transports', () => {
  it('leads from a REST request to every subgraph', async () => {
    const { shop, client, spans } = await start();
    await client.get('/v1/items/1', { headers: { traceparent: SAMPLED } });
    const sent = await spans();
    const http = spanNamed(sent, 'GET /v1/items/{id}');
    for (const name of ['REST Request Binding', 'query', 'REST Response Shaping']) {
      expect(spanNamed(sent, name).parentSpanContext?.spanId).toBe(http.spanContext().spanId);
    }
    expect(shop.requests.map(({ headers }) => String(headers['traceparent']).slice(3, 35))).toEqual([TRACE, TRACE, TRACE]);
  });

  it('is that of connection_init, or that of one operation, on a WebSocket', async () => {
    const { shop, spans } = await start();
    const other = `00-${'1'.repeat(32)}-${PARENT}-01`;
    await using socket = await openRawWebSocket(shop.url);
    socket.send({ type: 'connection_init', payload: { traceparent: SAMPLED } });
    await socket.next();
    for (const [id, extensions] of [
      ['1', undefined],
      ['2', { traceparent: other }],
    ] as const) {
      socket.send({ id, type: 'subscribe', payload: { ...ITEM, extensions } });
      await socket.next();
      await socket.next();
    }
    const operations = (await spans()).filter(({ name }) => name === 'query').filter(({ kind }) => kind === SpanKind.SERVER);
    expect(operations.map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId])).toEqual([
      [TRACE, PARENT],
      ['1'.repeat(32), PARENT],
    ]);
  });

  it('has the opening of a stream of server-sent events', async () => {
    const { shop, spans } = await start();
    await using stream = await readStream(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', traceparent: SAMPLED },
      body: JSON.stringify({ query: 'subscription Renamed { renamed { name } }' }),
    });
    await stream.rest();
    expect(spanNamed(await spans(), 'subscription').attributes).toMatchObject({
      'gatefold.transport': 'sse',
      'graphql.operation.name': 'Renamed',
    });
  });
});
