import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type GraphQLSchema, introspectionFromSchema, isAbstractType, isCompositeType, isUnionType, parse, printSchema } from 'graphql';
import { createIndexes } from '../../../../gateway/planning/indexing/create-indexes.ts';
import { decodeServingIndex, encodeIndexes } from '../../../../gateway/planning/indexing/encode-indexes.ts';
import { validateDocument } from '../../../../gateway/operation/validation/validate-document.ts';
import { runSteps } from '../../../../gateway/platform/run-steps.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { createOwnersOf } from '../../../../gateway/supergraph/owners-of.ts';
import { SchemaOnDemand } from '../../../../gateway/supergraph/schema-on-demand.ts';
import { type UsableSupergraph, serveIndexed } from '../../../../gateway/supergraph/usable-supergraph.ts';
import { SIZES, writeLargeSupergraph } from '../../../../bench/scale/large-supergraph.ts';
import { buildFederation } from '../../../differential/federation/build-federation.ts';
import { buildRandomFederation } from '../../../differential/random-federation/build-random-federation.ts';
import { generateSubgraphs } from '../../../differential/random-federation/generate-subgraphs.ts';
import { storefrontSdl } from '../../../fixtures/storefront/storefront.ts';

const FIRST_SEED = Number(process.env['SCHEMA_ON_DEMAND_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const GRAPHS = 10;

/** Serves a supergraph with an index that was sent between threads. */
function serve(sdl: string, { isWhole = false } = {}): UsableSupergraph {
  const index = createIndexes(sdl, { hasAuthentication: true });
  if (index === undefined) throw new Error('The supergraph has no index.');
  return runSteps(serveIndexed(sdl, decodeServingIndex(encodeIndexes(index)), isWhole));
}

function large(): string {
  const size = SIZES.find(({ name }) => name === 's10');
  if (size === undefined) throw new Error('There is no such size.');
  return writeLargeSupergraph({ ...size, entities: 150 }, (index) => `http://s${index}.invalid`);
}

const UNUSUAL = `schema
  @link(url: "https://specs.apollo.dev/link/v1.0")
  @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
  @link(url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY)
{
  query: Start
  mutation: Change
}
directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet, type: String, external: Boolean, override: String, usedOverridden: Boolean) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
directive @join__graph(name: String!, url: String!) on ENUM_VALUE
directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
directive @join__type(graph: join__Graph!, key: join__FieldSet, extension: Boolean! = false, resolvable: Boolean! = true, isInterfaceObject: Boolean! = false) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
directive @join__unionMember(graph: join__Graph!, member: String!) repeatable on UNION
directive @join__enumValue(graph: join__Graph!) repeatable on ENUM_VALUE
directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
directive @inaccessible on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION
"Changes the text."
directive @transform(from: Filter = { text: "a" }, to: String! = "b") repeatable on FIELD | QUERY
scalar join__FieldSet
scalar link__Import
enum link__Purpose { SECURITY EXECUTION }
enum join__Graph { A @join__graph(name: "a", url: "http://a.invalid") }
"""
A "moment" in time
"""
scalar Moment @join__type(graph: A) @specifiedBy(url: "https://moment.invalid")
scalar Secret @join__type(graph: A) @inaccessible
"Levels" enum Level @join__type(graph: A) {
  "low" LOW @join__enumValue(graph: A)
  HIGH @join__enumValue(graph: A) @deprecated(reason: "Too high.")
  HIDDEN @join__enumValue(graph: A) @inaccessible
}
input Filter @join__type(graph: A) {
  "The text"
  text: String = "x"
  level: [Level!]! = [LOW]
  inner: Filter
  old: Int @deprecated
  secret: Secret @inaccessible
}
interface Named @join__type(graph: A) { name: String }
"Has an id" interface Node implements Named @join__implements(graph: A, interface: "Named") @join__type(graph: A) { id: ID! name: String }
interface Hidden @join__type(graph: A) @inaccessible { secret: Secret }
"A thing # } {"
type Thing implements Node & Named & Hidden
  @join__implements(graph: A, interface: "Node") @join__implements(graph: A, interface: "Named") @join__implements(graph: A, interface: "Hidden")
  @join__type(graph: A, key: "id") {
  id: ID!
  "Its name }" name(filter: Filter = { level: [HIGH] }, at: Moment, hidden: Secret @inaccessible): String
  secret: Secret @inaccessible
  old: [Level!] @deprecated(reason: "Use new.")
}
type Invisible @join__type(graph: A) @inaccessible { id: ID }
type Alone @join__type(graph: A) { rate: Float }
union Any @join__type(graph: A) @join__unionMember(graph: A, member: "Thing") @join__unionMember(graph: A, member: "Invisible") = Thing | Invisible | Alone
type Start @join__type(graph: A) { node(id: ID!): Node any: [Any] ${Array.from({ length: 400 }, (_, index) => `"Field ${index} {" field${index}(a: Int = 1): Thing\n`).join('')} }
type Change @join__type(graph: A) { change(filter: Filter!): [Thing!] }
# The end { }
`;

const GRAPHS_BY_NAME: readonly (readonly [string, string])[] = [
  ['the storefront', storefrontSdl()],
  ['the reference graph', readFileSync('schema/supergraph.graphql', 'utf8')],
  ['the difficult graph', buildFederation().supergraphSdl],
  ['a graph with long types', large()],
  ['a graph with unusual elements', UNUSUAL],
];

const OPTIONS = { inputValueDeprecation: true, schemaDescription: true, directiveIsRepeatable: true, specifiedByUrl: true, oneOf: true };

function subTypesOf(schema: GraphQLSchema): readonly string[] {
  const types = Object.values(schema.getTypeMap());
  return types.filter(isAbstractType).flatMap((abstract) => {
    const possible = schema.getPossibleTypes(abstract).map(({ name }) => name);
    const below = types.filter((type) => isCompositeType(type) && !isUnionType(type) && schema.isSubType(abstract, type));
    return [`${abstract.name}: ${possible.join()}`, `${abstract.name} > ${below.map(({ name }) => name).join()}`];
  });
}

function errorsOf(schema: GraphQLSchema, document: string): unknown {
  try {
    validateDocument(schema, parse(document), { maxErrors: 20, hideSuggestions: false });
    return 'valid';
  } catch (error) {
    return error;
  }
}

describe('SchemaOnDemand', () => {
  it.each(GRAPHS_BY_NAME)('has the same elements as the whole schema of %s', (_name, sdl) => {
    const [{ schema }, { schema: whole }] = [serve(sdl), loadSupergraph(sdl)];
    expect(schema).toBeInstanceOf(SchemaOnDemand);
    expect(printSchema(schema)).toBe(printSchema(whole));
    expect(introspectionFromSchema(schema, OPTIONS)).toEqual(introspectionFromSchema(whole, OPTIONS));
    expect(subTypesOf(schema)).toEqual(subTypesOf(whole));
  });

  it.each(GRAPHS_BY_NAME)('has the same elements when all of %s was created before', (_name, sdl) => {
    expect(introspectionFromSchema(serve(sdl, { isWhole: true }).schema, OPTIONS)).toEqual(
      introspectionFromSchema(loadSupergraph(sdl).schema, OPTIONS),
    );
  });

  it(`agrees with the whole schema of random supergraphs, seed ${FIRST_SEED} (SCHEMA_ON_DEMAND_SEED)`, () => {
    let compared = 0;
    for (let seed = FIRST_SEED; compared < GRAPHS; seed += 1) {
      const federation = buildRandomFederation(generateSubgraphs(seed), seed);
      if ('reasons' in federation) continue;
      const sdl = federation.supergraphSdl;
      expect({ seed, schema: printSchema(serve(sdl).schema) }).toEqual({ seed, schema: printSchema(loadSupergraph(sdl).schema) });
      compared += 1;
    }
  });

  it.each([
    ['an unknown field of a long type', '{ feild1 { id } }'],
    ['an unknown type', '{ any { ... on Thong { id } ... on Secret { id } } }'],
    ['a hidden type', 'query ($a: Secret) { any { ... on Invisible { id } } }'],
    ['a type of GraphQL that the graph does not use', 'query ($a: Boolean, $b: Float, $c: Nothing) { field1(a: $b) { id } }'],
    ['a hidden field, argument and value', '{ field2 { secret name(hidden: 1, filter: { level: [HIDDEN], secret: 1 }) } }'],
    ['a fragment on a type that is not possible', '{ node(id: 1) { ... on Alone { rate } ... on Named { name } } }'],
    ['an unknown directive and argument', '{ field3(b: 1) @unknown @transform(form: 1) { id } }'],
    [
      'a valid operation',
      '{ field399(a: 2) { id name(filter: { text: "b" }) } any { ... on Node { id } } node(id: 1) { name @transform } }',
    ],
  ])('rejects %s like the whole schema', (_name, document) => {
    expect(errorsOf(serve(UNUSUAL).schema, document)).toEqual(errorsOf(loadSupergraph(UNUSUAL).schema, document));
  });
});

/** Graphs without connectors, which are expanded before the supergraph has an index. */
const INDEXED = GRAPHS_BY_NAME.filter(([name]) => name !== 'the reference graph');

describe('serveIndexed', () => {
  it.each(INDEXED)('returns the same data as the whole supergraph of %s', (_name, sdl) => {
    const { id, subgraphs, authorization, creatorGrants, cacheHints, costRules } = serve(sdl);
    const whole = loadSupergraph(sdl);
    expect({ id, subgraphs, authorization, creatorGrants, cacheHints, costRules }).toEqual({
      id: whole.id,
      subgraphs: whole.subgraphs,
      authorization: whole.authorization,
      creatorGrants: whole.creatorGrants,
      cacheHints: whole.cacheHints,
      costRules: whole.costRules,
    });
  });

  it.each(INDEXED)('finds the same owners of fields as the whole graph of %s', (_name, sdl) => {
    const [served, { graph, schema }] = [serve(sdl), loadSupergraph(sdl)];
    const [ownersOf, expected] = [createOwnersOf(served.graph), createOwnersOf(graph)];
    const visible = [...graph.types.values()].filter(({ name }) => schema.getType(name) !== undefined);
    for (const { name, fields } of visible.slice(0, 60)) {
      for (const field of fields.keys()) {
        expect([name, field, ownersOf(name, field)]).toEqual([name, field, expected(name, field)]);
      }
    }
    expect(ownersOf('Nothing', 'nothing')).toEqual(new Set());
  });

  it('has no index for a supergraph that extends types, because a type then has several positions', () => {
    const sdl = `${storefrontSdl()}\nextend type Account { more: Int @join__field(graph: ACCOUNTS) }\n`;
    expect(createIndexes(sdl, { hasAuthentication: true })).toBeUndefined();
  });
});
