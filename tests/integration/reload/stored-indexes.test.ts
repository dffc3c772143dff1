import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStorefront, type Storefront } from '../../fixtures/storefront/start-storefront.ts';
import { storefrontSdl } from '../../fixtures/storefront/storefront.ts';
import { requireBuild, startCli } from '../../support/process/built-cli.ts';
import { eventually } from '../../support/time/eventually.ts';

const QUERIES = [
  '{ me { name } product(upc: "p1") { title seller { name } reviews { body author { name } } } }',
  '{ products(first: 2) { upc title ... on Product { reviews { id } } } }',
  '{ __type(name: "Product") { name fields { name } } }',
  '{ me { nmae } }',
];

/** Matches the part of an error that differs in each response. */
const REQUEST_ID = /,?"requestId":"[^"]*"/g;

const DAMAGED = 'are not used: the file is damaged.';
const NOT_STORED = 'The indexes of the supergraph cannot be stored.';

let storefront: Storefront;
let parent: string;
let count = 0;
beforeAll(async () => {
  await requireBuild();
  storefront = await startStorefront();
  parent = await mkdtemp(join(tmpdir(), 'gatefold-stored-indexes-'));
});
afterAll(async () => {
  await storefront[Symbol.asyncDispose]();
  await rm(parent, { recursive: true });
});

/** A working directory with a supergraph. */
interface Place {
  readonly cwd: string;
  readonly indexes: string;
}

async function newPlace(sdl = storefrontSdl(storefront.urls)): Promise<Place> {
  count += 1;
  const cwd = join(parent, `place-${count}`);
  await mkdir(cwd);
  await writeFile(join(cwd, 'supergraph.graphql'), sdl);
  return { cwd, indexes: join(cwd, 'indexes') };
}

interface Start {
  readonly responses: readonly unknown[];
  /** Output of the process. */
  readonly output: string;
}

/** Starts `gatefold serve`, sends the queries, and stops it after `ready`. */
async function serve({ cwd, indexes }: Place, env: Readonly<Record<string, string>> = {}, ready = async () => {}): Promise<Start> {
  const args = ['serve', '--supergraph', 'supergraph.graphql', '--port', '0'];
  const variables = {
    GATEFOLD_SUPERGRAPH__INDEX_DIRECTORY: indexes,
    GATEFOLD_GRAPHQL__INTROSPECTION: 'true',
    GATEFOLD_SERVER__SHUTDOWN__LAME_DUCK_MS: '0',
    ...env,
  };
  await using process = startCli(args, { cwd, env: variables });
  const [, url = ''] = await process.waitFor(/Gatefold serves (http:\S+\/graphql)/);
  const responses: unknown[] = [];
  for (const query of QUERIES) {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const body = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })).text();
    responses.push(JSON.parse(body.replace(REQUEST_ID, '')));
  }
  await ready();
  process.signal('SIGTERM');
  expect((await process.exit).code).toBe(0);
  return { responses, output: process.output() };
}

async function fileIn({ indexes }: Place): Promise<string> {
  const name = (await readdir(indexes)).find((each) => each.endsWith('.indexes')) ?? '';
  return join(indexes, name);
}

/** Serves a supergraph and waits until its indexes are stored. @returns the start, and the path of the file */
async function serveFirst(place: Place): Promise<Start & { readonly path: string }> {
  const start = await serve(place, {}, async () => {
    await eventually(async () => (await readdir(place.indexes).catch(() => [])).some((name) => name.endsWith('.indexes')));
  });
  return { ...start, path: await fileIn(place) };
}

async function age(path: string): Promise<void> {
  await utimes(path, 1_000, 1_000);
}

describe('gatefold serve with stored indexes', () => {
  it('serves the same responses at the second start, which uses the file and does not change it', async () => {
    const place = await newPlace();
    const { path, responses, output } = await serveFirst(place);
    expect(responses[0]).toMatchObject({ data: { me: { name: 'Ada' }, product: { title: 'Lamp', reviews: [{ body: 'About p1' }] } } });
    expect(responses[3]).toMatchObject({ errors: [{ message: expect.stringContaining('nmae') }] });
    const content = await readFile(path);
    await age(path);
    const second = await serve(place);
    expect(second.responses).toEqual(responses);
    expect((await stat(path)).mtimeMs).toBeGreaterThan(1_000_000);
    expect(await readFile(path)).toEqual(content);
    expect(await readdir(place.indexes)).toHaveLength(1);
    expect(`${output}${second.output}`).not.toMatch(/indexes/);
  });

  it('warns about a damaged file, serves the supergraph, and replaces the file', async () => {
    const place = await newPlace();
    const { path, responses } = await serveFirst(place);
    const content = await readFile(path);
    await writeFile(path, content.subarray(0, content.length / 2));
    const second = await serve(place, {}, async () => eventually(async () => (await stat(path)).size === content.length));
    expect(second.responses).toEqual(responses);
    expect(second.output).toContain(DAMAGED);
    const third = await serve(place);
    expect(third.responses).toEqual(responses);
    expect(third.output).not.toContain(DAMAGED);
  });

  it('does not serve a supergraph with the file of another one', async () => {
    const [place, other] = [await newPlace(), await newPlace(storefrontSdl(storefront.urls).replace('title:', 'name: String title:'))];
    const { path, responses } = await serveFirst(place);
    await rename((await serveFirst(other)).path, path);
    const second = await serve(place);
    expect(second.responses).toEqual(responses);
    expect(second.output).toContain(DAMAGED);
  });

  it('names the setting of a directory that cannot be created, and serves the supergraph', async () => {
    const { cwd } = await newPlace();
    const start = await serve({ cwd, indexes: join(cwd, 'supergraph.graphql', 'indexes') });
    expect(start.responses[0]).toMatchObject({ data: { me: { name: 'Ada' } } });
    expect(start.output.split(NOT_STORED)).toHaveLength(2);
    expect(start.output).toContain('supergraph.indexDirectory');
  });

  it('stores nothing when it is switched off', async () => {
    const place = await newPlace();
    const { responses } = await serve(place, { GATEFOLD_SUPERGRAPH__STORE_INDEXES: 'false' });
    expect(responses[0]).toMatchObject({ data: { me: { name: 'Ada' } } });
    expect(await readdir(place.cwd)).toEqual(['supergraph.graphql']);
  });
});
