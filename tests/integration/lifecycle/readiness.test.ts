import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createGateway, type Gateway, type GatewayConfigInput } from '../../../gateway/index.ts';
import { type Logger, silentLogger } from '../../../gateway/platform/logger.ts';
import { librarySupergraph } from '../../fixtures/library-graph.ts';
import { freePort } from '../../support/http/free-port.ts';

let subgraph: Server;
let status = 200;
let gateway: Gateway | undefined;

beforeEach(async () => {
  status = 200;
  subgraph = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(status === 200 ? '{"data":{"book":{"title":"Momo"}}}' : '{}');
    });
  });
  await once(subgraph.listen(0, '127.0.0.1'), 'listening');
});

afterEach(async () => {
  await gateway?.[Symbol.asyncDispose]();
  gateway = undefined;
  subgraph.close();
  subgraph.closeAllConnections();
});

interface Served {
  readonly query: () => Promise<unknown>;
  readonly get: (path: string) => Promise<{ readonly status: number; readonly type: string | null; readonly body: unknown }>;
}

async function serve(health: NonNullable<GatewayConfigInput['server']>['health'] = {}, logger: Logger = silentLogger): Promise<Served> {
  const { port } = subgraph.address() as AddressInfo;
  gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0, health },
      supergraph: { sdl: librarySupergraph(`http://127.0.0.1:${port}`) },
      subgraphs: { retry: { maxRetries: 0 }, circuitBreaker: { failures: 2, window: 2, openMs: 600_000, maxOpenMs: 600_000 } },
    },
    { logger },
  );
  const { url, internalUrl } = await gateway.listen();
  return {
    query: async () => (await fetch(`${url}/graphql?query={book(id:1){title}}`)).json(),
    async get(path) {
      const response = await fetch(path.startsWith('internal:') ? internalUrl + path.slice('internal:'.length) : url + path);
      return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
    },
  };
}

describe('readiness with a failing subgraph', () => {
  it('fails on both listeners while a required subgraph has an open circuit breaker', async () => {
    const { query, get } = await serve({ requiredSubgraphs: ['library'] });
    status = 503;
    await query();
    await query();
    expect(await get('internal:/health/ready')).toEqual({
      status: 503,
      type: 'application/json; charset=utf-8',
      body: {
        status: 'unavailable',
        checks: { supergraph: 'ok', lifecycle: 'ok', subgraphs: 'unavailable' },
        generation: expect.any(String),
        subgraphs: { library: { status: 'unavailable', circuitBreaker: 'open', lastSuccessAt: null, isRequired: true } },
      },
    });
    expect(await get('/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { supergraph: 'ok', lifecycle: 'ok', subgraphs: 'unavailable' } },
    });
    expect(await get('internal:/health/live')).toMatchObject({ status: 200 });
  });

  it('does not fail if no subgraph is required, and reports the circuit breaker on the internal listener only', async () => {
    const { query, get } = await serve();
    await query();
    status = 503;
    await query();
    await query();
    expect(await get('internal:/health/ready')).toMatchObject({
      status: 200,
      body: {
        status: 'ok',
        subgraphs: {
          library: {
            status: 'unavailable',
            circuitBreaker: 'open',
            lastSuccessAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
            isRequired: false,
          },
        },
      },
    });
    expect((await get('/health/ready')).body).toEqual({ status: 'ok', checks: { supergraph: 'ok', lifecycle: 'ok' } });
  });

  it('ignores a required subgraph that the supergraph does not contain, and logs its name', async () => {
    const warnings: unknown[] = [];
    const { get } = await serve(
      { requiredSubgraphs: ['libary'] },
      { ...silentLogger, warn: (...line: unknown[]) => void warnings.push(line) },
    );
    expect(await get('internal:/health/ready')).toMatchObject({
      status: 200,
      body: { subgraphs: { libary: { status: 'missing', isRequired: true }, library: { status: 'ok', circuitBreaker: 'closed' } } },
    });
    expect(JSON.stringify(warnings)).toContain('libary');
  });
});

describe('readiness while the first supergraph is loaded', () => {
  it('is live and not ready on the internal listener, and the public listener is closed', async () => {
    const [port, internalPort] = [await freePort(), await freePort()];
    gateway = await createGateway(
      { profile: 'dev', server: { port, internalPort }, supergraph: { sdl: librarySupergraph('http://127.0.0.1:1') } },
      { logger: silentLogger },
    );
    let proceed: () => void = () => undefined;
    const seen = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    gateway.onGeneration(() => seen);
    const listening = gateway.listen();
    const [live, ready] = await Promise.all(
      ['live', 'ready'].map((name) => untilResponse(`http://127.0.0.1:${internalPort}/health/${name}`)),
    );
    expect([live?.status, ready?.status]).toEqual([200, 503]);
    expect(await ready?.json()).toMatchObject({
      status: 'unavailable',
      checks: { supergraph: 'missing' },
      generation: null,
      subgraphs: {},
    });
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
    proceed();
    const { url } = await listening;
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });
});

async function untilResponse(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response !== undefined) return response;
  }
}
