import { afterEach, describe, expect, it } from '@jest/globals';
import { AggregationTemporality, InMemoryMetricExporter } from '@opentelemetry/sdk-metrics';
import { startShopGraph, type ShopGraph, type ShopGraphOptions } from '../../fixtures/shop-graph.ts';
import { createHttpClient } from '../../support/http/http-client.ts';
import { readStream } from '../../support/streams/stream-reader.ts';

let ends: ShopGraph[] = [];
afterEach(async () => {
  for (const shop of ends) await shop[Symbol.asyncDispose]();
  ends = [];
});

type TelemetryInput = NonNullable<NonNullable<ShopGraphOptions['config']>['telemetry']>;

async function start(telemetry: TelemetryInput = {}, options: ShopGraphOptions = {}) {
  const metrics = { prometheus: true, ...telemetry.metrics };
  const shop = await startShopGraph({ ...options, config: { ...options.config, telemetry: { ...telemetry, metrics } } });
  ends.push(shop);
  async function read(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return (await fetch(`${shop.internalUrl}/metrics`)).text();
  }
  return { shop, client: createHttpClient({ origin: shop.url }), read };
}

const ITEM = { query: 'query Item($id: ID!) { item(id: $id) { name left stars } }', variables: { id: '1' } };

/** Returns labels that are written as `name=value`. */
function labelsOf(...pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairs.map((pair) => pair.split('=')) as [string, string][]);
}

/** Returns the value of a series, with its labels in any order. */
function valueOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  const line = text
    .split('\n')
    .find(
      (one) =>
        (one.startsWith(`${name} `) || one.startsWith(`${name}{`)) &&
        Object.entries(labels).every(([key, value]) => one.includes(`${key}="${value}"`)),
    );
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}

describe('/metrics', () => {
  it('does not exist when it is off', async () => {
    const shop = await startShopGraph();
    ends.push(shop);
    expect((await fetch(`${shop.internalUrl}/metrics`)).status).toBe(404);
  });

  it('is not served on the public listener', async () => {
    const { client } = await start();
    expect((await client.get('/metrics')).status).toBe(404);
  });

  it('supports only GET and HEAD', async () => {
    const { shop } = await start();
    expect((await fetch(`${shop.internalUrl}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  it('counts requests, operations, stages, caches and subgraphs', async () => {
    const { client, read } = await start();
    await client.post('/graphql', ITEM, { headers: { 'graphql-client-name': 'shop-web' } });
    await client.post('/graphql', ITEM, { headers: { 'graphql-client-name': 'shop-web' } });
    await client.get('/v1/items/1');
    await client.get(`/graphql?query=${encodeURIComponent('{ page { text } }')}`);
    await client.get(`/graphql?query=${encodeURIComponent('{ page { text } }')}`);
    const text = await read();
    const post = { http_request_method: 'POST', http_response_status_code: '200', http_route: '/graphql', gatefold_transport: 'graphql' };
    expect(valueOf(text, 'http_server_request_duration_seconds_count', post)).toBe(2);
    expect(valueOf(text, 'http_server_request_duration_seconds_count', { http_route: '/v1/items/{id}', gatefold_transport: 'rest' })).toBe(
      1,
    );
    expect(valueOf(text, 'http_server_active_requests', { http_request_method: 'POST' })).toBe(0);
    const item = { graphql_operation_type: 'query', graphql_operation_name: 'Item', gatefold_client_name: 'shop-web' };
    expect(valueOf(text, 'graphql_server_request_duration_seconds_count', item)).toBe(2);
    expect(valueOf(text, 'gatefold_stage_duration_seconds_count', { gatefold_stage: 'execute' })).toBe(4);
    expect(valueOf(text, 'gatefold_document_cache_lookups_total', { result: 'miss' })).toBe(2);
    expect(valueOf(text, 'gatefold_plan_cache_lookups_total', { result: 'hit' })).toBe(1);
    expect(valueOf(text, 'gatefold_response_cache_lookups_total', { result: 'miss' })).toBe(1);
    expect(valueOf(text, 'gatefold_response_cache_lookups_total', { result: 'hit' })).toBe(1);
    const stock = labelsOf('gatefold_subgraph_name=stock', 'gatefold_outcome=ok');
    expect(valueOf(text, 'gatefold_subgraph_request_duration_seconds_count', stock)).toBe(3);
    expect(valueOf(text, 'gatefold_subgraph_connections', { gatefold_subgraph_name: 'stock', state: 'idle' })).toBe(1);
    expect(valueOf(text, 'gatefold_subgraph_circuit_breaker_open', { gatefold_subgraph_name: 'stock' })).toBe(0);
    expect(valueOf(text, 'gatefold_generation_loads_total', labelsOf('outcome=accepted'))).toBe(1);
    expect(valueOf(text, 'gatefold_generations_active')).toBe(1);
    expect(valueOf(text, 'nodejs_eventloop_utilization_ratio')).toBeGreaterThan(0);
  });

  it('counts rejected operations by error code', async () => {
    const { client, read } = await start();
    await client.post('/graphql', { query: '{ nothing }' });
    await client.post('/graphql', { query: '{' });
    const text = await read();
    for (const code of ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED']) {
      expect(valueOf(text, 'graphql_server_request_duration_seconds_count', { error_type: code })).toBe(1);
    }
  });

  it('counts streams, their events and the reason of their end', async () => {
    const { shop, read } = await start();
    await using stream = await readStream(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription Renamed { renamed { name } }' }),
    });
    await stream.rest();
    const text = await read();
    expect(valueOf(text, 'gatefold_streams_open', { gatefold_transport: 'sse' })).toBe(0);
    expect(valueOf(text, 'gatefold_streams_ended_total', { gatefold_transport: 'sse', reason: 'completed' })).toBe(1);
    expect(valueOf(text, 'gatefold_events_sent_total', { gatefold_transport: 'sse' })).toBe(2);
  });
});

describe('the bounds of labels', () => {
  it('report further operations and clients as _OTHER', async () => {
    const { client, read } = await start({ metrics: { maxOperationNames: 3, maxClientNames: 2 } });
    for (let index = 0; index < 10; index += 1) {
      await client.post(
        '/graphql',
        { query: `query Name${index} { __typename }` },
        { headers: { 'graphql-client-name': `client-${index}` } },
      );
    }
    const text = await read();
    const names = new Set([...text.matchAll(/graphql_operation_name="([^"]*)"/g)].map(([, name]) => name));
    const clients = new Set([...text.matchAll(/gatefold_client_name="([^"]*)"/g)].map(([, name]) => name));
    expect([...names]).toEqual(['Name0', 'Name1', 'Name2', '_OTHER']);
    expect([...clients]).toEqual(['client-0', 'client-1', '_OTHER']);
  });

  it('omit the names when the bounds are 0, and unknown methods', async () => {
    const { client, read } = await start({ metrics: { maxOperationNames: 0, maxClientNames: 0 } });
    await client.post('/graphql', ITEM, { headers: { 'graphql-client-name': 'web' } });
    await client.send({ method: 'PROPFIND', path: '/graphql' });
    const text = await read();
    expect(text).not.toMatch(/operation_name=|client_name=|PROPFIND/);
    expect(text).toContain('http_request_method="_OTHER"');
  });
});

describe('metrics that are sent by OTLP', () => {
  it('have names, units and labels of the conventions, without series for Prometheus', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const { shop, client } = await start({ metrics: { prometheus: false } }, { telemetryExporters: { metrics: exporter } });
    await client.post('/graphql', ITEM);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const sent: ReturnType<InMemoryMetricExporter['getMetrics']> = [];
    const shutdown = exporter.shutdown.bind(exporter);
    exporter.shutdown = () => {
      sent.push(...exporter.getMetrics());
      return shutdown();
    };
    await shop[Symbol.asyncDispose]();
    ends = [];
    const [{ resource, scopeMetrics }] = sent as [(typeof sent)[number]];
    expect(resource.attributes['service.name']).toBe('gatefold');
    const duration = scopeMetrics[0]?.metrics.find(({ descriptor }) => descriptor.name === 'http.server.request.duration');
    expect(duration).toMatchObject({
      descriptor: { unit: 's' },
      dataPoints: [
        {
          attributes: {
            'http.request.method': 'POST',
            'http.route': '/graphql',
            'http.response.status_code': 200,
            'gatefold.transport': 'graphql',
          },
          value: { count: 1 },
        },
      ],
    });
  });
});
