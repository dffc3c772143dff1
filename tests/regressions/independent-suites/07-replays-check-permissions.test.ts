import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { graphql } from 'graphql';
import { gql } from 'graphql-tag';
import { createGateway, type Gateway } from '../../../gateway/index.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpClient } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';

const SDL = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@requiresScopes"])
  type Query { book: Book }
  type Mutation {
    renameBook(title: String!): Book @requiresScopes(scopes: [["write"]])
    openBook(idempotencyKey: String): Book
  }
  type Book { title: String! secret: String @requiresScopes(scopes: [["read"]]) }
`;
const ROUTE = `"Renames the book." mutation RenameBook($title: String! @in(query: "title"))
@endpoint(method: POST, path: "/renames", status: 200) { renameBook(title: $title) @result { title secret } }`;
const MUTATION = 'mutation ($title: String!) { renameBook(title: $title) { title secret } }';
const EVENTS = 'text/event-stream';

let executions = 0;
let gateway: Gateway;
let http: HttpClient;
beforeAll(async () => {
  const composition = composeSubgraphs([{ name: 'books', url: 'http://books.example', files: [{ path: 'books.graphql', text: SDL }] }]);
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  const { supergraphSdl } = composition;
  const schema = buildSubgraphSchema({ typeDefs: gql(SDL) });
  const rootValue = {
    renameBook({ title }: { readonly title: string }) {
      executions += 1;
      return { title, secret: 'canary' };
    },
    openBook: () => ({ title: 'Momo', secret: 'canary' }),
  };
  const executor: SubgraphExecutor = async ({ body }) => {
    const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables?: Record<string, unknown> };
    const { data } = await graphql({ schema, source: query, variableValues: variables, rootValue });
    return { data: JSON.parse(JSON.stringify(data)) as Record<string, unknown> };
  };
  gateway = await createGateway(
    {
      profile: 'dev',
      supergraph: { sdl: supergraphSdl },
      server: { port: 0, internalPort: 0 },
      auth: { developmentKey: DEVELOPMENT_KEY },
      limits: { mode: 'measure' },
    },
    { subgraphExecutor: () => Object.assign(executor, { async [Symbol.asyncDispose]() {} }) },
  );
  gateway.mount(createRestFacade({ gateway, documents: [{ path: 'rest/books.graphql', text: ROUTE }] }));
  http = createHttpClient({ origin: (await gateway.listen()).url });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const tokenWith = (...scopes: string[]) => signToken({ sub: '7', scope: scopes.join(' ') }, { key: DEVELOPMENT_KEY });

/** Sends one mutation with one key over one transport. */
type Send = (key: string, token: string | undefined) => ReturnType<HttpClient['post']>;

const graphqlWith =
  (accept: string): Send =>
  (key, token) =>
    http.post(
      '/graphql',
      { query: MUTATION, variables: { title: key } },
      { token, headers: { 'idempotency-key': JSON.stringify(key), accept } },
    );

const WAYS: readonly (readonly [string, Send])[] = [
  ['application/json', graphqlWith('application/json')],
  ['application/graphql-response+json', graphqlWith('application/graphql-response+json')],
  [EVENTS, graphqlWith(EVENTS)],
  [`${EVENTS} and JSON`, graphqlWith(`${EVENTS}, application/json`)],
  [
    'REST',
    (key, token) =>
      http.send({
        method: 'POST',
        path: `/renames?title=${encodeURIComponent(key)}`,
        token,
        headers: { 'idempotency-key': JSON.stringify(key) },
      }),
  ],
];

describe.each(WAYS)('point 07: permissions of a replay (%s)', (path, send) => {
  it('returns the stored response, marked as a replay, with unchanged permissions', async () => {
    const [first, again] = [await send(`same ${path}`, tokenWith('write', 'read')), await send(`same ${path}`, tokenWith('read', 'write'))];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(again.text).toContain('canary');
  });

  it.each([
    ['the permission for the field', ['write']],
    ['the permission for the mutation', ['read']],
    ['every permission', []],
  ])('returns FORBIDDEN and runs nothing when %s was withdrawn', async (lost, scopes) => {
    const key = `${lost} ${path}`;
    expect((await send(key, tokenWith('write', 'read'))).text).toContain('canary');
    const before = executions;
    const rejected = await send(key, tokenWith(...scopes));
    expect(rejected.status).toBe(403);
    expect(rejected.text).toContain('FORBIDDEN');
    expect(rejected.text).not.toContain('canary');
    expect(rejected.headers['idempotent-replayed']).toBeUndefined();
    expect(executions).toBe(before);
    expect((await send(key, tokenWith('write', 'read'))).headers['idempotent-replayed']).toBe('true');
  });

  it('returns the stored response unchanged when the caller has gained permissions', async () => {
    const key = `gained ${path}`;
    const first = await send(key, tokenWith('write'));
    expect([first.status, first.text.includes('canary')]).toEqual([200, false]);
    const again = await send(key, tokenWith('write', 'read'));
    expect(again.text).not.toContain('canary');
  });
});

describe('point 07: permissions of a replay without credentials', () => {
  it('returns the stored response when there is no permission to withdraw', async () => {
    const send = () =>
      http.post('/graphql', { query: 'mutation { openBook { title secret } }' }, { headers: { 'idempotency-key': 'anonymous' } });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).not.toContain('canary');
  });
});
