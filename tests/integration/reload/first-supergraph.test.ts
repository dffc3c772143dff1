import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createGateway, type Gateway, type GatewayConfigInput } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/gateway/record-source.ts';
import { type SmallGraph, startSmallGraph } from './small-graph.ts';
import { eventually } from '../../support/time/eventually.ts';

const DOCUMENTS = [{ path: 'me.graphql', text: 'query Me @endpoint(method: GET, path: "/me") { me @result { id name } }' }];

let graph: SmallGraph;
let registry: ScriptedServer;
let directory = '';

beforeEach(async () => {
  graph = await startSmallGraph();
  registry = await startScriptedServer();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-first-'));
});

afterEach(async () => {
  await graph[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

interface Served extends AsyncDisposable {
  readonly gateway: Gateway;
  /** Requests a path, and returns its status and body. The prefix `internal:` selects the internal listener. */
  get(path: string): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** Starts a gateway with a REST facade whose supergraph comes from the registry. */
async function serve(supergraph: GatewayConfigInput['supergraph'] = {}): Promise<Served> {
  const gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0 },
      supergraph: { url: registry.url, pollIntervalMs: 1_000, ...supergraph },
    },
    { logger: silentLogger },
  );
  gateway.mount(createRestFacade({ gateway, documents: DOCUMENTS }));
  const { url, internalUrl } = await gateway.listen();
  return {
    gateway,
    async get(path) {
      const response = await fetch(path.startsWith('internal:') ? internalUrl + path.slice('internal:'.length) : url + path);
      return { status: response.status, body: await response.json() };
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

const ME = '/graphql?query={me{name}}';
const NOT_READY = { status: 503, body: { status: 'unavailable', checks: { supergraph: 'missing', lifecycle: 'ok' } } };
const READY = { status: 200, body: { status: 'ok', checks: { supergraph: 'ok', lifecycle: 'ok' } } };

describe('the first supergraph of a network source', () => {
  it('is served as soon as the registry is up, and NO_SUPERGRAPH is returned before', async () => {
    registry.respond((response) => response.writeHead(503).end());
    await using served = await serve();
    await served.gateway.load();
    expect(await served.get(ME)).toMatchObject({ status: 503, body: { errors: [{ extensions: { code: 'NO_SUPERGRAPH' } }] } });
    expect(await served.get('/me')).toMatchObject({ status: 503, body: { error: 'NO_SUPERGRAPH' } });
    expect([await served.get('/health'), await served.get('/health/ready')]).toEqual([NOT_READY, NOT_READY]);
    expect(await served.get('/health/live')).toMatchObject({ status: 200 });
    expect(served.gateway.generations()).toMatchObject({ current: undefined, alive: 0, loads: 0, isUpToDate: false });

    registry.respond((response) => response.end(graph.supergraphOf(1)));
    await eventually(() => served.gateway.generations().loads === 1);
    expect(await served.get(ME)).toEqual({ status: 200, body: { data: { me: { name: 'Person 7' } } } });
    expect(await served.get('/me')).toEqual({ status: 200, body: { id: '7', name: 'Person 7' } });
    expect(await served.get('/health/ready')).toEqual(READY);
  });

  it('remains ready when polls fail, and only the internal listener shows the problem', async () => {
    registry.respond((response) => response.end(graph.supergraphOf(1)));
    await using served = await serve();
    await served.gateway.load();
    registry.respond((response) => response.writeHead(500).end());
    await eventually(() => served.gateway.generations().failedLooks > 0);
    expect(await served.get('/health/ready')).toEqual(READY);
    expect(await served.get(ME)).toMatchObject({ status: 200 });
    const message = `${registry.url}/ responded with status 500.`;
    expect(await served.get('internal:/health/supergraph')).toMatchObject({
      status: 200,
      body: { status: 'ok', alive: 1, loads: 1, isUpToDate: false, lastProblem: { message } },
    });
    expect(await served.get('/health/supergraph')).toMatchObject({ status: 404 });
  });

  it('is not served when the REST documents do not fit it', async () => {
    registry.respond((response) => response.end(graph.supergraphOf(1).replace('me: Person', 'somebody: Person')));
    await using served = await serve();
    await served.gateway.load();
    expect(await served.get('/health/ready')).toEqual(NOT_READY);
    expect(served.gateway.generations()).toMatchObject({ rejections: 1, lastProblem: { message: expect.stringContaining('me.graphql') } });
  });

  it('is served from the cache file when the registry is down at the next start', async () => {
    const cacheFile = join(directory, 'kept', 'supergraph.graphql');
    registry.respond((response) => response.end(graph.supergraphOf(1)));
    {
      await using served = await serve({ cacheFile });
      await served.gateway.load();
    }
    registry.respond((response) => response.writeHead(503).end());
    await using served = await serve({ cacheFile });
    await served.gateway.load();
    expect(await served.get(ME)).toMatchObject({ status: 200 });
    expect(await served.get('/health/ready')).toEqual(READY);
    expect(served.gateway.generations()).toMatchObject({ alive: 1, loads: 0, isUpToDate: false });
  });

  it('is composed from the SDL that running subgraphs return', async () => {
    const sdlOf = async (name: 'books' | 'people') => {
      const server = createServer((_request, response) => {
        response.end(JSON.stringify({ data: { _service: { sdl: graph.sdlOf(name, 1) } } }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
    };
    const books = await sdlOf('books');
    const people = await sdlOf('people');
    await using served = await serve({
      url: undefined,
      subgraphs: { books: { url: `http://127.0.0.1:${books.port}/` }, people: { url: `http://127.0.0.1:${people.port}/` } },
    });
    await served.gateway.load();
    expect(await served.get('/graphql?query={__type(name:"Version"){description}}')).toEqual({
      status: 200,
      body: { data: { __type: { description: 'version 1' } } },
    });
    for (const { server } of [books, people]) {
      server.close();
      server.closeAllConnections();
    }
  });
});
