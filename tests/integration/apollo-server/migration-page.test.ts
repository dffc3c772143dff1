import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transform } from 'esbuild';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { startStorefront, type Storefront } from '../../fixtures/storefront/start-storefront.ts';
import { storefrontSdl } from '../../fixtures/storefront/storefront.ts';
import { type CliProcess, cleanEnvironment, watchProcess } from '../../support/process/built-cli.ts';
import { SHORT_LIVED } from '../../support/process/short-lived.ts';

const SLOW = 120_000;
const page = readFileSync(join(packageRoot, 'docs/guides/migrate-from-apollo-gateway.md'), 'utf8');

/** Every program of the page, with the heading of its section. */
const PROGRAMS = page.split('\n## ').flatMap((section) => {
  const [heading = ''] = section.split('\n');
  return [...section.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program = ''], index) => ({
    heading: `${heading} (${index + 1})`,
    program,
  }));
});

let storefront: Storefront;
let directory: string;
beforeAll(async () => {
  storefront = await startStorefront();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-migration-'));
  await symlink(join(packageRoot, 'node_modules'), join(directory, 'node_modules'));
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await writeFile(join(directory, 'supergraph.graphql'), storefrontSdl(storefront.urls));
});
afterAll(async () => {
  await storefront[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

let programs = 0;

/** Runs a program of the page unchanged, except for the built package and the addresses of this run. */
async function start(program: string): Promise<CliProcess> {
  programs += 1;
  const file = join(directory, `program-${programs}.js`);
  const { accounts = '', products = '', reviews = '' } = storefront.urls;
  const text = program
    .replace("'gatefold'", `'${pathToFileURL(join(packageRoot, 'dist/gateway/index.js')).href}'`)
    .replace("'gatefold/apollo'", `'${pathToFileURL(join(packageRoot, 'dist/gateway/apollo-server/index.js')).href}'`)
    .replace('port: 4000', "port: 0, host: '127.0.0.1'")
    .replace('http://localhost:4101/', accounts)
    .replace('http://localhost:4102/', products)
    .replace('http://localhost:4103/', reviews);
  // Only the types are removed in advance: programs that load TypeScript at run time take three times as long to start.
  await writeFile(file, (await transform(text, { loader: 'ts' })).code);
  const env = { ...cleanEnvironment(), APOLLO_TELEMETRY_DISABLED: '1' };
  return watchProcess(spawn(process.execPath, [...SHORT_LIVED, file], { cwd: directory, env, stdio: 'pipe' }));
}

async function request(url: string, query: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer page', connection: 'close' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

/** Changes the supergraph file while it is served, and expects the change. */
async function expectToFollow(running: CliProcess, url: string): Promise<void> {
  const file = join(directory, 'supergraph.graphql');
  const before = await readFile(file, 'utf8');
  await writeFile(file, before.replaceAll('AccountKind', 'Sort'));
  await running.waitFor(/(?:Serving \d+ types[\s\S]*){2}/);
  expect(await request(url, '{ __type(name: "Sort") { name } }')).toEqual({ data: { __type: { name: 'Sort' } } });
  await writeFile(file, before);
}

const QUERY = '{ me { name } product(upc: "p1") { title seller { name } reviews { body } } }';
const RESPONSE = {
  data: { me: { name: 'Ada' }, product: { title: 'Lamp', seller: { name: 'Bytes & Söhne' }, reviews: [{ body: 'About p1' }] } },
};

describe('the migration page', () => {
  it('has as many programs as the tests are meant to run', () => {
    expect(PROGRAMS).toHaveLength(8);
    expect(PROGRAMS.filter(({ program }) => program.includes('watchFile('))).toHaveLength(1);
  });

  it.each(PROGRAMS)(
    'the program under "$heading" queries three subgraphs, and follows a watched file',
    async ({ program }) => {
      await using running = await start(program);
      const [, url = ''] = await running.waitFor(/Ready at (\S+)/);
      expect(await request(url, QUERY)).toEqual(RESPONSE);
      if (program.includes('willSendRequest')) {
        const signed = storefront.requests.filter(({ headers }) => headers.authorization === 'Bearer page');
        expect(new Set(signed.map(({ subgraph }) => subgraph))).toEqual(new Set(['accounts', 'products', 'reviews']));
      }
      if (program.includes('watchFile(')) await expectToFollow(running, url);
    },
    SLOW,
  );

  it('explains what to write instead of every rejected option', async () => {
    const source = await readFile(join(packageRoot, 'gateway/apollo-server/apollo-gateway-options.ts'), 'utf8');
    const [, table = ''] = /INSTEAD[^=]*= \{\n([\s\S]*?)\n\};/.exec(source) ?? [];
    const names = [...table.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
