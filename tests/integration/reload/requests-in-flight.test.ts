import { describe, expect, it } from '@jest/globals';
import { createGateway, type GatewayConfigInput } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { SupergraphListener, SupergraphSource } from '../../../gateway/supergraph/sources/supergraph-source.ts';
import { librarySupergraph, startLibrarySubgraph } from '../../fixtures/library-graph.ts';

/** Starts a gateway whose supergraph the test replaces. Its subgraph has fields whose responses the test releases. */
async function serve(supergraph: GatewayConfigInput['supergraph'] = {}) {
  const subgraph = await startLibrarySubgraph();
  const sdl = librarySupergraph(subgraph.url);
  let listener: SupergraphListener | undefined;
  const source: SupergraphSource = {
    name: 'the test',
    isLocal: true,
    start(given) {
      listener = given;
      given.onSupergraph(sdl);
    },
    async [Symbol.asyncDispose]() {},
  };
  const gateway = await createGateway(
    { profile: 'dev', server: { port: 0, internalPort: 0 }, supergraph },
    { logger: silentLogger, supergraphSource: () => source },
  );
  const { url } = await gateway.listen();
  return {
    subgraph,
    gateway,
    /** Executes an operation, and returns its status and body. */
    async run(query: string) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return { status: response.status, body: await response.json() };
    },
    /** Serves a supergraph that differs from all previous ones. */
    async reload(edit: (sdl: string) => string = (text) => text) {
      const { loads } = gateway.generations();
      listener?.onSupergraph(`${edit(sdl)}\n# ${loads}`);
      while (gateway.generations().loads === loads) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    async [Symbol.asyncDispose]() {
      subgraph.release();
      await gateway[Symbol.asyncDispose]();
      await subgraph[Symbol.asyncDispose]();
    },
  };
}

describe('requests while a supergraph is replaced', () => {
  it.each([
    ['a query', '{ heldBook { title } }', { heldBook: { title: 'Momo' } }],
    ['a mutation', 'mutation { heldRename { title } }', { heldRename: { title: 'Momo' } }],
  ])('finish %s in flight whose field is removed, and reject new ones', async (_name, query, data) => {
    await using served = await serve();
    const pending = served.run(query);
    await served.subgraph.held;
    await served.reload((sdl) => sdl.replaceAll(/held(Book|Rename)/g, 'other$1'));
    expect(served.gateway.generations().alive).toBe(2);
    expect(await served.run(query)).toMatchObject({ body: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] } });
    served.subgraph.release();
    expect(await pending).toEqual({ status: 200, body: { data } });
    while (served.gateway.generations().alive > 1) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('that do not finish get an error when their generation must be released', async () => {
    await using served = await serve({ maxGenerations: 2, drainTimeoutMs: 1 });
    const pending = served.run('{ heldBook { title } }');
    await served.subgraph.held;
    await served.reload();
    await served.reload();
    expect(served.gateway.generations().alive).toBe(1);
    const { body } = await pending;
    expect(body).toMatchObject({
      data: { heldBook: null },
      errors: [
        {
          message: 'The operation took too long. Its supergraph was replaced and is no longer served.',
          extensions: { code: 'GATEWAY_TIMEOUT' },
        },
      ],
    });
  });

  it('use values prepared by `onGeneration` for the served supergraph and for the next', async () => {
    await using served = await serve();
    const titles = served.gateway.onGeneration(({ schema }) => Object.keys(schema.getQueryType()?.getFields() ?? {}));
    await titles.ready;
    {
      using bound = titles.acquire();
      expect(bound.value).toEqual(['book', 'heldBook']);
    }
    await served.reload((sdl) => sdl.replaceAll('heldBook', 'otherBook'));
    using bound = titles.acquire();
    expect(bound.value).toEqual(['book', 'otherBook']);
  });
});
