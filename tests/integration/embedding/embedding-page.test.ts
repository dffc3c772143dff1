import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transform } from 'esbuild';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { startStorefront, type Storefront } from '../../fixtures/storefront/start-storefront.ts';
import { storefrontSdl } from '../../fixtures/storefront/storefront.ts';
import { freePort } from '../../support/http/free-port.ts';
import { readMarkdownPage } from '../../support/pages/markdown-page.ts';
import { type CliProcess, cleanEnvironment, requireBuild, watchProcess } from '../../support/process/built-cli.ts';
import { SHORT_LIVED } from '../../support/process/short-lived.ts';

const SLOW = 120_000;
const PAGE = 'docs/guides/embed-the-gateway.md';
const text = readFileSync(join(packageRoot, PAGE), 'utf8');
const { blocks } = readMarkdownPage(PAGE);

interface Program {
  readonly heading: string;
  readonly program: string;
  /** Output that the page shows after the program. */
  readonly output: string | undefined;
}

const PROGRAMS: readonly Program[] = blocks.flatMap((block, index) => {
  if (block.language !== 'ts') return [];
  const next = blocks[index + 1];
  const [heading = ''] = text.slice(0, text.indexOf(block.text)).split(/\n#+ /).at(-1)?.split('\n') ?? [];
  return [{ heading, program: block.text, output: next?.role === 'output' ? next.text : undefined }];
});
const printing = PROGRAMS.filter(({ output }) => output !== undefined);
const serving = PROGRAMS.filter(({ program }) => program.includes('Ready at'));
const attached = serving.filter(({ program }) => program.includes('gateway.upgrade'));

let storefront: Storefront;
let directory: string;
let programs = 0;
beforeAll(async () => {
  await requireBuild();
  storefront = await startStorefront();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-embedding-'));
  await symlink(join(packageRoot, 'node_modules'), join(directory, 'node_modules'));
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await writeFile(join(directory, 'supergraph.graphql'), storefrontSdl(storefront.urls));
}, SLOW);
afterAll(async () => {
  await storefront[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Runs a program of the page unchanged, except for the location of the package and its ports. */
async function start(program: string, port: number): Promise<CliProcess> {
  programs += 1;
  const file = join(directory, `program-${programs}.js`);
  const here = program
    .replace("'gatefold'", `'${pathToFileURL(join(packageRoot, 'dist/gateway/index.js')).href}'`)
    .replaceAll('4000', String(port))
    .replaceAll('4001', String(port + 1));
  await writeFile(file, (await transform(here, { loader: 'ts' })).code);
  return watchProcess(spawn(process.execPath, [...SHORT_LIVED, file], { cwd: directory, env: cleanEnvironment(), stdio: 'pipe' }));
}

async function startServing(program: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const running = await start(program, await freePort(2));
  const [, url = ''] = await running.waitFor(/Ready at (\S+)\/graphql/);
  return { url, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body,
  });
  return { status: response.status, body: await response.json() };
}

/** Executes a query over a WebSocket. */
async function queryOverWebSocket(url: string, query: string): Promise<unknown> {
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
  try {
    for await (const result of client.iterate({ query })) return result;
    return undefined;
  } finally {
    await client.dispose();
  }
}

async function expectWebSocketsAtGraphqlOnly(url: string): Promise<void> {
  const origin = url.replace('http:', 'ws:');
  await expect(queryOverWebSocket(`${origin}/other`, '{ me { name } }')).rejects.toBeDefined();
  expect(await queryOverWebSocket(`${origin}/graphql`, '{ me { name } }')).toEqual({ data: { me: { name: 'Ada' } } });
}

const QUERY = '{ me { name } product(upc: "p1") { title seller { name } } }';
const RESPONSE = { data: { me: { name: 'Ada' }, product: { title: 'Lamp', seller: { name: 'Bytes & Söhne' } } } };

describe('the page about embedding the gateway', () => {
  it('has programs for each way to embed the gateway', () => {
    expect(printing.map(({ heading }) => heading)).toEqual(['Execute operations', 'Identify callers']);
    expect(serving.map(({ heading }) => heading)).toEqual([
      'Listen',
      'Mount handlers on the gateway',
      'Attach the gateway to your server',
      'Express',
      'Fastify',
      'Hono',
    ]);
    expect(PROGRAMS).toHaveLength(printing.length + serving.length + 1);
  });

  it.each(printing)(
    'the program under "$heading" prints the shown output',
    async ({ program, output = '' }) => {
      await using running = await start(program, 0);
      expect(await running.exit).toMatchObject({ code: 0 });
      const lines = running.output().trim().split('\n');
      expect(lines.filter((line) => !line.startsWith('{"level"'))).toEqual(output.trim().split('\n')); // without the log
    },
    SLOW,
  );

  it.each(serving)(
    'the program under "$heading" rejects invalid requests, and serves queries and WebSockets',
    async ({ program }) => {
      await using server = await startServing(program);
      const malformed = await post(`${server.url}/graphql`, '{"query":');
      expect(malformed).toMatchObject({ status: 400, body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] } });
      const large = await post(`${server.url}/graphql`, JSON.stringify({ query: `{ me { name } } # ${'x'.repeat(2_000_000)}` }));
      expect(large).toMatchObject({ status: 413, body: { errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] } });
      expect(await post(`${server.url}/graphql`, JSON.stringify({ query: QUERY }))).toEqual({ status: 200, body: RESPONSE });
      const read = await fetch(`${server.url}/graphql?query=${encodeURIComponent(QUERY)}`, { headers: { accept: 'application/json' } });
      expect(await read.json()).toEqual(RESPONSE);
      if (program.includes('/hello')) expect(await (await fetch(`${server.url}/hello`)).text()).toContain('Hello');
      if (attached.some((one) => one.program === program)) await expectWebSocketsAtGraphqlOnly(server.url);
    },
    SLOW,
  );
});
