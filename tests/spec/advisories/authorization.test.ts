import { afterAll, describe, expect, it } from '@jest/globals';
import type { Gateway } from '../../../gateway/index.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { ANONYMOUS, type Principal } from '../../../gateway/platform/principal.ts';
import { buildGuardedGraph, type GuardedGraph, type Resolvers, type Thing } from '../../fixtures/authorization/guarded-graph.ts';
import { normalize } from '../../fixtures/authorization/oracle.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import { queryInProcess, leaksIn } from '../../integration/authorization/run-matrix.ts';
import { asErrorOf, rejectionOf } from '../../support/errors/catch-error.ts';

// Published bypasses of the authorization of federation gateways.

const FEDERATION = 'https://specs.apollo.dev/federation/v2.12';
const IMPORTS =
  '["@key", "@shareable", "@external", "@requires", "@interfaceObject", "@context", "@fromContext", "@composeDirective", "@authenticated", "@requiresScopes", "@policy"]';
const HEAD = `extend schema @link(url: "${FEDERATION}", import: ${IMPORTS})\n`;
const AUTH_HEAD = `${HEAD}extend schema @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"]) @composeDirective(name: "@auth")
  enum Role { USER ADMIN }
  directive @auth(requires: Role!, orOwner: String) on FIELD_DEFINITION | OBJECT
`;

const sourcesOf = (texts: readonly string[]) =>
  texts.map((text, index) => ({ name: `s${index}`, url: `http://s${index}.invalid/`, files: [{ path: `s${index}.graphql`, text }] }));

const signedIn = (...scopes: readonly string[]): Principal => ({
  kind: 'user',
  id: 'u',
  roles: new Set(),
  scopes: new Set(scopes),
  claims: {},
});

const THINGS: Readonly<Record<string, Thing>> = {
  a: { __typename: 'A', id: 'a', secret: 'canary-a', open: 'open a', extra: 'canary-extra-a' },
  b: { __typename: 'B', id: 'b', secret: 'canary-b', open: 'open b', extra: 'canary-extra-b' },
};

const RESOLVERS: Resolvers = {
  Query: {
    nodes: () => [THINGS['a'], THINGS['b']],
    a: () => THINGS['a'],
    b: () => THINGS['b'],
    any: () => [THINGS['a'], THINGS['b']],
    holder: () => ({ __typename: 'Holder', id: 'h', a: THINGS['a'] }),
  },
  Mutation: { make: () => ({ a: THINGS['a'], any: THINGS['a'] }) },
  Holder: { a: () => THINGS['a'] },
};

function build(...texts: readonly string[]): GuardedGraph {
  return buildGuardedGraph({
    subgraphs: sourcesOf(texts),
    resolvers: RESOLVERS,
    findEntity: (_typename, { id }) => THINGS[String(id)],
    policy: {},
  });
}

/** One gateway per supergraph, because the tests differ only in callers and operations. */
const gateways = new Map<string, Promise<Gateway>>();
afterAll(async () => {
  for (const gateway of gateways.values()) await (await gateway)[Symbol.asyncDispose]();
});

/** Returns the denials by path, and the protected values that leaked. */
async function request({ supergraphSdl, executor }: Pick<GuardedGraph, 'supergraphSdl' | 'executor'>, text: string, principal = ANONYMOUS) {
  const serving = gateways.get(supergraphSdl) ?? startGuardedGateway({ supergraphSdl, executor });
  gateways.set(supergraphSdl, serving);
  const gateway = await serving;
  const response = await queryInProcess(gateway)({ text, variables: {} }, { name: '', principal });
  return { ...normalize(response), leaks: leaksIn(response.text, { data: null }) };
}

async function catchRejection(supergraphSdl: string): Promise<string> {
  const started = startGuardedGateway({ supergraphSdl, executor: build('type Query { a: Int }').executor });
  const error = await rejectionOf(started);
  if (error !== undefined) return asErrorOf(Error, error).message;
  await (await started)[Symbol.asyncDispose]();
  return 'it is served';
}

const composed = (...texts: readonly string[]): string => {
  const { supergraphSdl, errors } = composeSubgraphs(sourcesOf(texts));
  if (supergraphSdl === undefined) throw new Error(JSON.stringify(errors));
  return supergraphSdl;
};

const TWO_TYPES = (ofA: string, ofB: string, more = ''): string => `${HEAD}
  type Query { nodes: [Node] a: A b: B any: [Any] }
  union Any = A | B
  interface Node @key(fields: "id") { id: ID! secret: String open: String }
  type A implements Node @key(fields: "id") { id: ID! secret: String ${ofA} open: String }
  type B implements Node @key(fields: "id") { id: ID! secret: String ${ofB} open: String }
  ${more}`;

describe('CVE-2025-64530: a rule at an interface', () => {
  // Composition no longer accepts such a rule, but supergraphs of other tools have it.
  const graph = build(TWO_TYPES('@authenticated', '@authenticated'));
  const onInterface = graph.supergraphSdl
    .replace(/(type A implements Node[^}]*secret: String) @authenticated/, '$1')
    .replace(/(type B implements Node[^}]*secret: String) @authenticated/, '$1');

  it('is only at the interface in the test supergraph', () => {
    expect(onInterface.match(/secret: String @authenticated/g)).toHaveLength(1);
  });

  it.each([
    ['by the implementing type', '{ a { secret } }', ['a.secret']],
    ['by a fragment on it', '{ nodes { ... on A { secret } } }', ['nodes.0.secret']],
    ['by a union', '{ any { ... on A { secret } ... on B { secret } } }', ['any.0.secret', 'any.1.secret']],
    ['by the interface', '{ nodes { secret } }', ['nodes.0.secret', 'nodes.1.secret']],
  ])('denies an anonymous caller a field selected %s', async (_how, text, positions) => {
    const { denials, leaks } = await request({ ...graph, supergraphSdl: onInterface }, text);
    expect({ denials, leaks }).toEqual({ denials: positions.map((position) => `${position} UNAUTHENTICATED`), leaks: [] });
  });
});

describe('CVE-2025-64173: an interface field that its types guard', () => {
  const graph = build(TWO_TYPES('@requiresScopes(scopes: [["a"]])', '@requiresScopes(scopes: [["b"]])'));

  it.each<[string, readonly string[], string, readonly string[]]>([
    ['neither', [], '{ nodes { secret } }', ['nodes.0.secret', 'nodes.1.secret']],
    ['one', ['a'], '{ nodes { secret } }', ['nodes.0.secret', 'nodes.1.secret']],
    ['the other', ['b'], '{ nodes { secret } }', ['nodes.0.secret', 'nodes.1.secret']],
    ['one', ['a'], '{ nodes { ... on A { secret } ... on B { secret } } }', ['nodes.1.secret']],
    ['one', ['a'], '{ nodes { ... on Node { x: secret } } }', ['nodes.0.x', 'nodes.1.x']],
    ['one', ['a'], '{ a { ... on Node { secret } } }', []],
    ['both', ['a', 'b'], '{ nodes { secret } }', []],
  ])('with %s of the scopes (%j), %s applies the rules of all types', async (_which, scopes, text, positions) => {
    const { denials } = await request(graph, text, signedIn(...scopes));
    expect(denials).toEqual(positions.map((position) => `${position} FORBIDDEN`));
  });

  it('applies the rules of the types when the interface has none', async () => {
    const supergraphSdl = graph.supergraphSdl.replace(/(interface Node[^}]*secret: String) @requiresScopes\([^)]*\)/, '$1');
    expect(supergraphSdl).not.toBe(graph.supergraphSdl);
    const { denials, leaks } = await request({ ...graph, supergraphSdl }, '{ nodes { secret } }', signedIn('a'));
    expect({ denials, leaks }).toEqual({ denials: ['nodes.0.secret FORBIDDEN', 'nodes.1.secret FORBIDDEN'], leaks: [] });
  });
});

describe('CVE-2025-64347: directives under other names', () => {
  const renamed = (imports: string, use: string): string =>
    `extend schema @link(url: "${FEDERATION}", import: ${imports})\ntype Query { a: String ${use} b: String }`;
  const graphOf = (sdl: string) => ({
    ...buildGuardedGraph({
      subgraphs: sourcesOf([sdl]),
      resolvers: { Query: { a: () => 'canary-a', b: () => 'b' } },
      findEntity: () => undefined,
      policy: {},
    }),
  });

  it.each([
    ['@authenticated', renamed('[{ name: "@authenticated", as: "@signedIn" }]', '@signedIn')],
    ['@requiresScopes', renamed('[{ name: "@requiresScopes", as: "@needs" }]', '@needs(scopes: [["x"]])')],
    ['@policy', renamed('[{ name: "@policy", as: "@only" }]', '@only(policies: [["x"]])')],
    [
      '@auth',
      `${HEAD}extend schema @link(url: "https://gatefold.dev/auth/v1.0", import: [{ name: "@auth", as: "@door" }]) @composeDirective(name: "@door")
       directive @door(requires: String!, orOwner: String) on FIELD_DEFINITION
       type Query { a: String @door(requires: "ADMIN") b: String }`,
    ],
  ])('%s guards when it was renamed on import', async (_name, sdl) => {
    const { data, leaks } = await request(graphOf(sdl), '{ a b }');
    expect({ data, leaks }).toEqual({ data: { a: null, b: 'b' }, leaks: [] });
  });

  it('a directive guards when its whole feature is renamed', async () => {
    const graph = graphOf(renamed('["@authenticated"]', '@authenticated'));
    const supergraphSdl = graph.supergraphSdl
      .replace(
        '@link(url: "https://specs.apollo.dev/authenticated/v0.1"',
        '@link(url: "https://specs.apollo.dev/authenticated/v0.1", as: "guard"',
      )
      .replaceAll('@authenticated', '@guard');
    expect(supergraphSdl).toContain('a: String @guard');
    const { data, leaks } = await request({ ...graph, supergraphSdl }, '{ a b }');
    expect({ data, leaks }).toEqual({ data: { a: null, b: 'b' }, leaks: [] });
  });

  it.each([
    ['a directive that looks like a rule and has no link', '@auth', 'directive @auth(requires: String!) on FIELD_DEFINITION'],
    ['a rule directive of an unknown version', '@authenticated', ''],
  ])('loading rejects %s', async (_what, name, definition) => {
    const graph = graphOf(renamed('["@authenticated"]', '@authenticated'));
    const sdl =
      name === '@auth'
        ? `${graph.supergraphSdl}\n${definition}`.replace('b: String', 'b: String @auth(requires: "ADMIN")')
        : graph.supergraphSdl.replace('authenticated/v0.1', 'authenticated/v9.0');
    expect(await catchRejection(sdl)).not.toBe('it is served');
  });
});

describe('GHSA-m8jr-fxqx-8xx6: fields that are derived from protected fields', () => {
  const owner = (rule: string, type = ''): string =>
    `${HEAD}type Query { a: A } type A @key(fields: "id") ${type} { id: ID! secret: String ${rule} }`;
  const dependent = (rule: string): string =>
    `${HEAD}type A @key(fields: "id") { id: ID! secret: String @external extra: String @requires(fields: "secret") ${rule} }`;
  const closed = '@requiresScopes(scopes: [["x"]])';

  it('rejects an open field that requires a protected field', async () => {
    // Composition rejects it. The gateway rejects a supergraph of another tool.
    expect(composeSubgraphs(sourcesOf([owner(closed), dependent('')])).errors).toBeDefined();
    const supergraphSdl = composed(owner(closed), dependent(closed)).replace(
      /(extra: String @join__field\([^)]*\)) @requiresScopes\(scopes: \[\["x"\]\]\)/,
      '$1',
    );
    expect(await catchRejection(supergraphSdl)).toMatch(/A\.extra.*A\.secret|A\.secret.*A\.extra/);
  });

  it('rejects a weaker rule at the derived field', async () => {
    const supergraphSdl = composed(owner(closed), dependent(closed)).replace(
      /(extra: String @join__field\([^)]*\)) @requiresScopes\(scopes: \[\["x"\]\]\)/,
      '$1 @requiresScopes(scopes: [["x"], ["y"]])',
    );
    expect(await catchRejection(supergraphSdl)).toMatch(/A\.extra/);
  });

  it('rejects an open field that requires a field with `@auth`, which composition ignores', async () => {
    const protectedField = `${AUTH_HEAD}type Query { a: A } type A @key(fields: "id") { id: ID! owner: ID secret: String @auth(requires: ADMIN, orOwner: "owner") }`;
    const made = (rule: string) =>
      `${AUTH_HEAD}type A @key(fields: "id") { id: ID! owner: ID @external secret: String @external extra: String @requires(fields: "secret") ${rule} }`.replace(
        'owner: ID @external ',
        '',
      );
    expect(await catchRejection(composed(protectedField, made('')))).toMatch(/A\.extra/);
    expect(await catchRejection(composed(protectedField, made('@auth(requires: USER)')))).toMatch(/A\.extra/);
    expect(await catchRejection(composed(protectedField, made('@auth(requires: ADMIN, orOwner: "id")')))).toMatch(/A\.extra/);
    expect(await catchRejection(composed(protectedField, made('@auth(requires: ADMIN)')))).toBe('it is served');
    expect(await catchRejection(composed(protectedField, made('@auth(requires: ADMIN, orOwner: "owner")')))).toBe('it is served');
  });

  it('rejects an open field at the end of a chain', async () => {
    const first = `${AUTH_HEAD}type Query { a: A } type A @key(fields: "id") { id: ID! secret: String @auth(requires: ADMIN) }`;
    const second = `${AUTH_HEAD}type A @key(fields: "id") { id: ID! secret: String @external middle: String @requires(fields: "secret") @auth(requires: ADMIN) }`;
    const third = (rule: string) =>
      `${AUTH_HEAD}type A @key(fields: "id") { id: ID! middle: String @external last: String @requires(fields: "middle") ${rule} }`;
    expect(await catchRejection(composed(first, second, third('')))).toMatch(/A\.last/);
    expect(await catchRejection(composed(first, second, third('@auth(requires: ADMIN)')))).toBe('it is served');
  });

  it('rejects an open field that requires a protected object', async () => {
    const first = `${AUTH_HEAD}type Query { a: A } type A @key(fields: "id") { id: ID! inner: Inner } type Inner @auth(requires: ADMIN) { code: String }`;
    const second = `${AUTH_HEAD}type A @key(fields: "id") { id: ID! inner: Inner @external extra: String @requires(fields: "inner { code }") } type Inner { code: String @external }`;
    expect(await catchRejection(composed(first, second))).toMatch(/A\.extra/);
  });

  it('rejects an open field that takes a protected field from its context', async () => {
    const sdl = (rule: string) => `${AUTH_HEAD}type Query { a: A }
      type A @key(fields: "id") @context(name: "ctx") { id: ID! secret: String @auth(requires: ADMIN) inner: Inner }
      type Inner @key(fields: "id") { id: ID! made(value: String @fromContext(field: "$ctx { secret }")): String ${rule} }`;
    const other = `${HEAD}type Query { other: Int }`;
    expect(await catchRejection(composed(sdl(''), other))).toMatch(/Inner\.made/);
    expect(await catchRejection(composed(sdl('@auth(requires: ADMIN)'), other))).toBe('it is served');
  });
});

describe('federation 2.12: rules of fields that an @interfaceObject adds', () => {
  const base = TWO_TYPES('', '');
  const adding = `${HEAD}type Node @interfaceObject @key(fields: "id") { id: ID! extra: String @authenticated }`;
  const graph = build(base, adding);

  it.each([
    ['the interface', '{ nodes { id extra } }', ['nodes.0.extra', 'nodes.1.extra']],
    ['each type', '{ a { extra } b { extra } }', ['a.extra', 'b.extra']],
    ['fragments', '{ nodes { ... on A { extra } ...F } } fragment F on B { extra }', ['nodes.0.extra', 'nodes.1.extra']],
    ['a union', '{ any { ... on Node { extra } } }', ['any.0.extra', 'any.1.extra']],
  ])('deny an anonymous caller such a field when selected by %s', async (_how, text, positions) => {
    const { denials, leaks } = await request(graph, text);
    expect({ denials, leaks }).toEqual({ denials: positions.map((position) => `${position} UNAUTHENTICATED`), leaks: [] });
    expect((await request(graph, text, signedIn())).denials).toEqual([]);
  });

  it('deny it at a type when only the interface has the rule', async () => {
    const supergraphSdl = graph.supergraphSdl.replaceAll(/(extra: String) @authenticated( @join__field\s*$)/gm, '$1$2');
    const { leaks } = await request({ ...graph, supergraphSdl }, '{ a { extra } nodes { ... on B { extra } } }');
    expect(leaks).toEqual([]);
  });
});

describe('entity hops and unions: a field is guarded on every path to it', () => {
  const graph = build(
    `${HEAD}type Query { holder: Holder any: [Any] a: A } type Mutation { make: Made }
     type Made { a: A any: Any } union Any = A | B
     type Holder @key(fields: "id") { id: ID! a: A }
     type A @key(fields: "id") { id: ID! open: String } type B { id: ID! }`,
    `${HEAD}type A @key(fields: "id") { id: ID! secret: String @authenticated }`,
  );

  it.each([
    ['a root field', '{ a { secret } }', 'a.secret'],
    ['another entity', '{ holder { a { id secret open } } }', 'holder.a.secret'],
    ['a union', '{ any { ... on A { secret } } }', 'any.0.secret'],
    ['the payload of a mutation', 'mutation { make { a { secret } } }', 'make.a.secret'],
    ['a union in the payload of a mutation', 'mutation { make { any { ... on A { secret } } } }', 'make.any.secret'],
  ])('denies an anonymous caller a protected field reached by %s', async (_how, text, position) => {
    const { denials, leaks } = await request(graph, text);
    expect({ denials, leaks }).toEqual({ denials: [`${position} UNAUTHENTICATED`], leaks: [] });
  });

  it.each([
    ['_entities', '{ _entities(representations: [{ __typename: "A", id: "a" }]) { ... on A { secret } } }'],
    ['_service', '{ _service { sdl } }'],
  ])('clients cannot query %s', async (_name, text) => {
    await using gateway = await startGuardedGateway(graph);
    await expect(queryInProcess(gateway)({ text, variables: {} }, { name: '', principal: signedIn() })).rejects.toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
  });
});

describe('federation 2.12: rules of one field in two subgraphs', () => {
  const subgraph = (rule: string) =>
    `${HEAD}type Query { a: A @shareable } type A @key(fields: "id") { id: ID! secret: String @shareable ${rule} }`;
  const [first, second] = [subgraph('@requiresScopes(scopes: [["x"]])'), subgraph('@requiresScopes(scopes: [["y"]])')];

  it.each<[string, readonly string[]]>([
    ['one after the other', [first, second]],
    ['in the opposite order', [second, first]],
  ])('different scopes, %s, are both required', async (_order, texts) => {
    const graph = build(...texts);
    for (const scopes of [[], ['x'], ['y']]) {
      const { denials } = await request(graph, '{ a { secret } }', signedIn(...scopes));
      expect(denials).toEqual(['a.secret FORBIDDEN']);
    }
    expect((await request(graph, '{ a { secret } }', signedIn('x', 'y'))).denials).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['in the first subgraph', [subgraph('@authenticated'), subgraph('')]],
    ['in the second subgraph', [subgraph(''), subgraph('@authenticated')]],
  ])('a rule only %s guards the field of both', async (_order, texts) => {
    expect((await request(build(...texts), '{ a { secret } }')).denials).toEqual(['a.secret UNAUTHENTICATED']);
  });

  const guarded = (rule: string, ofType = ''): string =>
    `${AUTH_HEAD}type Query { a: A @shareable } type A @key(fields: "id") ${ofType} { id: ID! secret: String @shareable ${rule} }`;

  // Composition itself uses the first of them and only adds a hint.
  it.each<[string, readonly string[]]>([
    ['the stricter one last', [guarded('@auth(requires: USER)'), guarded('@auth(requires: ADMIN)')]],
    ['the stricter one first', [guarded('@auth(requires: ADMIN)'), guarded('@auth(requires: USER)')]],
    ['one with owners', [guarded('@auth(requires: ADMIN)'), guarded('@auth(requires: ADMIN, orOwner: "id")')]],
    ['at a type', [guarded('', '@auth(requires: USER)'), guarded('', '@auth(requires: ADMIN)')]],
  ])('composition rejects different `@auth` rules, %s', (_order, texts) => {
    const { errors = [] } = composeSubgraphs(sourcesOf(texts));
    expect(errors.map(({ code }) => code)).toEqual(['CONFLICTING_RULES']);
    expect(errors[0]?.message).toMatch(/@auth.*"A/);
  });

  it.each<[string, readonly string[]]>([
    ['first', [guarded('@auth(requires: ADMIN)'), guarded('')]],
    ['last', [guarded(''), guarded('@auth(requires: ADMIN)')]],
  ])('`@auth` in one subgraph, %s, guards the field of both', async (_order, texts) => {
    expect((await request(build(...texts), '{ a { secret } }', signedIn())).denials).toEqual(['a.secret FORBIDDEN']);
  });
});
