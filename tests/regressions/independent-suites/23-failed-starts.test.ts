import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayConfigInput } from '../../../gateway/config/sections.ts';
import { composedOf, startTestApolloEngine } from '../../fixtures/apollo-engine.ts';
import { freePort, listenOn } from '../../support/http/free-port.ts';

const SDL = composedOf({
  books: { sdl: 'type Query { book: Book } type Book { title: String author: String }', url: 'http://127.0.0.1:1/graphql' },
});

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-starts-'));
  await mkdir(join(directory, 'fitting'));
  await writeFile(
    join(directory, 'fitting/book.graphql'),
    '"Shows." query GetBook @endpoint(method: GET, path: "/book") { book @result { title } }',
  );
  await mkdir(join(directory, 'wrong'));
  await writeFile(
    join(directory, 'wrong/book.graphql'),
    '"Shows." query GetBook @endpoint(method: GET, path: "/book") { author @result { title } }',
  );
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'ES256', use: 'sig' }];
  await writeFile(join(directory, 'keys.json'), JSON.stringify({ keys }));
});
afterAll(async () => rm(directory, { recursive: true }));

/** Settings whose resources stay open unless they are closed: watched files, polling timers, and issuer keys that are refreshed. */
function config(more: GatewayConfigInput = {}): GatewayConfigInput {
  return {
    supergraph: { sdl: SDL },
    auth: {
      providers: {
        jwt: { own: { issuer: 'https://issuer', audiences: ['here'], algorithms: ['ES256'], jwksFile: join(directory, 'keys.json') } },
      },
    },
    maintenance: { file: join(directory, 'maintenance') },
    ...more,
  };
}

/** Counts the resources that hold the process open, by kind. */
function openResources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (/^(?:TCPServerWrap|TCPSocketWrap|TCPWRAP|FSEventWrap|StatWatcher|Timeout|MessagePort|Worker)/.test(kind))
      counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

async function expectNothingStaysOpen(before: Readonly<Record<string, number>>): Promise<void> {
  const stillOpen = () => Object.entries(openResources()).filter(([kind, count]) => count > (before[kind] ?? 0));
  // Sockets and servers disappear a few turns of the event loop after they were closed.
  for (let turn = 0; turn < 200 && stillOpen().length > 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(stillOpen()).toEqual([]);
}

describe('point 23: a failed start of the engine "apollo"', () => {
  it('leaves nothing open after a successful start and a close, and detects open resources', async () => {
    const before = openResources();
    const engine = await startTestApolloEngine({ config: config(), rest: { documents: join(directory, 'fitting') } });
    expect(openResources()['TCPServerWrap'] ?? 0).toBe((before['TCPServerWrap'] ?? 0) + 2);
    await engine[Symbol.asyncDispose]();
    await expectNothingStaysOpen(before);
  });

  it.each<readonly [string, RegExp, () => GatewayConfigInput, string]>([
    ['a supergraph that is not SDL', /cannot be served/, () => config({ supergraph: { sdl: 'type Query {' } }), 'fitting'],
    [
      'a schema that is not a supergraph',
      /does not link the join specification/,
      () => config({ supergraph: { sdl: 'type Query { a: Int }' } }),
      'fitting',
    ],
    [
      'a missing supergraph file',
      /cannot be read \(ENOENT\)/,
      () => config({ supergraph: { file: join(directory, 'none.graphql') } }),
      'fitting',
    ],
    [
      'a supergraph that the stock gateway rejects',
      /./,
      () => config({ supergraph: { sdl: SDL.replace('@join__graph(name: "books"', '@join__graph(nom: "books"') } }),
      'fitting',
    ],
    [
      'a subgraph without an address',
      /address|url/i,
      () => config({ supergraph: { sdl: SDL.replace('http://127.0.0.1:1/graphql', '') } }),
      'fitting',
    ],
    ['an unsupported setting', /redis\.url is not supported/, () => config({ redis: { url: 'redis://127.0.0.1:1' } }), 'fitting'],
    [
      'missing keys of an issuer',
      /none\.json/,
      () =>
        config({
          auth: { providers: { jwt: { own: { issuer: 'https://issuer', audiences: ['here'], jwksFile: join(directory, 'none.json') } } } },
        }),
      'fitting',
    ],
    ['a missing private key', /none\.pem/, () => config({ identity: { privateKeyFile: join(directory, 'none.pem') } }), 'fitting'],
    [
      'a missing certificate',
      /none\.pem/,
      () => config({ server: { tls: { certificateFile: join(directory, 'none.pem'), keyFile: join(directory, 'none.pem') } } }),
      'fitting',
    ],
    ['an invalid REST document', /author/, () => config(), 'wrong'],
    ['a missing directory of REST documents', /none/, () => config(), 'none'],
  ])('reports %s and leaves nothing open', async (_what, message, given, documents) => {
    const before = openResources();
    await expect(startTestApolloEngine({ config: given(), rest: { documents: join(directory, documents) } })).rejects.toThrow(message);
    await expectNothingStaysOpen(before);
  });

  it.each([
    ['the public port', 'PORT', (taken: number, free: number) => ({ port: taken, internalPort: free })],
    ['the internal port', 'INTERNAL_PORT', (taken: number, free: number) => ({ port: free, internalPort: taken })],
  ])('names the setting when %s is taken, and frees the other port', async (_what, setting, portsOf) => {
    const taken = await listenOn(0);
    const free = await freePort();
    const before = openResources();
    const started = startTestApolloEngine({
      config: config({ server: portsOf(taken.port, free) }),
      rest: { documents: join(directory, 'fitting') },
    });
    await expect(started).rejects.toMatchObject({ name: 'ListenFailure', message: expect.stringContaining(setting) });
    await expectNothingStaysOpen(before);
    await (await listenOn(free)).close();
    await taken.close();
  });

  it('serves despite an unavailable subgraph, reports what is missing, and closes everything', async () => {
    const before = openResources();
    const engine = await startTestApolloEngine({ config: config(), rest: { documents: join(directory, 'fitting') } });
    const response = await fetch(`${engine.url}/graphql?query={book{title}}`, { headers: { connection: 'close' } });
    expect(await response.json()).toMatchObject({
      data: { book: null },
      errors: [{ extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }],
    });
    expect((await fetch(`${engine.url}/book`, { headers: { connection: 'close' } })).status).toBe(503);
    expect((await fetch(`${engine.url}/api/health`, { headers: { connection: 'close' } })).status).toBe(200);
    await engine[Symbol.asyncDispose]();
    await expectNothingStaysOpen(before);
  });
});
