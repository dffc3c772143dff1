import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { composedOf } from '../../fixtures/apollo-engine.ts';
import { requireBuild, startCli } from '../../support/process/built-cli.ts';

const SLOW = 240_000;
const PRELOADED = join(packageRoot, 'tests/fixtures/list-loaded-packages.cjs');
/** Names of packages that only one engine, one facade or one command needs. */
const OF_THE_STOCK_GATEWAY = [
  '@apollo/gateway',
  '@apollo/server',
  '@apollo/query-planner',
  '@apollo/composition',
  '@apollo/subgraph',
  '@as-integrations/express5',
];
const NOT_NEEDED = [
  ...OF_THE_STOCK_GATEWAY,
  '@apollo/federation-internals',
  '@apollo/client',
  'graphql-tag',
  'graphql-ws',
  'ioredis',
  'pg',
  'drizzle-orm',
  '@electric-sql/pglite',
];

let directory: string;
beforeAll(async () => {
  await requireBuild();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-packages-'));
  const sdl = composedOf({ books: { sdl: 'type Query { book: Book } type Book { title: String }' } });
  await writeFile(join(directory, 'supergraph.graphql'), sdl);
  await mkdir(join(directory, 'rest'));
  await writeFile(
    join(directory, 'rest/book.graphql'),
    '"Shows." query GetBook @endpoint(method: GET, path: "/book") { book @result { title } }',
  );
}, SLOW);
afterAll(async () => rm(directory, { recursive: true }));

/** Lists the packages that `gatefold serve` has loaded in all of its threads after it has served a query. */
async function packagesOf(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  const file = join(directory, `${name}.txt`);
  await using gatefold = startCli(['serve', '--supergraph', 'supergraph.graphql', '--port', '0', '--internal-port', '0', ...args], {
    cwd: directory,
    env: { LOADED_MODULES_FILE: file, NODE_OPTIONS: `--require ${PRELOADED} --no-warnings`, ...env },
  });
  const [, url = ''] = await gatefold.waitFor(/serves (http:\S+)\/graphql/);
  expect(await (await fetch(`${url}/graphql?query={__typename}`)).json()).toEqual({ data: { __typename: 'Query' } });
  await fetch(`${url}/graphql?query={book{title}}`);
  gatefold.signal('SIGTERM');
  expect(await gatefold.exit).toEqual({ code: 0, signal: null });
  const modules = (await readFile(file, 'utf8')).split('\n');
  expect(modules.some((path) => path.includes('/dist/cli/chunks/'))).toBe(true);
  return new Set(modules.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.slice(1) ?? []));
}

const REST = { GATEFOLD_REST__DOCUMENTS: 'rest' };
const APOLLO = { GATEFOLD_BUDGET__MODE: 'off', GATEFOLD_LIMITS__MODES__COST: 'measure', GATEFOLD_LIMITS__MODES__PAGE_SIZE: 'measure' };

describe('point 23: packages loaded at startup', () => {
  it(
    'include neither Express nor Apollo packages without REST',
    async () => {
      const loaded = await packagesOf('graphql', [], {});
      expect(loaded).toContain('graphql');
      expect([...NOT_NEEDED, 'express'].filter((name) => loaded.has(name))).toEqual([]);
    },
    SLOW,
  );

  it(
    'include Express and no Apollo packages with REST',
    async () => {
      const loaded = await packagesOf('rest', [], REST);
      expect(loaded).toContain('express');
      expect(NOT_NEEDED.filter((name) => loaded.has(name))).toEqual([]);
    },
    SLOW,
  );

  it(
    'include the stock gateway, its server and Express, no store clients, with --engine apollo',
    async () => {
      const loaded = await packagesOf('apollo', ['--engine', 'apollo'], APOLLO);
      const expected = [
        '@apollo/gateway',
        '@apollo/server',
        '@apollo/query-planner',
        '@as-integrations/express5',
        'express',
        'graphql-depth-limit',
      ];
      expect(expected.filter((name) => !loaded.has(name))).toEqual([]);
      expect(['ioredis', 'pg', 'drizzle-orm'].filter((name) => loaded.has(name))).toEqual([]);
    },
    SLOW,
  );
});
