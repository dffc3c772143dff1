import { describe, expect, it } from '@jest/globals';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';
import { createGateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';

const FEDERATION = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requiresScopes", "@policy"])';
const sdlOf = (guard: string) => ({
  items: `${FEDERATION} type Query { item(id: ID!): Item } type Item @key(fields: "id") { id: ID! title: String! version: Int! }`,
  stock: `${FEDERATION} type Item @key(fields: "id") { id: ID! stock: Int ${guard} }`,
});

const documentOf = (version: string) => `
  query GetItem($id: ID! @in(path: "item_id")) @endpoint(method: GET, path: "/items/{item_id}") {
    item(id: $id) @result { id title stock version ${version} @internal }
  }`;

/** Headers of a caller with these scopes. Without headers for an anonymous caller when they are undefined. */
const sendRequest = (scope: string | undefined) =>
  scope === undefined ? {} : { authorization: `Bearer ${signToken({ sub: 'ada', scope }, { key: DEVELOPMENT_KEY })}` };

/**
 * Starts a graph of two subgraphs behind the facade, and records the queried subgraphs.
 *
 * @param guard authorization directive of the field in the other subgraph
 */
async function startItems(version: string, guard = '') {
  const SDL = sdlOf(guard);
  const state = { version: 1, stock: 5, title: 'A title', requested: [] as string[], policies: [] as string[] };
  const item = { id: '1', title: () => state.title, version: () => state.version };
  const resolvers = {
    items: {
      Query: { item: (_: unknown, { id }: { id: string }) => (id === '1' ? item : null) },
      Item: { __resolveReference: () => item },
    },
    stock: { Item: { __resolveReference: ({ id }: { id: string }) => ({ id }), stock: () => state.stock } },
  };
  const schemas = new Map(
    (['items', 'stock'] as const).map((name) => [
      name as string,
      buildSubgraphSchema({ typeDefs: parse(SDL[name]), resolvers: resolvers[name] }),
    ]),
  );
  const executor: SubgraphExecutor = async ({ subgraph, body }) => {
    const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };
    state.requested.push(subgraph);
    const schema = schemas.get(subgraph);
    if (schema === undefined) throw new Error(`The subgraph ${subgraph} does not exist.`);
    const { data, errors } = await graphql({ schema, source: query, variableValues: variables ?? {} });
    return JSON.parse(JSON.stringify({ data, ...(errors === undefined ? {} : { errors }) }));
  };
  const composition = composeSubgraphs(
    Object.entries(SDL).map(([name, text]) => ({ name, url: `http://${name}`, files: [{ path: name, text }] })),
  );
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  const gateway = await createGateway(
    {
      profile: 'dev',
      auth: { developmentKey: DEVELOPMENT_KEY },
      server: { port: 0, internalPort: 0 },
      supergraph: { sdl: composition.supergraphSdl },
    },
    {
      logger: silentLogger,
      policies: () => state.policies,
      subgraphExecutor: () => Object.assign(executor, { [Symbol.asyncDispose]: async () => undefined }),
    },
  );
  gateway.mount(createRestFacade({ gateway, documents: [{ path: 'items.graphql', text: documentOf(version) }] }));
  const { url } = await gateway.listen();
  const { get } = createHttpClient({ origin: url });
  return {
    state,
    get,
    /** Sends a request, and returns the subgraphs that were queried for it. */
    async sendRequest(headers: Readonly<Record<string, string>>, path = '/items/1') {
      state.requested = [];
      const { status, headers: reported } = await get(path, { headers });
      return { status, etag: reported['etag'], requested: state.requested };
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

describe('a conditional request that needs only the version', () => {
  it('does not query the other subgraph when the version covers the whole response', async () => {
    await using items = await startItems('@version(whole: true)');
    const first = await items.sendRequest({});
    expect(first).toMatchObject({ status: 200, requested: ['items', 'stock'] });
    const etag = String(first.etag);
    expect(await items.sendRequest({ 'if-none-match': etag })).toEqual({ status: 304, etag, requested: ['items'] });
    expect(await items.sendRequest({ 'if-none-match': `"x", W/${etag}` })).toEqual({ status: 304, etag, requested: ['items'] });
  });

  it('queries all subgraphs and returns a new response when something changed', async () => {
    await using items = await startItems('@version(whole: true)');
    const etag = String((await items.sendRequest({})).etag);
    items.state.version = 2;
    expect(await items.sendRequest({ 'if-none-match': etag })).toMatchObject({ status: 200, requested: ['items', 'items', 'stock'] });
    expect(await items.sendRequest({ 'if-none-match': etag }, '/items/2')).toMatchObject({ status: 404, requested: ['items'] });
  });

  it('queries all subgraphs and returns 200 when the caller lost a permission', async () => {
    await using items = await startItems('@version(whole: true)', '@requiresScopes(scopes: [["stock"]])');
    const etag = String((await items.sendRequest(sendRequest('stock'))).etag);
    expect(await items.sendRequest({ ...sendRequest('stock'), 'if-none-match': etag })).toEqual({
      status: 304,
      etag,
      requested: ['items'],
    });
    for (const scope of ['other', undefined]) {
      const without = await items.sendRequest({ ...sendRequest(scope), 'if-none-match': etag });
      expect(without.status).toBe(200);
      expect(without.etag).not.toBe(etag);
      const again = await items.sendRequest({ ...sendRequest(scope), 'if-none-match': String(without.etag) });
      expect({ status: again.status, etag: again.etag }).toEqual({ status: 304, etag: without.etag });
    }
    expect(await items.sendRequest({ 'if-none-match': etag }, '/items/1?fields=title')).toMatchObject({ status: 200 });
    const narrow = String((await items.sendRequest({}, '/items/1?fields=title')).etag);
    expect(await items.sendRequest({ 'if-none-match': narrow }, '/items/1?fields=title')).toMatchObject({
      status: 304,
      requested: ['items'],
    });
  });

  it('queries all subgraphs when a policy decides on a field, as it is unknown before', async () => {
    await using items = await startItems('@version(whole: true)', '@policy(policies: [["open"]])');
    items.state.policies = ['open'];
    const { etag } = await items.sendRequest({});
    expect(await items.sendRequest({ 'if-none-match': String(etag) })).toEqual({ status: 304, etag, requested: ['items', 'stock'] });
    items.state.policies = [];
    expect(await items.sendRequest({ 'if-none-match': String(etag) })).toMatchObject({ status: 200, requested: ['items'] });
  });

  it('queries nothing twice for another selection or an unknown tag', async () => {
    await using items = await startItems('@version(whole: true)');
    const etag = String((await items.sendRequest({})).etag);
    expect((await items.sendRequest({ 'if-none-match': etag }, '/items/1?fields=title')).status).toBe(200);
    expect(await items.sendRequest({ 'if-none-match': '"x"' })).toMatchObject({ status: 200, requested: ['items', 'stock'] });
    expect(await items.sendRequest({ 'if-none-match': '*' })).toMatchObject({ status: 304, requested: ['items', 'stock'] });
  });

  it('notices changes of another subgraph that the version does not cover', async () => {
    await using items = await startItems('@version');
    const etag = String((await items.sendRequest({})).etag);
    expect(await items.sendRequest({ 'if-none-match': etag })).toMatchObject({ status: 304, requested: ['items', 'stock'] });
    items.state.stock = 4;
    const changed = await items.sendRequest({ 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.etag?.split('-')[0]).toBe(etag.split('-')[0]);
  });
});
