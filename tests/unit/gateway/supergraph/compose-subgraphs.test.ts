import { describe, expect, it } from '@jest/globals';
import { composeSubgraphs, type SubgraphSource } from '../../../../gateway/supergraph/compose-subgraphs.ts';
import { storefrontSources } from '../../../fixtures/storefront/storefront.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@composeDirective"])';

function subgraph(name: string, ...texts: string[]): SubgraphSource {
  return { name, url: `http://${name}.invalid`, files: texts.map((text, index) => ({ path: `${name}-${index + 1}.graphql`, text })) };
}

describe('composeSubgraphs', () => {
  it('reports that there are no subgraphs', () => {
    expect(composeSubgraphs([]).errors).toEqual([{ message: 'There are no subgraphs to compose.', locations: [] }]);
  });

  it('reports the name that two subgraphs share', () => {
    const implementations = [subgraph('users', 'type Query { a: Int }'), subgraph('users', 'type Query { b: Int }')];
    expect(composeSubgraphs(implementations).errors).toEqual([
      { message: 'Two subgraphs have the name "users". Subgraph names must be unique.', locations: [] },
    ]);
  });

  it('reports file, line and column of a syntax error in the second file', () => {
    const composition = composeSubgraphs([subgraph('users', 'type Query { a: Int }', 'type User {\n  id ID!\n}')]);
    expect(composition.errors).toEqual([
      {
        message: '[users] Syntax Error: Expected ":", found Name "ID".',
        locations: [{ file: 'users-2.graphql', line: 2, column: 6 }],
      },
    ]);
  });

  it('reports each mistake in connectors with its position in the file', () => {
    const shop = subgraph(
      'shop',
      'extend schema @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect"])',
      'type Query {\n  a: Int @connect(http: { GET: "http://shop.test/{$arg.a}" }, selection: "$")\n  b: Int @connect(http: {}, selection: "$")\n}',
    );
    expect(composeSubgraphs([shop]).errors).toEqual([
      {
        code: 'MISSING_HTTP_METHOD',
        message: expect.stringMatching(/^\[shop\] `@connect\(http:\)` on `Query.b` has no HTTP method/),
        locations: [{ file: 'shop-2.graphql', line: 3, column: 10 }],
      },
      {
        code: 'INVALID_URL',
        message: expect.stringContaining('Did you mean `$args`?'),
        locations: [{ file: 'shop-2.graphql', line: 2, column: 51 }],
      },
    ]);
  });

  it('composes connectors of a subgraph that links no version of federation', () => {
    const shop = subgraph(
      'shop',
      'extend schema @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect"])',
      'type Query { a: Int @connect(http: { GET: "http://shop.test/" }, selection: "$") }',
    );
    const { supergraphSdl, errors } = composeSubgraphs([shop, subgraph('users', LINK, 'type Query { b: Int }')]);
    expect(errors).toBeUndefined();
    expect(supergraphSdl).toContain('@join__directive(graphs: [SHOP], name: "connect"');
  });

  it('reports syntax errors of two subgraphs', () => {
    const composition = composeSubgraphs([subgraph('users', 'type {'), subgraph('posts', '}')]);
    expect(composition.errors?.flatMap(({ locations }) => locations.map(({ file }) => file))).toEqual([
      'users-1.graphql',
      'posts-1.graphql',
    ]);
  });

  it('names an empty file', () => {
    expect(composeSubgraphs([subgraph('users', '')]).errors?.[0]?.locations[0]?.file).toBe('users-1.graphql');
  });

  it('reports the location of a field with an unknown type', () => {
    const composition = composeSubgraphs([subgraph('users', `${LINK}\n\ntype Query {\n  user: User\n}`)]);
    expect(composition.errors).toHaveLength(1);
    expect(composition.errors?.[0]?.message).toBe('[users] Unknown type User');
    expect(composition.errors?.[0]?.locations).toEqual([{ file: 'users-1.graphql', line: 4, column: 9 }]);
  });

  it('reports code and location of a key with an unknown field in a second file', () => {
    const composition = composeSubgraphs([
      subgraph('users', `${LINK}\n\ntype Query { user: User }`, '\ntype User @key(fields: "uuid") {\n  id: ID!\n}'),
    ]);
    expect(composition.errors?.[0]?.code).toBe('KEY_INVALID_FIELDS');
    expect(composition.errors?.[0]?.locations[0]).toEqual({ file: 'users-2.graphql', line: 2, column: 11 });
  });

  it('reports the locations in both subgraphs that disagree on a type', () => {
    const composition = composeSubgraphs([
      subgraph('users', `${LINK}\ntype Query { a: T }\ntype T @shareable {\n  size: Int\n}`),
      subgraph('posts', `${LINK}\ntype Query { b: T }\ntype T @shareable {\n\n  size: String\n}`),
    ]);
    expect(composition.errors?.[0]?.code).toBe('FIELD_TYPE_MISMATCH');
    expect(composition.errors?.[0]?.locations).toEqual([
      { file: 'posts-1.graphql', line: 5, column: 3 },
      { file: 'users-1.graphql', line: 4, column: 3 },
    ]);
  });

  it('reports an unreachable field without locations', () => {
    const composition = composeSubgraphs([
      subgraph('users', `${LINK}\ntype Query { user: User }\ntype User @key(fields: "id") { id: ID! }`),
      subgraph('posts', `${LINK}\ntype User { posts: Int }`),
    ]);
    expect(composition.errors?.map(({ code }) => code)).toContain('SATISFIABILITY_ERROR');
  });

  it.each([
    'http://specs.apollo.dev/federation/v2.9',
    'HTTPS://specs.apollo.dev/federation/v2.9',
    'https://specs.apollo.dev:443/federation/v2.9',
    'https://specs.apollo.dev//federation/v2.9',
    'https://specs.apollo.dev/Federation/v2.9',
    'https://specs.apollo.dev/federaton/v2.9',
    'https://specs.apollo.dev/federation/v2',
    'https://specs.apollographql.com/federation/v2.9',
  ])('rejects rules that are imported from %s', (address) => {
    // Many libraries define the directives in the SDL of a subgraph, so composition accepts them without their meaning.
    const sdl = `extend schema @link(url: "${address}", import: ["@authenticated"])
      directive @authenticated on FIELD_DEFINITION
      type Query { secret: String @authenticated }`;
    const { errors = [] } = composeSubgraphs([subgraph('users', sdl)]);
    expect(errors.map(({ message }) => message)).toContainEqual(expect.stringContaining('https://specs.apollo.dev/federation/v2.9"'));
  });

  it('accepts a custom directive with the name of a rule, imported from a custom feature', () => {
    const link = (url: string, name: string) => `extend schema @link(url: "${url}", import: ["@${name}"])\n`;
    const composition = composeSubgraphs([
      subgraph(
        'users',
        `${LINK}\n${link('https://example.com/policy/v1.0', 'policy')}directive @policy on OBJECT\ntype Query @policy { a: Int }`,
      ),
    ]);
    expect(composition.errors).toBeUndefined();
  });

  it('includes directives that are defined in a separate file in the supergraph', () => {
    const cache =
      'extend schema @link(url: "https://example.com/cache/v1.0", import: ["@fresh"]) @composeDirective(name: "@fresh")\n' +
      'directive @fresh(seconds: Int) on FIELD_DEFINITION';
    const composition = composeSubgraphs([subgraph('users', `${LINK}\ntype Query { me: String @fresh(seconds: 5) }`, cache)]);
    expect(composition.errors).toBeUndefined();
    expect(composition.supergraphSdl).toContain('@fresh(seconds: 5)');
  });

  it('creates the same supergraph with the subgraph URLs twice', () => {
    const [first, second] = [composeSubgraphs(storefrontSources()), composeSubgraphs(storefrontSources())];
    expect(first.supergraphSdl).toBe(second.supergraphSdl);
    expect(first.supergraphSdl).toContain('url: "http://products.invalid/graphql"');
  });

  it('returns hints with a code and a message', () => {
    const composition = composeSubgraphs([
      subgraph('users', `${LINK}\ntype Query { a: T }\n"One."\ntype T @shareable { size: Int }`),
      subgraph('posts', `${LINK}\ntype Query { b: T }\n"Two."\ntype T @shareable { size: Int }`),
    ]);
    expect(composition.hints?.[0]?.code).toBe('INCONSISTENT_DESCRIPTION');
    expect(composition.hints?.[0]?.message).toContain('Element "T" has inconsistent descriptions');
  });
});
