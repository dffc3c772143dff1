import { describe, expect, it } from '@jest/globals';
import { composeSubgraphs } from '../../../../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { refuseRulesWithoutCallers } from '../../../../gateway/supergraph/read-authorization-rules.ts';

const FEDERATION = 'https://specs.apollo.dev/federation/v2.13';

/** Composes subgraphs, the first of which imports the given federation directives. */
function compose(imports: string, sdl: string, ...more: string[]): string {
  const texts = [`extend schema @link(url: "${FEDERATION}", import: ${imports})\n${sdl}`, ...more];
  const composition = composeSubgraphs(
    texts.map((text, index) => ({
      name: `s${index}`,
      url: `http://s${index}.invalid/`,
      files: [{ path: `s${index}.graphql`, text }],
    })),
  );
  if (composition.errors) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  return composition.supergraphSdl;
}

/** Creates a supergraph that links an additional feature. */
function linking(link: string): string {
  return compose('["@key"]', 'type Query { a: Int }').replace('schema\n', `schema\n  ${link}\n`);
}

const GUARDED = compose(
  '["@authenticated", "@requiresScopes", "@policy"]',
  `type Query { open: Int closed: Int @authenticated }
   interface Node { id: ID! }
   type Account implements Node @requiresScopes(scopes: [["read", "email"], ["admin"]]) {
     id: ID! @authenticated
     email: String @policy(policies: [["owner"]])
   }
   scalar Secret @authenticated
   enum Rank @authenticated { LOW HIGH }
   extend type Query { secret: Secret rank: Rank node: Node account: Account }`,
);

describe('features of a supergraph', () => {
  it.each([
    ['an unknown feature for execution', '@link(url: "https://example.com/turbo/v1.0", for: EXECUTION)', 'https://example.com/turbo/v1.0'],
    ['a future version of a known feature', '@link(url: "https://specs.apollo.dev/context/v9.0", for: SECURITY)', 'context/v9.0'],
    ['authorization rules in an unknown version', '@link(url: "https://gatefold.dev/auth/v2.0")', 'https://gatefold.dev/auth/v2.0'],
    ['a newer version of connectors', '@link(url: "https://specs.apollo.dev/connect/v0.9", for: EXECUTION)', 'v0.1, v0.2, v0.3, v0.4'],
    ['an invalid version of connectors', '@link(url: "https://specs.apollo.dev/connect/vNext", for: EXECUTION)', 'no version of it'],
    ['sources', '@link(url: "https://specs.apollo.dev/source/v0.1")', 'https://specs.apollo.dev/source/v0.1'],
  ])('rejects %s and names the feature', (_what, link, expected) => {
    expect(() => loadSupergraph(linking(link))).toThrow(expected);
  });

  it('names all unsupported features in one error', () => {
    const sdl = linking('@link(url: "https://a.invalid/one/v1.0", for: SECURITY) @link(url: "https://b.invalid/two/v1.0", for: EXECUTION)');
    expect(() => loadSupergraph(sdl)).toThrow(/a\.invalid\/one.*b\.invalid\/two/);
  });

  it('rejects a subgraph with an unknown version of connectors', () => {
    const link = '@link(url: "https://specs.apollo.dev/connect/v0.9")';
    const joined = '@join__directive(graphs: [], name: "link", args: { url: "https://specs.apollo.dev/connect/v0.9" })';
    expect(() => loadSupergraph(linking(`${link} ${joined}`))).toThrow('the gateway supports v0.1, v0.2, v0.3, v0.4');
  });

  it('accepts a composed subgraph with connectors', () => {
    const sdl = compose(
      '["@key"]',
      `extend schema @link(url: "https://specs.apollo.dev/connect/v0.2", import: ["@connect", "@source"])
         @source(name: "rest", http: { baseURL: "http://rest.invalid" })
       type Query { a: Int @connect(source: "rest", http: { GET: "/a" }, selection: "$") }`,
    );
    expect(loadSupergraph(sdl).subgraphs.size).toBe(1);
  });

  it.each([
    ['an unknown feature without a purpose', '@link(url: "https://example.com/colours/v1.0")'],
    ['a newer tag', '@link(url: "https://specs.apollo.dev/tag/v0.9")'],
    ['the caching rules of Gatefold', '@link(url: "https://gatefold.dev/cache/v1.0", as: "freshness")'],
  ])('ignores %s', (_what, link) => {
    expect(loadSupergraph(linking(link)).subgraphs.size).toBe(1);
  });

  it.each([
    ['@tag, @inaccessible', '["@tag", "@inaccessible"]', 'type Query { a: Int @tag(name: "x") b: Int @inaccessible }'],
    ['@cost, @listSize', '["@cost", "@listSize"]', 'type Query { a: [Int] @listSize(assumedSize: 3) b: Int @cost(weight: 4) }'],
    [
      '@interfaceObject',
      '["@key", "@interfaceObject"]',
      'type Query { a: I } type I @key(fields: "id") @interfaceObject { id: ID! n: Int }',
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"]) interface I @key(fields: "id") { id: ID! } type T implements I @key(fields: "id") { id: ID! }',
    ],
    [
      '@override with a label',
      '["@key", "@override"]',
      'type Query { t: T } type T @key(fields: "id") { id: ID! v: Int @override(from: "s1", label: "percent(20)") }',
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"]) type T @key(fields: "id") { id: ID! v: Int }',
    ],
    [
      '@context',
      '["@key", "@context", "@fromContext"]',
      'type Query { t: T } type T @key(fields: "id") @context(name: "c") { id: ID! v: Int u: U } type U @key(fields: "id") { id: ID! f(v: Int @fromContext(field: "$c { v }")): Int }',
      'type Query { b: Int }',
    ],
    ['@cacheTag', '["@cacheTag"]', 'type Query { a: Int @cacheTag(format: "a") }'],
  ])('loads a subgraph with %s', (_what, imports, sdl, ...more) => {
    expect(loadSupergraph(compose(imports, sdl, ...more)).schema.getQueryType()).toBeDefined();
  });
});

describe('authorization rules', () => {
  it('cause a rejection with advice if no callers can be identified', () => {
    const { authorization } = loadSupergraph(GUARDED);
    expect(() => refuseRulesWithoutCallers(authorization, 'Give it.')).toThrow(
      /Account.*@requiresScopes.*the gateway has no authentication to identify callers\. Give it\./,
    );
  });

  it('are read from the types and fields that have them', () => {
    const { authorization } = loadSupergraph(GUARDED);
    expect(Object.fromEntries(authorization)).toEqual({
      'Query.closed': [{ directive: 'authenticated', arguments: {} }],
      // Composition protects an interface if a type that implements it is protected.
      Node: [{ directive: 'requiresScopes', arguments: { scopes: [['read', 'email'], ['admin']] } }],
      'Node.id': [{ directive: 'authenticated', arguments: {} }],
      Account: [{ directive: 'requiresScopes', arguments: { scopes: [['read', 'email'], ['admin']] } }],
      'Account.id': [{ directive: 'authenticated', arguments: {} }],
      'Account.email': [{ directive: 'policy', arguments: { policies: [['owner']] } }],
      Secret: [{ directive: 'authenticated', arguments: {} }],
      Rank: [{ directive: 'authenticated', arguments: {} }],
    });
  });

  it('are recognized by the URL of their feature if they are renamed', () => {
    const sdl = compose('[{ name: "@authenticated", as: "@signedIn" }]', 'type Query { a: Int @signedIn }');
    expect(sdl).toContain('@signedIn');
    expect([...loadSupergraph(sdl).authorization.keys()]).toEqual(['Query.a']);
  });

  it('are read from `@auth`, which subgraphs enforce', () => {
    const sdl = compose(
      '["@composeDirective"]',
      `extend schema @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"]) @composeDirective(name: "@auth")
       directive @auth(requires: String!, orOwner: String) on FIELD_DEFINITION | OBJECT
       type Query { a: Int @auth(requires: "ADMIN", orOwner: "id") }`,
    );
    expect(Object.fromEntries(loadSupergraph(sdl).authorization)).toEqual({
      'Query.a': [{ directive: 'auth', arguments: { requires: 'ADMIN', orOwner: 'id' } }],
    });
  });

  it('do not include a directive that merely has the same name', () => {
    const sdl = compose(
      '["@composeDirective"]',
      `extend schema @link(url: "https://example.com/doors/v1.0", import: ["@policy"]) @composeDirective(name: "@policy")
       directive @policy on FIELD_DEFINITION
       type Query { a: Int @policy }`,
    );
    expect(loadSupergraph(sdl).authorization.size).toBe(0);
  });
});

describe('supergraphs of federation version 1', () => {
  const FED1 = `
    schema @core(feature: "https://specs.apollo.dev/core/v0.2") @core(feature: "https://specs.apollo.dev/join/v0.1", for: EXECUTION) { query: Query }
    directive @core(feature: String!, as: String, for: core__Purpose) repeatable on SCHEMA
    directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet) on FIELD_DEFINITION
    directive @join__type(graph: join__Graph!, key: join__FieldSet) repeatable on OBJECT | INTERFACE
    directive @join__owner(graph: join__Graph!) on OBJECT | INTERFACE
    directive @join__graph(name: String!, url: String!) on ENUM_VALUE
    enum core__Purpose { EXECUTION SECURITY }
    scalar join__FieldSet
    enum join__Graph { OLD @join__graph(name: "old" url: "http://old.invalid/") }
    type Query { thing: Thing @join__field(graph: OLD) }
    type Thing @join__owner(graph: OLD) @join__type(graph: OLD, key: "id") { id: ID! @join__field(graph: OLD) }
  `;

  it('load with join v0.1', () => {
    expect([...loadSupergraph(FED1).subgraphs.keys()]).toEqual(['old']);
  });

  it('are rejected if `@core` links an unknown security feature', () => {
    const sdl = FED1.replace('{ query: Query }', '@core(feature: "https://example.com/vault/v0.1", for: SECURITY) { query: Query }');
    expect(() => loadSupergraph(sdl)).toThrow('https://example.com/vault/v0.1');
  });
});
