import { type DefinitionNode, type GraphQLSchema, isInterfaceType, isObjectType, Kind } from 'graphql';
import { readFeatures } from '../directives/read-features.ts';
import { inaccessibleIn } from './build-public-schema.ts';
import { readFieldPositions } from './field-positions.ts';
import { readListOwners } from './list-owners.ts';
import type { LoadedSupergraph, PositionedSupergraph } from './load-supergraph.ts';
import { type SupergraphLabels, readOverrideLabels } from './supergraph-labels.ts';
import { type NamedRanges, packRanges, type TextRange } from './text-ranges.ts';

/** Names of the types that implement an interface. */
export interface ImplementationNames {
  readonly objects: readonly string[];
  readonly interfaces: readonly string[];
}

/**
 * Everything that the thread that serves requests needs to know of a supergraph, as data that can be sent between threads. The types of the
 * public schema are positions in the text, from which they are created when they are used.
 */
export interface SupergraphIndex
  extends Pick<LoadedSupergraph, 'id' | 'subgraphs' | 'authorization' | 'creatorGrants' | 'cacheHints' | 'costRules'> {
  /** Description of the public schema. */
  readonly description?: string;
  /** Names of the root types of the public schema. */
  readonly roots: Readonly<Partial<Record<'query' | 'mutation' | 'subscription', string>>>;
  /** Types of the public schema, in its order. Types of GraphQL itself have no position. */
  readonly types: NamedRanges;
  /** Fields of the object types that have a long definition, by the name of the type. */
  readonly fields: ReadonlyMap<string, NamedRanges>;
  /** Names of the types that are neither objects nor interfaces. */
  readonly others: readonly string[];
  /** Directives of the public schema, in its order. Directives of GraphQL itself have no position. */
  readonly directives: NamedRanges;
  readonly implementations: ReadonlyMap<string, ImplementationNames>;
  /** Positions of the definitions that describe the subgraphs: of the schema and of `join__Graph`. */
  readonly subgraphDefinitions: readonly TextRange[];
  /** Names of the directives that remove an element from the public schema. */
  readonly inaccessible: readonly string[];
  /** Types with lists of a type, by the name of that type. */
  readonly listOwners: ReadonlyMap<string, readonly string[]>;
  readonly overrideLabels: SupergraphLabels;
}

/** Creates the index of a supergraph. Returns undefined when it extends types, because a type then has several positions. */
export function indexSupergraph(sdl: string, { loaded, document, positions }: PositionedSupergraph): SupergraphIndex | undefined {
  const { definitions } = document;
  if (positions.length !== definitions.length * 2 || definitions.some(isExtension)) return undefined;
  const { id, schema, subgraphs, authorization, creatorGrants, cacheHints, costRules } = loaded;
  const rangeAt = (index: number): TextRange => ({ start: positions[index * 2] ?? 0, end: positions[index * 2 + 1] ?? 0 });
  const types = new Map<string, TextRange>();
  const directives = new Map<string, TextRange>();
  const subgraphDefinitions: TextRange[] = [];
  for (const [index, definition] of definitions.entries()) {
    if (describesSubgraphs(definition)) subgraphDefinitions.push(rangeAt(index));
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) directives.set(definition.name.value, rangeAt(index));
    else if ('name' in definition && definition.name !== undefined) types.set(definition.name.value, rangeAt(index));
  }
  return {
    id,
    subgraphs,
    authorization,
    creatorGrants,
    cacheHints,
    costRules,
    ...(typeof schema.description === 'string' ? { description: schema.description } : {}),
    roots: rootNamesOf(schema),
    types: packRanges(Object.keys(schema.getTypeMap()).map((name) => [name, types.get(name)])),
    fields: fieldsOfLongTypes(sdl, schema, types),
    others: Object.values(schema.getTypeMap()).flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? [] : type.name)),
    directives: packRanges(schema.getDirectives().map(({ name }) => [name, directives.get(name)])),
    implementations: implementationsIn(schema),
    subgraphDefinitions,
    inaccessible: [...inaccessibleIn(readFeatures(document))],
    listOwners: schema.getMutationType() ? readListOwners(schema) : new Map(),
    overrideLabels: readOverrideLabels(sdl, document),
  };
}

function isExtension({ kind }: DefinitionNode): boolean {
  return kind.endsWith('Extension') && kind !== Kind.SCHEMA_EXTENSION;
}

function describesSubgraphs(definition: DefinitionNode): boolean {
  if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) return true;
  return definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value.endsWith('__Graph');
}

function rootNamesOf(schema: GraphQLSchema): SupergraphIndex['roots'] {
  const [query, mutation, subscription] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return {
    ...(query ? { query: query.name } : {}),
    ...(mutation ? { mutation: mutation.name } : {}),
    ...(subscription ? { subscription: subscription.name } : {}),
  };
}

function implementationsIn(schema: GraphQLSchema): ReadonlyMap<string, ImplementationNames> {
  const found = new Map<string, ImplementationNames>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInterfaceType(type)) continue;
    const { objects, interfaces } = schema.getImplementations(type);
    found.set(type.name, { objects: objects.map(({ name }) => name), interfaces: interfaces.map(({ name }) => name) });
  }
  return found;
}

/** Length from which the fields of a type have positions, so that they are created one by one. @unit UTF-16 code units */
const LONG = 8_192;

function fieldsOfLongTypes(sdl: string, schema: GraphQLSchema, types: ReadonlyMap<string, TextRange>): SupergraphIndex['fields'] {
  const found = new Map<string, NamedRanges>();
  for (const [name, { start, end }] of types) {
    const type = schema.getType(name);
    if (end - start < LONG || !isObjectType(type)) continue;
    const positions = readFieldPositions(sdl.slice(start, end), start);
    found.set(name, packRanges(Object.keys(type.getFields()).map((field) => [field, positions.get(field)])));
  }
  return found;
}
