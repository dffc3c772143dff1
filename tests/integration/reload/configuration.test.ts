import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGateway, type GatewayConfigInput, type GatewayDependencies } from '../../../gateway/index.ts';
import { type LeveledLogger, silentLogger } from '../../../gateway/platform/logger.ts';
import { forFewCallers } from '../../fixtures/few-callers.ts';
import { DEVELOPMENT_KEY, librarySupergraph, type LibraryGatewayOptions, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHttpClient } from '../../support/http/http-client.ts';
import { openRawWebSocket } from '../../support/websocket/raw-websocket.ts';
import { signToken } from '../../support/identity/tokens.ts';

type Config = NonNullable<LibraryGatewayOptions['config']>;

const BOOK = '{ book(id: "1") { title } }';
const TWO_BOOKS = '{ a: book(id: "1") { title } b: book(id: "2") { title } }';

/** Starts a gateway whose clock does not advance, and a function that reloads it with other settings. */
async function start(first: Config = {}, dependencies: Partial<GatewayDependencies> = {}) {
  const library = await startLibraryGateway({
    config: first,
    clock: { now: () => Date.now(), monotonic: () => 1_000 },
    ...dependencies,
  });
  const client = createHttpClient({ origin: library.url });
  const reload = async (config: Config) => {
    const whole: GatewayConfigInput = {
      profile: 'dev',
      auth: { developmentKey: DEVELOPMENT_KEY },
      ...config,
      ...forFewCallers(config),
      server: { port: 0, internalPort: 0, ...config.server },
      supergraph: { sdl: librarySupergraph(library.subgraph.url) },
    };
    return library.gateway.reload(whole);
  };
  const post = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    const { status, body, headers: received } = await client.post('/graphql', { query }, { headers });
    const [error] = (body as { readonly errors?: readonly { extensions: { code: string } }[] }).errors ?? [];
    return { status, code: error?.extensions.code, headers: received };
  };
  return Object.assign(library, { client, reload, post });
}

const CLAIMS = { sub: '1', plan: 'gold' };
const token = { authorization: `Bearer ${signToken(CLAIMS, { key: DEVELOPMENT_KEY })}` };

describe('a configuration that cannot be applied', () => {
  it('with a mistake is rejected with its path, and nothing changes', async () => {
    await using library = await start({ limits: { maxAliases: 1 } });
    const wrong = { limits: { maxAliases: 100 }, graphql: { maxTokens: 0 } };
    await expect(library.reload(wrong)).rejects.toThrow('graphql.maxTokens: expected a whole number from 1');
    expect((await library.post(TWO_BOOKS)).code).toBe('ALIAS_LIMIT_EXCEEDED');
  });

  it('with a mode that requires manifests is rejected, and nothing changes', async () => {
    await using library = await start({ limits: { maxAliases: 1 } });
    await expect(library.reload({ limits: {}, persisted: { mode: 'safelist' } })).rejects.toThrow('"safelist" requires manifests');
    expect((await library.post(TWO_BOOKS)).code).toBe('ALIAS_LIMIT_EXCEEDED');
  });

  it('with settings that need a restart is applied without them, and names each', async () => {
    await using library = await start();
    const next = {
      limits: { maxAliases: 1, exposeCost: true },
      graphql: { maxTokens: 5, dedupe: true },
      budget: { maxCallers: 2_000 },
      hooks: { timeoutMs: 7 },
      responses: { extensions: ['trace'] },
    };
    expect(await library.reload(next)).toEqual({
      applied: ['limits.maxAliases'],
      needRestart: [
        'graphql.maxTokens',
        'graphql.dedupe',
        'limits.exposeCost',
        'budget.maxCallers',
        'responses.extensions',
        'hooks.timeoutMs',
      ],
    });
    expect((await library.post(BOOK)).code).toBeUndefined();
    expect((await library.post(TWO_BOOKS)).code).toBe('ALIAS_LIMIT_EXCEEDED');
  });

  it('with other headers of clients for subgraphs needs a restart, because caches know them', async () => {
    await using library = await start({ subgraphs: { headers: { propagate: ['x-tenant'] } } });
    const report = await library.reload({ subgraphs: { headers: { propagate: [], set: { 'x-set': '1' } } } });
    expect(report).toEqual({ applied: [], needRestart: ['subgraphs.headers.propagate', 'subgraphs.headers.set.x-set'] });
  });
});

describe('a reloaded configuration', () => {
  it('that is equal changes nothing', async () => {
    await using library = await start({ limits: { maxDepth: 5 } });
    expect(await library.reload({ limits: { maxDepth: 5 } })).toEqual({ applied: [], needRestart: [] });
  });

  it('applies limits to documents that are already cached, in both directions', async () => {
    await using library = await start();
    const codes: unknown[] = [];
    for (const maxAliases of [30, 1, 2]) {
      await library.reload({ limits: { maxAliases } });
      codes.push((await library.post(TWO_BOOKS)).code);
    }
    expect(codes).toEqual([undefined, 'ALIAS_LIMIT_EXCEEDED', undefined]);
  });

  it('applies the cost limit and its mode', async () => {
    await using library = await start({ limits: { maxCost: 100 } });
    await library.reload({ limits: { maxCost: 1 } });
    expect((await library.post(TWO_BOOKS)).code).toBe('COST_LIMIT_EXCEEDED');
    await library.reload({ limits: { maxCost: 1, modes: { cost: 'measure' } } });
    expect((await library.post(TWO_BOOKS)).code).toBeUndefined();
  });

  it('applies budgets, and points that a caller has spent remain spent', async () => {
    const rate = (capacity: number) => ({ mode: 'enforce', signedIn: { capacity, refillPerSecond: 1 } }) as const;
    await using library = await start({ budget: rate(100) });
    const first = await library.post(BOOK, token);
    await library.reload({ budget: rate(50) });
    const second = await library.post(BOOK, token);
    expect([first.headers['ratelimit'], second.headers['ratelimit']]).toEqual(['"signed-in";r=99;t=1', '"signed-in";r=48;t=1']);
    await library.reload({
      budget: { ...rate(50), rules: [{ name: 'gold', claim: 'plan', value: 'gold', capacity: 500, refillPerSecond: 1 }] },
    });
    expect((await library.post(BOOK, token)).headers['ratelimit']).toBe('"gold";r=497;t=1');
    await library.reload({ budget: { mode: 'off' } });
    expect((await library.post(BOOK, token)).headers['ratelimit']).toBeUndefined();
  });

  it('applies CORS to requests and to WebSockets', async () => {
    await using library = await start({ server: { cors: { origins: ['https://old.example'] } } });
    const allowed = async (origin: string) => (await library.post(BOOK, { origin })).headers['access-control-allow-origin'];
    const upgrade = async (origin: string) => {
      await using socket = await openRawWebSocket(library.url, { headers: { origin } });
      return socket.head.split('\r\n')[0];
    };
    expect([await allowed('https://old.example'), await allowed('https://new.example')]).toEqual(['https://old.example', undefined]);
    await library.reload({ server: { cors: { origins: ['https://new.example'] } } });
    expect([await allowed('https://old.example'), await allowed('https://new.example')]).toEqual([undefined, 'https://new.example']);
    expect(await upgrade('https://new.example')).toContain('101');
  });

  it('applies header rules that do not read headers of clients, also for one subgraph', async () => {
    const received: IncomingHttpHeaders[] = [];
    await using subgraph = createServer((request, response) => {
      received.push(request.headers);
      response.setHeader('content-type', 'application/json').end('{"data":{"book":null}}');
    }).listen(0, '127.0.0.1');
    await once(subgraph, 'listening');
    const { port } = subgraph.address() as AddressInfo;
    const base = {
      profile: 'dev',
      server: { port: 0, internalPort: 0 },
      supergraph: { sdl: librarySupergraph(`http://127.0.0.1:${port}/`) },
    } as const;
    await using gateway = await createGateway(base, { logger: silentLogger });
    await gateway.load();
    const headers = { set: { 'x-set': '1' } };
    const override = { library: { headers: { remove: ['x-correlation-id'] } } };
    await gateway.run({ query: BOOK });
    expect(await gateway.reload({ ...base, subgraphs: { headers, override } })).toEqual({
      applied: ['subgraphs.headers.set.x-set', 'subgraphs.override.library'],
      needRestart: [],
    });
    await gateway.run({ query: BOOK });
    expect(received.map((one) => [one['x-set'], 'x-correlation-id' in one])).toEqual([
      [undefined, true],
      ['1', false],
    ]);
  });

  it('applies the level of the log', async () => {
    const logger: LeveledLogger = { ...silentLogger, level: 'info' };
    await using library = await start({}, { logger });
    await library.reload({ logging: { level: 'debug' } });
    expect(logger.level).toBe('debug');
  });

  it('does not affect a request in progress', async () => {
    await using library = await start({ budget: { mode: 'enforce', signedIn: { capacity: 100, refillPerSecond: 1 } } });
    const pending = library.post('{ heldBook { title } }', { ...token, origin: 'http://localhost:9' });
    await library.subgraph.held;
    await library.reload({ limits: { maxDepth: 1 }, budget: { mode: 'off' }, server: { cors: { origins: ['https://a.example'] } } });
    library.subgraph.release();
    const { status, code, headers } = await pending;
    expect([status, code]).toEqual([200, undefined]);
    expect([headers['ratelimit'], headers['access-control-allow-origin']]).toEqual(['"signed-in";r=99;t=1', 'http://localhost:9']);
    expect((await library.post('{ heldBook { title } }')).code).toBe('DEPTH_LIMIT_EXCEEDED');
  });
});

describe('the mode of persisted documents', () => {
  let manifest: string;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-reload-'));
    manifest = join(directory, 'manifest.graphql');
    await writeFile(manifest, `query Book ${BOOK}`);
  });
  afterAll(async () => rm(directory, { recursive: true }));

  it('is reloaded in both directions', async () => {
    const persisted = (mode: 'off' | 'safelist') => ({ persisted: { manifests: { app: manifest }, mode } });
    await using library = await start(persisted('off'));
    const codes: unknown[] = [];
    for (const mode of ['off', 'safelist', 'off'] as const) {
      await library.reload(persisted(mode));
      codes.push((await library.post(TWO_BOOKS)).code, (await library.post(`query Book ${BOOK}`)).code);
    }
    expect(codes).toEqual([undefined, undefined, 'PERSISTED_QUERY_NOT_IN_LIST', undefined, undefined, undefined]);
  });
});
