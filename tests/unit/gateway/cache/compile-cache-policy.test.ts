import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { createCachePolicyCompiler, type OperationCachePolicy } from '../../../../gateway/cache/compile-cache-policy.ts';
import { composeSubgraphs } from '../../../../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';

const FEDERATION =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@authenticated", "@composeDirective"])';

const definition = (name: string) => `
  enum CacheControlScope { PUBLIC PRIVATE }
  directive @${name}(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION`;

const OWN =
  'extend schema @link(url: "https://gatefold.dev/cache/v1.0", import: ["@cacheControl"]) @composeDirective(name: "@cacheControl")';

const TYPES = `
  type Query {
    book: Book
    bare: Bare
    hour: Bare @cacheControl(maxAge: 3600, scope: PUBLIC)
    unscoped: Book @cacheControl(maxAge: 30)
    never: Book @cacheControl(maxAge: 0)
    count: Int
    hintedCount: Int @cacheControl(maxAge: 20, scope: PUBLIC)
    node: Node @cacheControl(maxAge: 100, scope: PUBLIC)
    found: [Found] @cacheControl(maxAge: 100, scope: PUBLIC)
    me: Secret @cacheControl(maxAge: 10, scope: PUBLIC)
  }
  type Mutation { rename: Book }
  interface Node { id: ID! title: String }
  union Found = Book | Review
  type Book implements Node @cacheControl(maxAge: 300, scope: PUBLIC) {
    id: ID!
    title: String
    draft: String @cacheControl(maxAge: 50)
    notes: String @cacheControl(scope: PRIVATE)
    salary: Int @authenticated
    bare: Bare
    page: Page
    sameAge: Bare @cacheControl(inheritMaxAge: true)
  }
  type Review implements Node @cacheControl(maxAge: 5, scope: PRIVATE) { id: ID! title: String }
  type Bare { name: String book: Book }
  type Page @cacheControl(inheritMaxAge: true) { size: Int }
  type Secret @authenticated { id: ID! }
`;

function compilerFor(...sdls: readonly string[]): (text: string) => Pick<OperationCachePolicy, 'maxAgeSeconds' | 'scope'> | undefined {
  const composed = composeSubgraphs(
    sdls.map((text, index) => ({ name: `s${index}`, url: `http://s${index}`, files: [{ path: 's.graphql', text }] })),
  );
  if ('errors' in composed) throw new Error(composed.errors.map(({ message }) => message).join('\n'));
  const { schema, cacheHints: hints, authorization } = loadSupergraph(composed.supergraphSdl);
  const policyOf = createCachePolicyCompiler({ schema, hints, authorization });
  return (text) => {
    const policy = policyOf(parse(text));
    return policy === undefined ? undefined : { maxAgeSeconds: policy.maxAgeSeconds, scope: policy.scope };
  };
}

const policyOf = compilerFor(`${FEDERATION}\n${OWN}\n${definition('cacheControl')}\n${TYPES}`);

const open = (maxAgeSeconds: number) => ({ maxAgeSeconds, scope: 'PUBLIC' });
const own = (maxAgeSeconds: number) => ({ maxAgeSeconds, scope: 'PRIVATE' });

describe('compileCachePolicy', () => {
  it.each([
    ['mutation { rename { id } }', 'a mutation'],
    ['{ __schema { queryType { name } } book { id } }', 'introspection next to a cacheable field'],
    ['{ bare { name } }', 'a root field that returns objects without a hint'],
    ['{ count }', 'a root field that returns a scalar without a hint'],
    ['{ book { bare { name } } }', 'a field of object type without a hint below one with a hint'],
    ['{ book { id } never { id } }', 'a field that must not be cached next to a cacheable field'],
    ['{ __typename }', 'only the name of the root type'],
  ])('does not cache %s (%s)', (text) => {
    expect(policyOf(text)).toBeUndefined();
  });

  it('prefers the hint of a field to the hint of its type', () => {
    expect(policyOf('{ hour { name } }')).toEqual(open(3_600));
    expect(policyOf('{ unscoped { id } }')).toEqual(open(30));
  });

  it('uses the strictest of several hints', () => {
    expect(policyOf('{ book { id } hintedCount }')).toEqual(open(20));
    expect(policyOf('{ book { draft } }')).toEqual(open(50));
    expect(policyOf('{ book { notes } }')).toEqual(own(300));
  });

  it('applies the policy of the parent to scalars without hints', () => {
    expect(policyOf('{ book { __typename id title } }')).toEqual(open(300));
  });

  it('applies the policy of the parent for inheritMaxAge on a field or on its type', () => {
    expect(policyOf('{ book { sameAge { name } page { size } } }')).toEqual(open(300));
  });

  it('makes a response with a guarded field or type private, whatever its hint', () => {
    expect(policyOf('{ book { salary } }')).toEqual(own(300));
    expect(policyOf('{ me { id } }')).toEqual(own(10));
  });

  it('uses the hints of all possible types of an interface or a union', () => {
    expect(policyOf('{ node { id } }')).toEqual(own(5));
    expect(policyOf('{ found { ... on Book { id } } }')).toEqual(own(5));
  });

  it('uses the hints of fields in fragments', () => {
    expect(policyOf('{ ...A } fragment A on Query { book { ...B } } fragment B on Book { notes }')).toEqual(own(300));
    expect(policyOf('query ($no: Boolean!) { book { id ... @skip(if: $no) { bare { name } } } }')).toBeUndefined();
  });

  it('supports a renamed directive and a directive of a foreign feature', () => {
    const types = 'type Query { book: Book @fresh(maxAge: 9, scope: PUBLIC) } type Book { id: ID! }';
    const link = 'extend schema @link(url: "https://gatefold.dev/cache/v1.0", import: [{ name: "@cacheControl", as: "@fresh" }])';
    const renamed = compilerFor(`${FEDERATION}\n${link} @composeDirective(name: "@fresh")\n${definition('fresh')}\n${types}`);
    expect(renamed('{ book { id } }')).toEqual(open(9));
    const foreign = OWN.replace('gatefold.dev/cache', 'specs.example.com/hints');
    const ofOthers = compilerFor(`${FEDERATION}\n${foreign}\n${definition('cacheControl')}\n${types.replace('@fresh', '@cacheControl')}`);
    expect(ofOthers('{ book { id } }')).toEqual(open(9));
  });

  it('does not cache when the schema has no hints', () => {
    expect(compilerFor(`${FEDERATION}\ntype Query { book: String }`)('{ book }')).toBeUndefined();
  });
});
