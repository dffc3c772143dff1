import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import { startReferenceGateway } from '../../support/stack/reference-gateway.ts';
import { expectRefusal } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('the production profile', (stack) => {
  const { http, graphql, tokens, subgraphUrls, developmentKey, identitySecret } = stack;
  let gateway: RunningGateway;
  let origin: string;

  beforeAll(async () => {
    gateway = await startReferenceGateway({ subgraphUrls, developmentKey, identitySecret, config: { profile: 'production', auth: {} } });
    origin = gateway.url;
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  it('given a development key in the configuration, when it is to be trusted in production, then the gateway does not start', async () => {
    const start = startReferenceGateway({ subgraphUrls, developmentKey, identitySecret, config: { profile: 'production' } });
    await expect(start).rejects.toThrow(/developmentKey/);
  });

  it('given a development token, when sent, then nobody trusts it', async () => {
    expectRefusal(await http.get('/users/1', { token: tokens.admin, origin }), 401, 'UNAUTHENTICATED');
    expect((await graphql('{ me { id } }', { token: tokens.admin, origin })).status).toBe(401);
  });

  it.each([
    '{ __schema { types { name } } }',
    '{ __type(name: "User") { name } }',
    '{ s: __schema { queryType { name } } user(id: "1") { name } }',
    'query { ...Q } fragment Q on Query { ... { __schema { types { name } } } }',
    'query ($x: Boolean = false) { __schema @include(if: $x) { types { name } } }',
  ])('given %s, when asked, then introspection is off', async (query) => {
    const { codes, text } = await graphql(query, { origin });
    expect(new Set(codes)).toEqual(new Set(['INTROSPECTION_DISABLED']));
    expect(text).not.toContain('Elif');
  });

  it('given __typename, when asked, then it is no introspection', async () => {
    expect((await graphql('{ __typename user(id: "1") { __typename } }', { origin })).data).toEqual({
      __typename: 'Query',
      user: { __typename: 'User' },
    });
  });

  it.each([
    '{ usr(id: "1") { name } }',
    '{ user(id: "1") { nam } }',
    '{ user(idd: "1") { name } }',
    '{ books(sort: [{ field: PRICES }]) { totalCount } }',
    '{ user(id: "1") { ... on Usr { id } } }',
  ])('given the misspelt %s, when refused, then the message does not give the schema away', async (query) => {
    const { text, codes } = await graphql(query, { origin });
    expect(codes.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/did you mean/i);
  });

  it.each(['/', '/studio', '/graphql'])('given a browser at %s, when it asks for a page, then there is none', async (path) => {
    const answer = await http.get(path, { headers: { accept: 'text/html' }, origin });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers['content-type']).not.toContain('text/html');
  });

  it.each([
    ['a query', () => graphql('{ book(id: "1") { title } }', { origin })],
    ['a query of the wrong form', () => graphql('{ book', { origin })],
    ['a resource', () => http.get('/books/1', { origin })],
    ['a resource that there is not', () => http.get('/nothing', { origin })],
    ['a token that is none', () => http.get('/books/1', { token: 'x', origin })],
  ])(
    'given %s, when asked with everything that tools ask for, then no header, plan or stack tells of what is inside',
    async (_title, ask) => {
      const { headers, text } = await ask();
      const told = Object.keys(headers).filter((name) =>
        /^(?:server|x-powered-by|x-aspnet.*|apollo-.*|gatefold-.*|.*-plan.*|access-control-.*)$/.test(name),
      );
      expect(told).toEqual([]);
      expect(text).not.toMatch(/\bat .*\.[jt]s:\d+|node_modules|stacktrace|queryPlan|127\.0\.0\.1/i);
    },
  );

  it('given public resources, when asked for, then they are served as ever', async () => {
    expect((await http.get('/books/1', { origin })).status).toBe(200);
    expect((await http.get('/health', { origin })).status).toBe(200);
  });
});
