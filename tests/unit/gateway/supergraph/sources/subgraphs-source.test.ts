import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Composition, SubgraphSource } from '../../../../../gateway/supergraph/compose-subgraphs.ts';
import { createSubgraphsSource, type SubgraphsSourceOptions } from '../../../../../gateway/supergraph/sources/subgraphs-source.ts';
import { recordSource, type ScriptedServer, startScriptedServer, steppedSleep } from '../../../../support/gateway/record-source.ts';

const BOOKS = 'type Query { book: String }';
const USERS = 'type Query { user: String }';

function serveSdl(server: ScriptedServer, sdl: unknown): void {
  server.respond((response) => response.end(JSON.stringify({ data: { _service: { sdl } } })));
}

/** Replaces composition: concatenates the texts, and returns an error for texts that contain `broken`. */
async function joinTexts(subgraphs: readonly SubgraphSource[]): Promise<Composition> {
  const text = subgraphs.map(({ name, files }) => `${name}: ${files.map((file) => file.text).join()}`).join('\n');
  return text.includes('broken') ? { errors: [{ message: 'broken', code: 'BROKEN', locations: [] }] } : { supergraphSdl: text, hints: [] };
}

function open(subgraphs: SubgraphsSourceOptions['subgraphs'], options: Partial<SubgraphsSourceOptions> = {}) {
  const stepped = steppedSleep();
  const source = createSubgraphsSource({
    subgraphs,
    pollIntervalMs: 10_000,
    requestTimeoutMs: 10_000,
    maxBytes: 10_000,
    compositionTimeoutMs: 60_000,
    compose: joinTexts,
    sleep: stepped.sleep,
    ...options,
  });
  const record = recordSource();
  source.start(record.listener);
  return { ...stepped, ...record, source, [Symbol.asyncDispose]: () => source[Symbol.asyncDispose]() };
}

const listed = (name: string, { url }: { readonly url: string }) => ({ name, url, headers: { 'x-key': 'k' } });

describe('createSubgraphsSource', () => {
  it.each<[string, string, string]>([
    ['no SDL', '{"data":{"_service":null}}', 'without its SDL'],
    ['invalid JSON', '<html>', 'without its SDL'],
    ['SDL that does not parse', '{"data":{"_service":{"sdl":"type {"}}}', 'does not parse'],
  ])('names a subgraph that returns %s at startup and provides no supergraph', async (_name, body, message) => {
    await using books = await startScriptedServer();
    await using users = await startScriptedServer();
    serveSdl(books, BOOKS);
    users.respond((response) => response.end(body));
    await using composed = open([listed('books', books), listed('users', users)]);
    const problem = await composed.next();
    expect(problem).toContain('users: ');
    expect(problem).toContain(message);
    serveSdl(users, USERS);
    while (users.requests.length < 2) {
      composed.step();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect((await composed.next()).split('\n')).toEqual([`books: ${BOOKS}`, `users: ${USERS}`]);
  });

  it('composes a change with the last SDL of a subgraph that fails later', async () => {
    await using books = await startScriptedServer();
    await using users = await startScriptedServer();
    serveSdl(books, BOOKS);
    serveSdl(users, USERS);
    await using composed = open([listed('books', books), listed('users', users)]);
    await composed.next();
    users.respond((response) => response.writeHead(500).end());
    serveSdl(books, 'type Query { novel: String }');
    composed.step();
    composed.step();
    const said = [await composed.next(), await composed.next()].toSorted();
    expect(said[0]).toBe(`books: type Query { novel: String }\nusers: ${USERS}`);
    expect(said[1]).toContain('problem: The SDL of some subgraphs could not be fetched: users: ');
    serveSdl(users, USERS);
    composed.step();
    composed.step();
    expect(await composed.next()).toBe(`books: type Query { novel: String }\nusers: ${USERS}`); // The problem is resolved.
  });

  it('reports composition errors once until a subgraph changes', async () => {
    await using books = await startScriptedServer();
    serveSdl(books, 'type Query { broken: String }');
    await using composed = open([listed('books', books)]);
    expect(await composed.next()).toBe('problem: The subgraphs do not compose: BROKEN: broken');
    composed.step();
    while (books.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    serveSdl(books, BOOKS);
    composed.step();
    expect(await composed.next()).toBe(`books: ${BOOKS}`);
  });

  it('discards a composition if a subgraph changed meanwhile, and composes again', async () => {
    await using books = await startScriptedServer();
    serveSdl(books, BOOKS);
    const finishers: (() => void)[] = [];
    const held = (subgraphs: readonly SubgraphSource[]) =>
      new Promise<Composition>((resolve) => finishers.push(() => resolve(joinTexts(subgraphs))));
    await using composed = open([listed('books', books)], { compose: held });
    while (finishers.length < 1) await new Promise((resolve) => setTimeout(resolve, 1));
    serveSdl(books, 'type Query { novel: String }');
    composed.step();
    while (books.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    finishers[0]?.();
    while (finishers.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(composed.unread()).toEqual([]);
    finishers[1]?.();
    expect(await composed.next()).toBe('books: type Query { novel: String }');
  });

  it('sends all headers to the configured introspection URL of a subgraph', async () => {
    await using books = await startScriptedServer();
    serveSdl(books, BOOKS);
    const subgraph = { ...listed('books', { url: 'http://elsewhere.invalid/' }), requestedAt: books.url };
    const sent: Composition[] = [];
    await using composed = open([subgraph], {
      headersFor: (name, body) => ({ 'x-proof': `${name} ${body}` }),
      compose: async ([one]) => {
        const composition = { supergraphSdl: one?.url ?? '', hints: [] };
        sent.push(composition);
        return composition;
      },
    });
    expect(await composed.next()).toBe('http://elsewhere.invalid/');
    const [request] = books.requests;
    expect(request).toMatchObject({ method: 'POST', body: '{"query":"{ _service { sdl } }"}' });
    expect(request?.headers).toMatchObject({ 'x-key': 'k', 'x-proof': 'books {"query":"{ _service { sdl } }"}' });
  });

  it('composes again in a separate process when a schema file changes', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gatefold-subgraphs-'));
    const schema = join(directory, 'books.graphql');
    await writeFile(schema, BOOKS);
    await using composed = open([{ name: 'books', url: 'http://books.invalid/', files: [schema], headers: {} }], { compose: undefined });
    expect(composed.source.isLocal).toBe(true);
    expect(await composed.next()).toMatch(/book: String/);
    await writeFile(schema, 'type Query { book: Missing }');
    expect(await composed.next()).toBe(
      `problem: The subgraphs do not compose: INVALID_GRAPHQL: [books] Unknown type Missing (${schema}:1:20)`,
    );
    await writeFile(schema, 'type Query { novel: String }');
    expect(await composed.next()).toMatch(/novel: String/);
    await rm(directory, { recursive: true });
  });

  it('names the file of an error in a subgraph with several files, and its line in that file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gatefold-subgraphs-'));
    const files = [join(directory, 'books.graphql'), join(directory, 'authors.graphql')] as const;
    await writeFile(files[0], 'type Query { book: Book }\n\ntype Book { author: Author }\n');
    await writeFile(files[1], '# authors\ntype Author { name: Strnig }\n');
    await using composed = open([{ name: 'books', url: 'http://books.invalid/', files, headers: {} }], { compose: undefined });
    expect(await composed.next()).toContain(`Unknown type Strnig (${files[1]}:2:21)`);
    await writeFile(files[1], 'type Author { name: String }\n');
    expect(await composed.next()).toMatch(/name: String/);
    await rm(directory, { recursive: true });
  });

  it('reports a composition that exceeds its timeout', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gatefold-subgraphs-'));
    const schema = join(directory, 'books.graphql');
    await writeFile(schema, BOOKS);
    await using composed = open([{ name: 'books', url: '', files: [schema], headers: {} }], {
      compose: undefined,
      compositionTimeoutMs: 1,
    });
    expect(await composed.next()).toContain('composition exceeded 1 ms');
    await rm(directory, { recursive: true });
  });
});
