import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createIndexes } from '../../../../gateway/planning/indexing/create-indexes.ts';
import { decodePlanningIndex, encodeIndexes } from '../../../../gateway/planning/indexing/encode-indexes.ts';
import { createQueryPlanner } from '../../../../gateway/planning/create-query-planner.ts';
import { createSuffixOf, createSuffixTable } from '../../../../gateway/planning/data-key-registry.ts';
import { type PlannedSupergraph, planIndexed } from '../../../../gateway/planning/planning-index.ts';
import type { FederatedType, WholeGraph } from '../../../../gateway/supergraph/federated-graph.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { readFederatedGraph } from '../../../../gateway/supergraph/read-federated-graph.ts';
import { SIZES, writeLargeSupergraph } from '../../../../bench/scale/large-supergraph.ts';
import { buildFederation } from '../../../differential/federation/build-federation.ts';
import { buildRandomFederation } from '../../../differential/random-federation/build-random-federation.ts';
import { generateSubgraphs } from '../../../differential/random-federation/generate-subgraphs.ts';
import { storefrontSdl } from '../../../fixtures/storefront/storefront.ts';
import { compose, planWith } from '../../../support/planning/plan-text.ts';

const FIRST_SEED = Number(process.env['GRAPH_ON_DEMAND_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const GRAPHS = 15;

/** Length from which the fields of a type are read one by one. @unit UTF-16 code units */
const LONG = 8_192;

/** Reads a supergraph on demand, with an index that was sent between threads. */
function onDemand(sdl: string): PlannedSupergraph {
  const indexes = createIndexes(sdl, { hasAuthentication: true });
  if (indexes === undefined) throw new Error('The supergraph has no index.');
  return planIndexed(sdl, decodePlanningIndex(encodeIndexes(indexes).planning));
}

function plain(type: FederatedType | undefined): unknown {
  if (type === undefined) return undefined;
  const { fields } = type;
  expect([...fields.values()].map(({ name }) => name)).toEqual([...fields.keys()]);
  return { ...type, fields: [...fields.keys()].map((name) => [name, fields.has(name), fields.get(name)]) };
}

/** Asserts that a graph on demand equals the whole graph. @returns the whole graph */
function expectEqual(sdl: string): WholeGraph {
  const whole = readFederatedGraph(sdl);
  const { graph, suffixOf } = onDemand(sdl);
  const expectedSuffixOf = createSuffixOf(createSuffixTable(whole));
  for (const [name, type] of whole.types) {
    expect(graph.types.has(name)).toBe(true);
    expect(plain(graph.types.get(name))).toEqual(plain(type));
    for (const field of type.fields.keys())
      expect([name, field, suffixOf(name, field)]).toEqual([name, field, expectedSuffixOf(name, field)]);
  }
  const { subgraphs, roots, numberedNames, contextFields } = whole;
  expect(graph).toMatchObject({ subgraphs, roots, numberedNames, contextFields });
  return whole;
}

/** Writes a supergraph. @param types types that use a subgraph A with the address a.invalid, and one B */
function supergraph(types: string, { version = 'v0.5', schema = '{ query: Query }', more = '' } = {}): string {
  return `schema
  @link(url: "https://specs.apollo.dev/link/v1.0")
  @link(url: "https://specs.apollo.dev/join/${version}", for: EXECUTION)
  @link(url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY) ${more}
${schema}
directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet, type: String, external: Boolean, override: String, usedOverridden: Boolean, overrideLabel: String, contextArguments: [join__ContextArgument!]) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
directive @join__graph(name: String!, url: String!) on ENUM_VALUE
directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
directive @join__type(graph: join__Graph!, key: join__FieldSet, extension: Boolean! = false, resolvable: Boolean! = true, isInterfaceObject: Boolean! = false) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
directive @join__unionMember(graph: join__Graph!, member: String!) repeatable on UNION
directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
directive @inaccessible on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION
input join__ContextArgument { name: String! type: String! context: String! selection: String! }
scalar join__FieldSet
scalar link__Import
enum link__Purpose { SECURITY EXECUTION }
enum join__Graph { A @join__graph(name: "a", url: "http://a.invalid") B @join__graph(name: "b", url: "http://b.invalid") }
${types}`;
}

const QUERY = 'type Query @join__type(graph: A) { a: Int }';

/** Writes many fields, so that a type is long. */
function fieldsLike(write: (index: number) => string, count = 400): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('\n');
}

const DIFFICULT = supergraph(`
"""
A type } with { braces, "quotes" and \\""" escapes \\\\
"""
type Query implements Short & constructor @join__type(graph: A) @join__type(graph: B)
  @join__implements(graph: A, interface: "Short") @join__implements(graph: B, interface: "constructor")
# A comment { type Other {
{ # Another comment }
  # Before the first field: "
  "The first } 🜁 𝒜" constructor(toString: String = "}" hasOwnProperty: [Int!]! = [1, 2]): [constructor!] @join__field(graph: A)
  id: ID!
  ${fieldsLike((index) => `"""\n  Field ${index}: { } # " 🜂\n  """\n  field${index} # : {\n  (a: Int = ${index}, # )\n b: String = "\\"}"): Long @join__field(graph: ${index % 2 === 0 ? 'A' : 'B'}) # end }`)}
  last_0: Int, last__1: Int @inaccessible , comma: Int
}
interface Node @join__type(graph: A) @join__type(graph: B, isInterfaceObject: true, key: "id") { id: ID! ${fieldsLike((index) => `more${index}: Int @join__field(graph: B)`)} }
interface Short @join__type(graph: A) { id: ID! }
interface constructor @join__type(graph: B) { constructor(toString: String = "}" hasOwnProperty: [Int!]! = [1, 2]): [constructor!] }
type Long implements Node
  @join__implements(graph: A, interface: "Node") @join__type(graph: A, key: "id") @join__type(graph: B, key: "id constructor { toString }", resolvable: false)
  ${fieldsLike(() => '@join__type(graph: A, key: "id")', 300)}
{ id: ID! ${fieldsLike((index) => `more${index}: Int @join__field(graph: B)`)} toString: valueOf @inaccessible }
type valueOf @join__type(graph: B) @inaccessible { toString: String }
type Hidden implements Node @join__implements(graph: A, interface: "Node") @join__type(graph: A) @inaccessible { id: ID! ${fieldsLike((index) => `more${index}: Int`)} }
union Any @join__type(graph: A) @join__unionMember(graph: A, member: "Long") @join__unionMember(graph: B, member: "valueOf") = Long | valueOf | Hidden
union Every @join__type(graph: A) = | Long | Query
input Filter @join__type(graph: A) { ${fieldsLike((index) => `"{" input${index}: [Int] = [ 1, 2 ]`, 900)} }
enum Level @join__type(graph: A) { ${fieldsLike((index) => `"}" LEVEL_${index}`, 900)} }
# The end { }`);

const RENAMED = `schema
  @link(url: "https://specs.apollo.dev/link/v1.0")
  @link(url: "https://specs.apollo.dev/join/v0.3", as: "j", for: EXECUTION, import: [{ name: "@type", as: "@on" }, { name: "@implements", as: "@is" }])
  @link(url: "https://specs.apollo.dev/inaccessible/v0.2", as: "hidden", for: SECURITY)
{ query: Start }
directive @j__field(graph: j__Graph, requires: j__FieldSet, external: Boolean) repeatable on FIELD_DEFINITION
directive @j__graph(name: String!, url: String!) on ENUM_VALUE
directive @is(graph: j__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
directive @on(graph: j__Graph!, key: j__FieldSet, isInterfaceObject: Boolean) repeatable on OBJECT | INTERFACE | UNION
directive @j__unionMember(graph: j__Graph!, member: String!) repeatable on UNION
directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
directive @hidden on OBJECT | FIELD_DEFINITION
scalar j__FieldSet
scalar link__Import
enum link__Purpose { SECURITY EXECUTION }
enum j__Graph { A @j__graph(name: "a", url: "http://a.invalid") B @j__graph(name: "b", url: "http://b.invalid") }
type Start @on(graph: A) @on(graph: B) { node: Node @j__field(graph: A) any: U @j__field(graph: B) }
interface Node @on(graph: A) @on(graph: B) { id: ID! }
type X implements Node @is(graph: A, interface: "Node") @on(graph: A, key: "id") @on(graph: B, key: "id") { id: ID! a: Int @j__field(graph: A, requires: "b") b: Int @j__field(graph: B) @j__field(graph: A, external: true) }
type Y implements Node @is(graph: B, interface: "Node") @on(graph: B) @hidden { id: ID! }
union U @on(graph: B) @j__unionMember(graph: B, member: "X") @j__unionMember(graph: B, member: "Y") = X | Y
`;

const FIRST_FEDERATION = `schema @core(feature: "https://specs.apollo.dev/core/v0.2") @core(feature: "https://specs.apollo.dev/join/v0.1", for: EXECUTION) { query: Query }
directive @core(feature: String!, as: String, for: core__Purpose) repeatable on SCHEMA
directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet) on FIELD_DEFINITION
directive @join__type(graph: join__Graph!, key: join__FieldSet) repeatable on OBJECT | INTERFACE
directive @join__owner(graph: join__Graph!) on OBJECT | INTERFACE
directive @join__graph(name: String!, url: String!) on ENUM_VALUE
enum core__Purpose { EXECUTION SECURITY }
scalar join__FieldSet
enum join__Graph { A @join__graph(url: "http://a.invalid", name: "a") B @join__graph(name: "b" url: "http://b.invalid") }
type Query { me: Account @join__field(graph: A) product: Product @join__field(graph: B) }
interface Named { name: String! }
type Account implements Named @join__owner(graph: A) @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
  id: ID! @join__field(graph: A)
  name: String! @join__field(graph: A)
  score: Int @join__field(graph: B, requires: "name")
}
type Product @join__owner(graph: B) @join__type(graph: B, key: "{ upc }") { upc: ID! @join__field(graph: B) seller: Account @join__field(graph: B, provides: "name") ${fieldsLike((index) => `field${index}: Int @join__field(graph: B)`)} }
`;

const CONTEXTS = compose({
  a: `type Query { user: User }
    type User @key(fields: "id") @context(name: "user") { id: ID! currency: String! address: Address! }
    type Address @key(fields: "id") { id: ID! price(unit: String @fromContext(field: "$user { currency }")): Int! }`,
  b: `type Query { other: User }
    type User @key(fields: "id") { id: ID! name: String @override(from: "c", label: "percent(10)") }`,
  c: 'type User @key(fields: "id") { id: ID! name: String }',
});

function large(): string {
  const size = SIZES.find(({ name }) => name === 's10');
  if (size === undefined) throw new Error('There is no such size.');
  return writeLargeSupergraph({ ...size, entities: 150 }, (index) => `http://s${index}.invalid`);
}

const GRAPHS_BY_NAME: readonly (readonly [string, string])[] = [
  ['the storefront', storefrontSdl()],
  ['the reference graph, whose connectors have been expanded', loadSupergraph(readFileSync('schema/supergraph.graphql', 'utf8')).sdl],
  ['the difficult federation', buildFederation().supergraphSdl],
  ['a large graph', large()],
  ['a graph with difficult texts', DIFFICULT],
  ['the same graph with Windows line ends and a byte order mark', `\uFEFF${DIFFICULT.replaceAll('\n', '\r\n')}`],
  ['a graph with contexts and progressive overrides', CONTEXTS],
  ['a graph of the first federation', FIRST_FEDERATION],
  ['a graph with renamed directives', RENAMED],
  ...['v0.2', 'v0.3', 'v0.4', 'v0.5'].map((version) => [`a graph with join ${version}`, supergraph(QUERY, { version })] as const),
  ['a graph with a long type without fields', supergraph(`${QUERY} type Empty ${'@join__type(graph: A) '.repeat(500)} @inaccessible`)],
  ['a graph with an extended schema', `${supergraph(QUERY)}\nextend schema @link(url: "https://example.com/other/v1.0")`],
  [
    'a graph whose first definition is a long type',
    supergraph(`type Long @join__type(graph: A) { ${fieldsLike((index) => `f${index}: Int`, 900)} } ${QUERY}`),
  ],
];

describe('a graph on demand', () => {
  it.each(GRAPHS_BY_NAME)('equals the whole graph of %s', (_name, sdl) => {
    expectEqual(sdl);
  });

  it('has no other types', () => {
    const { types } = onDemand(DIFFICULT).graph;
    for (const name of ['Filter', 'Level', 'join__Graph', 'String', 'toString', '__proto__', '', ' ']) {
      expect([name, types.has(name), types.get(name)]).toEqual([name, false, undefined]);
    }
    const fields = types.get('Query')?.fields;
    for (const name of ['__proto__', 'toString', 'hasOwnProperty', '']) {
      expect([name, fields?.has(name), fields?.get(name)]).toEqual([name, false, undefined]);
    }
  });

  it('has the fields that a long type, an interface object and a hidden type have', () => {
    const { types } = onDemand(DIFFICULT).graph;
    expect(DIFFICULT.length).toBeGreaterThan(4 * LONG);
    expect(types.get('Query')?.fields.get('constructor')).toMatchObject({ type: '[constructor!]', namedType: 'constructor' });
    expect([...(types.get('Query')?.fields.get('field7')?.subgraphs.keys() ?? [])]).toEqual(['b']);
    expect(types.get('Node')?.subgraphs.get('b')).toMatchObject({ isInterfaceObject: true });
    expect([...(types.get('Node')?.possibleTypes ?? [])]).toEqual(['Long', 'Hidden']);
    expect([...(types.get('Node')?.publicTypes ?? [])]).toEqual(['Long']);
    expect(types.get('valueOf')?.fields.get('toString')?.type).toBe('String');
  });

  it('reads each type and each field once', () => {
    const { types } = onDemand(DIFFICULT).graph;
    expect(types.get('Query')).toBe(types.get('Query'));
    expect(types.get('Query')?.fields.get('field1')).toBe(types.get('Query')?.fields.get('field1'));
  });

  it(`equals the whole graph of random federations, seed ${FIRST_SEED} (GRAPH_ON_DEMAND_SEED)`, () => {
    let compared = 0;
    for (let seed = FIRST_SEED; compared < GRAPHS; seed += 1) {
      const federation = buildRandomFederation(generateSubgraphs(seed), seed);
      if ('reasons' in federation) continue;
      expectEqual(federation.supergraphSdl);
      compared += 1;
    }
  });
});

describe('names that a planner generates', () => {
  it('are not names of fields that end in the same way', () => {
    const plan = planWith(
      createQueryPlanner(
        compose({
          a: `type Query { item(id: ID): Int item_0: Int item_1: Int any: [Any!] }
            union Any = Cat | Dog | Bird
            type Cat { name: String name__1: Int }
            type Dog { name: String! }
            type Bird { name: [String] }`,
        }),
      ),
    );
    expect(plan('{ item(id: 1) item_0 item_1 }')).toEqual(['0 a: { item_2: item(id:1) item_0 item_1 }']);
    const [line = ''] = plan('{ any { ... on Cat { name name__1 } ... on Dog { name } ... on Bird { name } } }');
    const keys = [...line.matchAll(/(?<key>\w+): name/g)].map(({ groups }) => groups?.['key']);
    expect(keys).toHaveLength(2);
    expect(keys).not.toContain('name__1');
    expect(new Set(keys).size).toBe(2);
  });

  it.each([
    ['a number and a suffix', '{ any { ... on Cat { price(c: 1) price_0__1 } ... on Dog { price(c: 1) price_0__1 } } }'],
    ['a suffix that another field would get with a number', '{ any { ... on Cat { a } ... on Dog { a b: a_(x: 1) c: a_(x: 2) } } }'],
  ])('differ for fields of one name with different types when another field ends in %s', (_name, document) => {
    const plan = planWith(
      createQueryPlanner(
        compose({
          a: `type Query { any: [Any!] }
            union Any = Cat | Dog
            type Cat { price(c: Int): Int price_0__1: Int a(x: Int): String a_(x: Int): Int }
            type Dog { price(c: Int): [Int] price_0__1: Int a(x: Int): Int a_(x: Int): Int }`,
        }),
      ),
    );
    const [line = ''] = plan(document);
    const keys = [...line.matchAll(/(?<key>\w+): (?<field>\w+)/g)].map(({ groups }) => groups?.['key']);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(1);
    expect(keys).not.toContain('price_0__1');
  });
});
