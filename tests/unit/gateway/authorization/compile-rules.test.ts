import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { compileRules } from '../../../../gateway/authorization/compile-rules.ts';
import { readAuthorizationRules } from '../../../../gateway/supergraph/read-authorization-rules.ts';
import { readFeatures } from '../../../../gateway/directives/read-features.ts';
import { readFederatedGraph } from '../../../../gateway/supergraph/read-federated-graph.ts';
import { load, loadUnchecked } from '../../../support/gateway/guarded.ts';

/** Loads a supergraph in the format of earlier versions of composition. */
function loadWritten(types: string) {
  const document = parse(`
    schema
      @link(url: "https://specs.apollo.dev/link/v1.0")
      @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
      @link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)
      @link(url: "https://specs.apollo.dev/requiresScopes/v0.1", for: SECURITY)
      @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"])
    { query: Query }
    enum join__Graph { S @join__graph(name: "s", url: "http://s.invalid/") }
    ${types}`);
  return compileRules(readFederatedGraph(document), readAuthorizationRules(document, readFeatures(document)));
}

const idsOf = (guards: readonly { readonly requirement: { readonly id: string } }[] = []) =>
  guards.map(({ requirement }) => requirement.id);

describe('rules that cannot be enforced', () => {
  it.each([
    [
      'an owner field that does not exist',
      'type Query { a: A } type A { id: ID @auth(requires: ADMIN, orOwner: "nobody") }',
      'A.id',
      'A.nobody',
    ],
    [
      'an owner field that is an object',
      'type Query { a: A } type A { id: ID @auth(requires: ADMIN, orOwner: "b") b: A }',
      'A.id',
      'instead of a leaf',
    ],
    ['an owner field that is a list', 'type Query { a: A } type A @auth(requires: ADMIN, orOwner: "ids") { ids: [ID] }', 'A ', 'list'],
    [
      'an owner field with arguments',
      'type Query { a: A } type A { id(x: Int!): ID b: Int @auth(requires: USER, orOwner: "id") }',
      'A.b',
      'arguments',
    ],
    [
      'an owner of a root field',
      'type Query { a: ID @auth(requires: ADMIN, orOwner: "a") }',
      'Query.a',
      'orOwner requires an object with an owner',
    ],
    [
      'an owner of a mutation',
      'type Query { a: ID } type Mutation { b: ID @auth(requires: ADMIN, orOwner: "b") }',
      'Mutation.b',
      'subgraph must check ownership',
    ],
    [
      'an owner field that only some implementations have',
      'type Query { n: N } interface N { id: ID @auth(requires: ADMIN, orOwner: "who") } type A implements N { id: ID who: ID } type B implements N { id: ID }',
      'B.id',
      'B.who',
    ],
  ])('rejects %s and names the coordinate', (_what, sdl, coordinate, reason) => {
    expect(() => load(sdl)).toThrow('The supergraph cannot be served');
    expect(() => load(sdl)).toThrow(coordinate);
    expect(() => load(sdl)).toThrow(reason);
  });

  it.each(['[]', '[[]]', '[["a"], []]', '[[""]]', '"a"'])('rejects the ambiguous scopes %s and names the coordinate', (scopes) => {
    expect(() => loadWritten(`type Query { a: Int @requiresScopes(scopes: ${scopes}) }`)).toThrow('Query.a @requiresScopes(scopes:)');
  });
});

describe('rules of interfaces', () => {
  const NODES = (onInterface: string, onA = '') =>
    `type Query { n: N } interface N ${onInterface} { id: ID } type A implements N ${onA} { id: ID } type B implements N { id: ID }`;

  it('apply to all implementations when only the interface has a rule', () => {
    const rules = loadWritten(NODES('@authenticated'));
    for (const type of ['A', 'B']) expect(idsOf(rules?.ofType(type))).toEqual(['[["signedIn:"]]']);
  });

  it('apply to the field of all implementations when an interface field has a rule', () => {
    const rules = load(
      'type Query { n: N } interface N { id: ID who: ID @auth(requires: ADMIN, orOwner: "id") } type A implements N { id: ID who: ID } type B implements N { id: ID who: ID }',
    );
    for (const type of ['A', 'B']) expect(rules?.ofField(type, 'who')).toMatchObject([{ owner: 'id' }]);
  });

  it.each([
    ['another rule of an implementation implies them', '@authenticated', '@requiresScopes(scopes: [["x"]])', '[["signedIn:"]]'],
    [
      'a stricter rule of an implementation implies them',
      '@requiresScopes(scopes: [["x"]])',
      '@requiresScopes(scopes: [["x", "y"]])',
      '[["scope:x"]]',
    ],
  ])('apply to all implementations when %s', (_what, onInterface, onA, id) => {
    const rules = loadWritten(NODES(onInterface, onA));
    expect(idsOf(rules?.ofType('B'))).toEqual([id]);
    expect(rules?.unclear).toEqual([]);
  });

  it('apply to all implementations when another interface shows that composition generates no rules', () => {
    const rules = loadWritten(`${NODES('@authenticated', '@authenticated')}
      interface M { id: ID } type C implements M { id: ID @authenticated }`);
    expect(idsOf(rules?.ofType('B'))).toEqual(['[["signedIn:"]]']);
    expect(rules?.unclear).toEqual([]);
  });

  it('do not apply to other implementations when composition may have generated them, and are reported', () => {
    const rules = loadWritten(NODES('@authenticated', '@authenticated'));
    expect(idsOf(rules?.ofType('A'))).toHaveLength(1);
    expect(idsOf(rules?.ofType('B'))).toHaveLength(0);
    expect(rules?.unclear).toEqual([{ coordinate: 'N', directive: 'authenticated', notEnforced: ['B'] }]);
  });

  it('are not reported when each implementation has them', () => {
    const rules = loadWritten(
      'type Query { n: N } interface N { id: ID @authenticated } type A implements N { id: ID @authenticated } type B implements N { id: ID @authenticated }',
    );
    expect(rules?.unclear).toEqual([]);
  });

  it('generated by composition apply to no other implementation, whatever the implementations combine', () => {
    const rules = load(
      `type Query { n: N } interface N { id: ID! x: Int } interface M { id: ID! x: Int r: Int }
       type A implements N & M @key(fields: "id") { id: ID! x: Int @shareable @requiresScopes(scopes: [["a"], ["b"]]) r: Int }
       type B implements N @key(fields: "id") { id: ID! x: Int @authenticated }
       type C implements N & M { id: ID! x: Int r: Int }`,
      'type A @key(fields: "id") { id: ID! x: Int @shareable @requiresScopes(scopes: [["c"]]) @policy(policies: [["p"]]) }',
    );
    expect(idsOf(rules?.ofField('A', 'x'))).toHaveLength(2);
    expect(idsOf(rules?.ofField('B', 'x'))).toEqual(['[["signedIn:"]]']);
    expect(idsOf(rules?.ofField('C', 'x'))).toEqual([]);
  });

  it('apply to every implementation when an interface object has a guarded field', () => {
    const rules = load(
      'type Query { n: N } interface N @key(fields: "id") { id: ID } type A implements N @key(fields: "id") { id: ID } type B implements N @key(fields: "id") { id: ID }',
      'type N @interfaceObject @key(fields: "id") { id: ID rating: Int @requiresScopes(scopes: [["rating"]]) owned: Int @auth(requires: ADMIN, orOwner: "id") }',
    );
    for (const type of ['A', 'B']) {
      expect(idsOf(rules?.ofField(type, 'rating'))).toEqual(['[["scope:rating"]]']);
      expect(rules?.ofField(type, 'owned')).toMatchObject([{ owner: 'id' }]);
    }
  });
});

describe('rules of several subgraphs', () => {
  it.each(['one order', 'the other'])('require the scopes of both subgraphs, in %s', (order) => {
    const subgraphs = [
      'type Query { a: Int @shareable @requiresScopes(scopes: [["x"], ["y"]]) }',
      'type Query { a: Int @shareable @requiresScopes(scopes: [["z"]]) }',
    ];
    const rules = load(...(order === 'one order' ? subgraphs : subgraphs.toReversed()));
    expect(idsOf(rules?.ofField('Query', 'a'))).toEqual(['[["scope:x","scope:z"],["scope:y","scope:z"]]']);
  });
});

describe('fields that depend on protected fields', () => {
  const OTHER = (rule: string, requires = 'secret') =>
    `type A @key(fields: "id") { id: ID secret: Int @external open: Int @requires(fields: "${requires}") ${rule} }`;
  const SECRET = (rule: string) => `type Query { a: A } type A @key(fields: "id") { id: ID who: ID secret: Int ${rule} }`;

  it.each([
    ['no rule', '@authenticated', ''],
    ['another rule', '@requiresScopes(scopes: [["x"]])', '@requiresScopes(scopes: [["y"]])'],
    ['a weaker rule', '@requiresScopes(scopes: [["x", "y"]])', '@requiresScopes(scopes: [["x"]])'],
    ['one alternative too many', '@requiresScopes(scopes: [["x"]])', '@requiresScopes(scopes: [["x"], ["y"]])'],
    ['a policy instead of a required login', '@authenticated', '@policy(policies: [["p"]])'],
    ['the role without the owner', '@auth(requires: ADMIN)', '@auth(requires: ADMIN, orOwner: "id")'],
    ['another owner', '@auth(requires: ADMIN, orOwner: "who")', '@auth(requires: ADMIN, orOwner: "id")'],
  ])('rejects a field with %s that requires a protected field, and names both', (_what, secret, open) => {
    expect(() => loadUnchecked(SECRET(secret), OTHER(open))).toThrow(/A\.open is computed from A\.secret, but does not have its rules/);
  });

  it.each([
    ['the same rule', '@authenticated', '@authenticated'],
    ['a stricter rule', '@requiresScopes(scopes: [["x"], ["y"]])', '@requiresScopes(scopes: [["x", "z"]])'],
    ['a rule that implies a login', '@authenticated', '@auth(requires: ADMIN, orOwner: "id")'],
    ['the role alone', '@auth(requires: ADMIN, orOwner: "who")', '@auth(requires: ADMIN)'],
    ['the same owner', '@auth(requires: ADMIN, orOwner: "who")', '@auth(requires: ADMIN, orOwner: "who")'],
  ])('accepts a field with %s', (_what, secret, open) => {
    expect(loadUnchecked(SECRET(secret), OTHER(open))).toBeDefined();
  });

  it('rejects a chain of requirements whose last field is open', () => {
    const first = 'type Query { a: A } type A @key(fields: "id") { id: ID secret: Int @authenticated }';
    const second = 'type A @key(fields: "id") { id: ID secret: Int @external half: Int @requires(fields: "secret") @authenticated }';
    const third = 'type A @key(fields: "id") { id: ID half: Int @external open: Int @requires(fields: "half") }';
    expect(() => loadUnchecked(first, second, third)).toThrow('A.open is computed from A.half');
  });

  it('rejects an open field that requires an object of a guarded type', () => {
    const first = 'type Query { a: A } type A @key(fields: "id") { id: ID inner: B } type B @authenticated { x: Int }';
    const second =
      'type B { x: Int @external } type A @key(fields: "id") { id: ID inner: B @external open: Int @requires(fields: "inner { x }") }';
    expect(() => loadUnchecked(first, second)).toThrow('A.open is computed from A.inner');
  });

  it('rejects an open field with a protected context argument', () => {
    const sdl = (rule: string) =>
      `type Query { a: A } type A @key(fields: "id") @context(name: "a") { id: ID secret: Int @authenticated b: B } type B @key(fields: "id") { id: ID open(x: Int @fromContext(field: "$a { secret }")): Int ${rule} }`;
    const other = 'type Query { z: Int } type B @key(fields: "id") { id: ID }';
    expect(() => loadUnchecked(sdl(''), other)).toThrow('B.open is computed from A.secret');
    expect(loadUnchecked(sdl('@authenticated'), other)).toBeDefined();
  });
});
