import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createGateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { SupergraphListener } from '../../../gateway/supergraph/sources/supergraph-source.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { librarySupergraph, startLibrarySubgraph } from '../../fixtures/library-graph.ts';

const document = (path: string, fields: string) =>
  `query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "${path}") { book(id: $id) @result { ${fields} } }`;

/** Serves a directory of REST documents. The supergraph is loaded when the test provides it. */
async function serve(first = document('/books/{id}', 'id')) {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-rest-'));
  const write = (text: string) => writeFile(join(directory, 'books.graphql'), text);
  await write(first);
  const subgraph = await startLibrarySubgraph();
  const sdl = librarySupergraph(subgraph.url);
  let listener: SupergraphListener | undefined;
  const gateway = await createGateway(
    { profile: 'dev', server: { port: 0, internalPort: 0 } },
    {
      logger: silentLogger,
      supergraphSource: () => ({
        name: 'the test',
        isLocal: false,
        start: (given) => void (listener = given),
        async [Symbol.asyncDispose]() {},
      }),
    },
  );
  const facade = createRestFacade({ gateway, documents: directory });
  gateway.mount(facade);
  const { url } = await gateway.listen();
  return {
    facade,
    write,
    /** Provides a supergraph. Returns the message with which it was rejected, if it was. */
    provide: (edit = (text: string) => text) =>
      new Promise<string | undefined>((resolve) =>
        listener?.onSupergraph(edit(sdl), { isRetry: true, onResult: (error) => resolve(error?.message) }),
      ),
    async get(path: string) {
      const response = await fetch(url + path);
      return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await subgraph[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

describe('reload of REST documents', () => {
  it('retains the previous documents if the changed ones have mistakes, and names their location', async () => {
    await using rest = await serve();
    await rest.provide();
    await rest.write(document('/books/{id}', 'titel'));
    expect(() => rest.facade.reload()).toThrow(/books\.graphql:1:\d+: Cannot query field "titel" on type "Book"/);
    expect((await rest.get('/books/1')).body).toEqual({ id: '1' });
  });

  it('serves added and changed routes at once, and returns their names', async () => {
    await using rest = await serve();
    await rest.provide();
    await rest.write(document('/books/{id}', 'id title'));
    expect(rest.facade.reload()).toEqual({ added: [], changed: ['GET /books/{id}'], removed: [] });
    expect(Object.keys((await rest.get('/books/1')).body)).toEqual(['id', 'title']);
    await rest.write(document('/volumes/{id}', 'id title'));
    expect(rest.facade.reload()).toEqual({ added: ['GET /volumes/{id}'], changed: [], removed: ['GET /books/{id}'] });
    expect((await rest.get('/volumes/1')).status).toBe(200);
    expect((await rest.get('/books/1')).status).toBe(404);
    expect(JSON.stringify((await rest.get('/openapi.json')).body)).toContain('/volumes/{id}');
  });

  it('compiles the documents later if no supergraph is loaded', async () => {
    await using rest = await serve();
    await rest.write(document('/volumes/{id}', 'id'));
    expect(rest.facade.reload()).toBeUndefined();
    await rest.provide();
    expect((await rest.get('/volumes/1')).status).toBe(200);
  });

  it('uses changed documents for the supergraph that they require', async () => {
    await using rest = await serve();
    await rest.provide();
    await rest.write(document('/books/{id}', 'id heading'));
    expect(() => rest.facade.reload()).toThrow('Cannot query field "heading"');
    expect(await rest.provide((sdl) => sdl.replaceAll(/\btitle: String/g, 'heading: String'))).toBeUndefined();
    // The route is served, but the subgraph does not have the field.
    expect((await rest.get('/books/1')).body['message']).toContain('Cannot query field "heading"');
  });

  it('serves a rejected supergraph when it is tried again after the documents were corrected', async () => {
    await using rest = await serve('query {');
    expect(await rest.provide()).toMatch(/books\.graphql:1:8: Syntax Error/);
    await rest.write(document('/books/{id}', 'id'));
    rest.facade.reload();
    expect(await rest.provide()).toBeUndefined();
    expect((await rest.get('/books/1')).status).toBe(200);
  });
});
