import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import { startReferenceGateway } from '../../support/stack/reference-gateway.ts';
import { expectError } from '../../support/rest/rest-expectations.ts';
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

  it('does not start with a development key', async () => {
    const start = startReferenceGateway({ subgraphUrls, developmentKey, identitySecret, config: { profile: 'production' } });
    await expect(start).rejects.toThrow(/developmentKey/);
  });

  it('rejects a development token', async () => {
    expectError(await http.get('/users/1', { token: tokens.admin, origin }), 401, 'UNAUTHENTICATED');
    expect((await graphql('{ me { id } }', { token: tokens.admin, origin })).status).toBe(401);
  });

  it.each([
    '{ __schema { types { name } } }',
    '{ __type(name: "User") { name } }',
    '{ s: __schema { queryType { name } } user(id: "1") { name } }',
    'query { ...Q } fragment Q on Query { ... { __schema { types { name } } } }',
    'query ($x: Boolean = false) { __schema @include(if: $x) { types { name } } }',
  ])('rejects introspection: %s', async (query) => {
    const { codes, text } = await graphql(query, { origin });
    expect(new Set(codes)).toEqual(new Set(['INTROSPECTION_DISABLED']));
    expect(text).not.toContain('Elif');
  });

  it('does not treat __typename as introspection', async () => {
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
  ])('does not reveal the schema in the error for %s', async (query) => {
    const { text, codes } = await graphql(query, { origin });
    expect(codes.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/did you mean/i);
  });

  it.each(['/', '/studio', '/graphql'])('has no page for a browser at %s', async (path) => {
    const response = await http.get(path, { headers: { accept: 'text/html' }, origin });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers['content-type']).not.toContain('text/html');
  });

  it.each([
    ['a query', () => graphql('{ book(id: "1") { title } }', { origin })],
    ['a query with a syntax error', () => graphql('{ book', { origin })],
    ['a resource', () => http.get('/books/1', { origin })],
    ['a missing resource', () => http.get('/nothing', { origin })],
    ['an invalid token', () => http.get('/books/1', { token: 'x', origin })],
  ])('reveals no header, plan or stack for %s', async (_title, request) => {
    const { headers, text } = await request();
    const reported = Object.keys(headers).filter((name) =>
      /^(?:server|x-powered-by|x-aspnet.*|apollo-.*|gatefold-.*|.*-plan.*|access-control-.*)$/.test(name),
    );
    expect(reported).toEqual([]);
    expect(text).not.toMatch(/\bat .*\.[jt]s:\d+|node_modules|stacktrace|queryPlan|127\.0\.0\.1/i);
  });

  it('serves public resources', async () => {
    expect((await http.get('/books/1', { origin })).status).toBe(200);
    expect((await http.get('/health', { origin })).status).toBe(200);
  });
});
