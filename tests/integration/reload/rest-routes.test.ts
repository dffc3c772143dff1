import { describe, expect, it } from '@jest/globals';
import { createGateway } from '../../../gateway/index.ts';
import { type Logger, silentLogger } from '../../../gateway/platform/logger.ts';
import type { SupergraphListener, SupergraphSource } from '../../../gateway/supergraph/sources/supergraph-source.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { librarySupergraph, startLibrarySubgraph } from '../../fixtures/library-graph.ts';

const DOCUMENTS = [
  {
    path: 'rest/books.graphql',
    text: `query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") {
  book(id: $id) @result {
    id
    title
  }
}`,
  },
];

/** Starts a gateway with a REST facade whose supergraph the test replaces. */
async function serve() {
  const subgraph = await startLibrarySubgraph();
  const sdl = librarySupergraph(subgraph.url);
  let listener: SupergraphListener | undefined;
  const supergraphSource = (): SupergraphSource => ({
    name: 'the test',
    isLocal: true,
    start(given) {
      listener = given;
      given.onSupergraph(sdl);
    },
    async [Symbol.asyncDispose]() {},
  });
  const logged: string[] = [];
  const log = (facts: unknown): void => {
    const { reason } = facts as { readonly reason?: unknown };
    if (typeof reason === 'string') logged.push(reason);
  };
  const logger: Logger = { ...silentLogger, warn: log, error: log };
  const gateway = await createGateway({ profile: 'dev', server: { port: 0, internalPort: 0 } }, { logger, supergraphSource });
  gateway.mount(createRestFacade({ gateway, documents: DOCUMENTS }));
  const { url } = await gateway.listen();
  const settled = (): number => gateway.generations().loads + gateway.generations().rejections;
  return {
    gateway,
    logged,
    async get(path: string) {
      const response = await fetch(url + path);
      return { status: response.status, body: await response.json() };
    },
    /** Offers a supergraph that differs from all previous ones, and waits until it is served or rejected. */
    async offer(edit: (text: string) => string): Promise<void> {
      const before = settled();
      listener?.onSupergraph(`${edit(sdl)}\n# ${before}`);
      while (settled() === before) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await subgraph[Symbol.asyncDispose]();
    },
  };
}

const BOOK = { status: 200, body: { id: '7', title: 'Momo' } };

describe('REST routes while a supergraph is replaced', () => {
  it('remain while a supergraph that breaks a document is rejected with its errors', async () => {
    await using served = await serve();
    expect(await served.get('/books/7')).toEqual(BOOK);
    const { current } = served.gateway.generations();

    await served.offer((sdl) => sdl.replaceAll(/\btitle\b/g, 'heading'));
    expect(served.gateway.generations()).toMatchObject({ current, alive: 1, rejections: 1, isUpToDate: false });
    const reported = 'rest/books.graphql:4:5: Cannot query field "title" on type "Book".\n    ';
    expect(served.gateway.generations().lastProblem?.message).toContain(reported);
    expect(served.logged).toEqual([expect.stringContaining(reported)]);
    expect(await served.get('/books/7')).toEqual(BOOK);
    expect(await served.get('/graphql?query={book(id:"7"){title}}')).toEqual({ status: 200, body: { data: { book: { title: 'Momo' } } } });

    await served.offer((sdl) => sdl);
    expect(served.gateway.generations()).toMatchObject({ rejections: 1, isUpToDate: true });
    expect(served.gateway.generations().current).not.toBe(current);
    expect(await served.get('/books/7')).toEqual(BOOK);
  });
});
