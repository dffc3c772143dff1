import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { createCachePolicyCompiler } from '../../../gateway/cache/compile-cache-policy.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';

const sdl = readFileSync(join(packageRoot, 'schema/supergraph.graphql'), 'utf8');
const { schema, cacheHints: hints, authorization } = loadSupergraph(sdl);
const policyOf = createCachePolicyCompiler({ schema, hints, authorization });

const PAGE = 'totalCount pageInfo { hasNextPage endCursor }';

describe('the cache hints of the reference graph', () => {
  it.each([
    ['data of one caller', '{ me { id } }'],
    ['orders', '{ orders(first: 1) { nodes { id } } }'],
    ['the orders of a user', '{ user(id: 1) { orders(first: 1) { nodes { id } } } }'],
    ['an order of a user together with public data', '{ book(id: 1) { title } order(id: 1) { id } }'],
    ['a payment', '{ payment(id: 1) { id } }'],
    ['the schema', '{ __schema { queryType { name } } }'],
  ])('do not allow to cache %s', (_what, query) => {
    expect(policyOf(parse(query))).toBeUndefined();
  });

  it('allow only a private cache for fields that a user may hide', () => {
    expect(policyOf(parse('{ user(id: 1) { name email } }'))).toMatchObject({ maxAgeSeconds: 60, scope: 'PRIVATE' });
    expect(policyOf(parse('{ posts { nodes { author { age } } } }'))).toMatchObject({ scope: 'PRIVATE' });
  });

  it.each([
    ['a book', '{ book(id: 1) { title price } }', 300],
    ['a page of books', `{ books(first: 2) { nodes { title } edges { cursor node { title } } ${PAGE} } }`, 60],
    [
      'a page of posts',
      `{ posts(first: 2) { nodes { title author { name } comments(first: 2) { nodes { body } ${PAGE} } } ${PAGE} } }`,
      60,
    ],
    ['all posts', '{ allPosts(first: 2) { title } }', 60],
    ["users' public fields", `{ users(first: 2) { edges { node { id name createdAt posts(first: 1) { title } } } ${PAGE} } }`, 60],
    ['search results', '{ search(term: "a") { ... on User { name } ... on Post { title author { name } } ... on Comment { body } } }', 60],
  ])('allow a public cache for %s', (_what, query, maxAgeSeconds) => {
    expect(policyOf(parse(query))).toMatchObject({ maxAgeSeconds, scope: 'PUBLIC' });
  });
});
