import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigurationInvalid, createGateway, SupergraphInvalid } from '../../../../gateway/index.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { librarySupergraph, startLibraryGateway } from '../../../fixtures/library-graph.ts';
import { sharedByTests } from '../../../support/stack/shared-by-tests.ts';

const SERVER = { port: 0, internalPort: 0 };
const quiet = { logger: silentLogger };

async function readJson(url: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
}

describe('createGateway', () => {
  it.each([
    [{}, 'supergraph'],
    [{ supergraph: { file: 'a.graphql', sdl: 'type Query { a: Int }' } }, 'supergraph'],
    [{ supergraph: { sdl: 'x' }, server: { port: 70_000 } }, 'server.port'],
    [{ supergraph: { sdl: 'x' }, surprise: true }, 'surprise'],
  ])('rejects the configuration %j and names the path of the error', async (config, path) => {
    const failure = await createGateway(config, quiet).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigurationInvalid);
    expect((failure as ConfigurationInvalid).message).toContain(path);
  });

  it('names a missing supergraph file when it listens', async () => {
    const gateway = await createGateway({ server: SERVER, supergraph: { file: '/nowhere/supergraph.graphql' } }, quiet);
    await expect(gateway.listen()).rejects.toThrow(SupergraphInvalid);
    await expect(gateway.listen()).rejects.toThrow('/nowhere/supergraph.graphql cannot be read: the file does not exist');
    await gateway[Symbol.asyncDispose]();
  });

  it.each([['port'], ['internalPort']])('reports a %s that is in use, and occupies no other port', async (setting) => {
    const squatter = createServer();
    await once(squatter.listen(0, '127.0.0.1'), 'listening');
    const { port } = squatter.address() as AddressInfo;
    const gateway = await createGateway(
      { profile: 'dev', server: { ...SERVER, [setting]: port }, supergraph: { sdl: librarySupergraph('http://127.0.0.1:1') } },
      quiet,
    );
    await expect(gateway.listen()).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringMatching(`127.0.0.1:${port}: the port is in use`),
    });
    squatter.close();
    await once(squatter, 'close');
    const { url } = await gateway.listen(); // The port is free now, and the failed attempt released its resources.
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await gateway[Symbol.asyncDispose]();
  });

  it('does not listen when a builder rejects the generation', async () => {
    const gateway = await createGateway({ server: SERVER, supergraph: { sdl: librarySupergraph('http://127.0.0.1:1') } }, quiet);
    gateway.onGeneration(() => {
      throw new Error('There is no type called Novel.');
    });
    await expect(gateway.listen()).rejects.toThrow('There is no type called Novel.');
    await gateway[Symbol.asyncDispose]();
  });

  describe('paths', () => {
    const library = sharedByTests(async () => startLibraryGateway({ config: { graphql: { graphiql: false } } }));

    it.each([['/nothing'], ['/graphqlx'], ['/graphql/'], ['/graphql/a/b'], ['/GRAPHQL'], ['/healthx'], ['/api/graphql']])(
      'returns a plain 404 for the unknown path %s',
      async (path) => {
        const response = await fetch(library().url + path);
        expect(response.status).toBe(404);
        expect(await response.json()).toEqual({
          error: 'NOT_FOUND',
          message: expect.any(String),
          traceId: response.headers.get('x-correlation-id'),
        });
      },
    );

    it.each([['url'], ['internalUrl']] as const)('reports a healthy gateway on %s', async (listener) => {
      const base = library()[listener];
      const ready = { status: 200, body: { status: 'ok', checks: { supergraph: 'ok', lifecycle: 'ok' } } };
      expect(await readJson(`${base}/health`)).toMatchObject(ready);
      expect(await readJson(`${base}/health/ready`)).toMatchObject(ready);
      expect(await readJson(`${base}/health/live`)).toEqual({ status: 200, body: { status: 'ok', checks: {} } });
      const rejected = await fetch(`${base}/health`, { method: 'POST' });
      expect(rejected.status).toBe(405);
      expect(rejected.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    });

    it('serves no operations on the internal listener', async () => {
      expect((await fetch(`${library().internalUrl}/graphql?query={__typename}`)).status).toBe(404);
    });
  });

  it('sends a mounted handler only valid requests, with their correlation id', async () => {
    const seen: (string | undefined)[] = [];
    await using library = await startLibraryGateway({
      prepare: (gateway) =>
        gateway.mount((request, response) => {
          seen.push(String(request.headers['x-correlation-id']));
          response.end('mounted');
        }),
    });
    const response = await fetch(`${library.url}/books/1`);
    expect(await response.text()).toBe('mounted');
    expect(seen).toEqual([response.headers.get('x-correlation-id')]);
    expect((await fetch(`${library.url}/books/%zz`)).status).toBe(400);
    expect(seen).toHaveLength(1);
  });

  it('returns a constant message when a mounted handler throws', async () => {
    await using library = await startLibraryGateway({
      prepare: (gateway) =>
        gateway.mount(() => {
          throw new TypeError('secret');
        }),
    });
    const response = await fetch(`${library.url}/books`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
  });

  it('finishes a running request on close, reports 503 and accepts no other', async () => {
    const library = await startLibraryGateway();
    const pending = get(`${library.url}/graphql?query={heldBook{title}}`, { agent: false });
    await library.subgraph.held;
    const closed = library.gateway[Symbol.asyncDispose]();
    expect(await readJson(`${library.internalUrl}/health/ready`)).toMatchObject({ status: 503, body: { status: 'draining' } });
    await expect(fetch(`${library.url}/health`)).rejects.toThrow();
    library.subgraph.release();
    const [response] = (await once(pending, 'response')) as [IncomingMessage];
    expect(response.headers.connection).toBe('close');
    expect(JSON.parse(Buffer.concat(await response.toArray()).toString())).toEqual({ data: { heldBook: { title: 'Momo' } } });
    await closed;
    await expect(fetch(`${library.internalUrl}/health`)).rejects.toThrow();
    await library[Symbol.asyncDispose]();
  });

  it('aborts a running request on close after the drain timeout', async () => {
    const library = await startLibraryGateway({ config: { server: { drainTimeoutMs: 1 } } });
    const pending = get(`${library.url}/graphql?query={heldBook{title}}`, { agent: false });
    const cut = once(pending, 'error');
    await library.subgraph.held;
    await library.gateway[Symbol.asyncDispose]();
    expect(await cut).toMatchObject([{ code: 'ECONNRESET' }]);
    await library[Symbol.asyncDispose]();
  });

  it('finishes the mutation of a disconnected client before it closes', async () => {
    const warnings: unknown[] = [];
    await using library = await startLibraryGateway({
      logger: { ...silentLogger, warn: (...line: unknown[]) => void warnings.push(line) },
      config: { limits: { mode: 'enforce' } },
    });
    const client = request(`${library.url}/graphql`, { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } });
    client.on('error', () => {}).end('{"query":"mutation { heldRename { title } }"}');
    await library.subgraph.held;
    client.destroy();
    let isClosed = false;
    const closed = library.gateway[Symbol.asyncDispose]().then(() => {
      isClosed = true;
    });
    const isListening = (): Promise<boolean> =>
      fetch(`${library.internalUrl}/health`).then(
        () => true,
        () => false,
      );
    while (await isListening());
    expect(isClosed).toBe(false);
    library.subgraph.release();
    await closed;
    expect(warnings).toEqual([]); // The gateway waited for the subgraph's response.
  });

  it('loads the supergraph for an operation without listening', async () => {
    const gateway = await createGateway({ profile: 'dev', supergraph: { sdl: librarySupergraph('http://127.0.0.1:1') } }, quiet);
    const names = gateway.onGeneration(({ schema }) => Object.keys(schema.getQueryType()?.getFields() ?? {}));
    const request = {
      principal: ANONYMOUS,
      document: { text: '{ __typename }' },
      transport: 'rest',
      headers: {},
      correlationId: 'a',
      signal: AbortSignal.timeout(10_000),
    } as const;
    expect(await gateway.executeToObject(request)).toMatchObject({ data: { __typename: 'Query' }, errors: [] });
    {
      using bound = names.acquire(); // `using` releases the value: closing waits for all holders.
      expect(bound.value).toEqual(['book', 'heldBook']);
    }
    await gateway[Symbol.asyncDispose]();
    await expect(gateway.listen()).rejects.toThrow('has been closed');
    await expect(gateway.executeToObject(request)).rejects.toMatchObject({ code: 'NO_SUPERGRAPH' });
  });

  it('loads nothing for an operation after it is closed', async () => {
    const gateway = await createGateway({ profile: 'dev', supergraph: { file: '/nowhere/supergraph.graphql' } }, quiet);
    await gateway[Symbol.asyncDispose]();
    const run = gateway.executeToObject({
      principal: ANONYMOUS,
      document: { text: '{ a }' },
      transport: 'rest',
      headers: {},
      correlationId: 'a',
      signal: AbortSignal.abort(),
    });
    await expect(run).rejects.toMatchObject({ code: 'NO_SUPERGRAPH' });
  });
});

describe('createGateway, after a reload', () => {
  /** Prints the numbers of planner threads that were started and that have ended. */
  async function threadsAfterReload(end: string): Promise<string> {
    const library = new URL('../../../../dist/gateway/index.js', import.meta.url).href;
    const script = `
      const { createGateway } = await import(${JSON.stringify(library)});
      const [started, ended] = [[], []];
      process.on('worker', (worker) => started.push(worker.on('exit', () => ended.push(worker))));
      const sdl = ${JSON.stringify(librarySupergraph('http://127.0.0.1:1'))};
      let listener;
      const supergraphSource = () => ({
        name: 'test', isLocal: true, start: (given) => (listener = given).onSupergraph(sdl), async [Symbol.asyncDispose]() {},
      });
      const gateway = await createGateway({ profile: 'dev', logging: { level: 'silent' } }, { supergraphSource });
      await gateway.run({ query: '{ book { title } }' });
      await new Promise((resolve) => listener.onSupergraph(sdl + '# changed', { onResult: resolve }));
      process.on('exit', () => console.log([started.length, ended.length].join()));
      ${end}
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { timeout: 30_000 });
    return stdout.trim();
  }

  it('ends the thread of the previous supergraph when it is closed', async () => {
    expect(await threadsAfterReload('await gateway.close();')).toBe('2,2');
  });

  it('does not prevent the exit of the process, although that thread is held', async () => {
    // The process may exit before or after the thread has replaced that of the current supergraph.
    expect(await threadsAfterReload('')).toMatch(/^2,[01]$/);
  });
});
