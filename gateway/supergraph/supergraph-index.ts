import { type DocumentNode, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { readFeatures } from '../directives/read-features.ts';
import { inaccessibleIn } from './build-public-schema.ts';
import type { DefinitionRanges } from './definition-ranges.ts';
import type { WholeGraph } from './federated-graph.ts';
import type { GraphIndex } from './graph-on-demand.ts';
import { readGraphOutline } from './graph-outline.ts';
import { readListOwners } from './list-owners.ts';
import type { LoadedSupergraph, PositionedSupergraph } from './load-supergraph.ts';
import { type SupergraphLabels, readOverrideLabels } from './supergraph-labels.ts';
import { type NamedRanges, packRanges } from './text-ranges.ts';

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
  /** Names of the directives that remove an element from the public schema. */
  readonly inaccessible: readonly string[];
  /** Types with lists of a type, by the name of that type. */
  readonly listOwners: ReadonlyMap<string, readonly string[]>;
  readonly overrideLabels: SupergraphLabels;
  readonly graph: GraphIndex;
}

/** Creates the index of a supergraph. @param ranges positions in its text */
export function indexSupergraph(sdl: string, { loaded, document }: PositionedSupergraph, ranges: DefinitionRanges): SupergraphIndex {
  const { types, fields, directives } = ranges;
  const { id, schema, subgraphs, authorization, creatorGrants, cacheHints, costRules } = loaded;
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
    fields: publicFields(schema, fields),
    others: Object.values(schema.getTypeMap()).flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? [] : type.name)),
    directives: packRanges(schema.getDirectives().map(({ name }) => [name, directives.get(name)])),
    implementations: implementationsIn(schema),
    inaccessible: [...inaccessibleIn(readFeatures(document))],
    listOwners: schema.getMutationType() ? readListOwners(schema) : new Map(),
    overrideLabels: readOverrideLabels(sdl, document),
    graph: indexGraph(loaded.graph, document, ranges),
  };
}

/** Creates the index of the graph of a supergraph. @param ranges positions in its text */
export function indexGraph(graph: WholeGraph, document: DocumentNode, { types, fields }: DefinitionRanges): GraphIndex {
  return {
    outline: readGraphOutline(document),
    types: packRanges([...graph.types.keys()].map((name) => [name, types.get(name)])),
    fields: new Map([...fields].map(([name, ranges]) => [name, packRanges([...ranges])])),
    numberedNames: graph.numberedNames,
    contextFields: graph.contextFields,
  };
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

function publicFields(schema: GraphQLSchema, fields: DefinitionRanges['fields']): SupergraphIndex['fields'] {
  const found = new Map<string, NamedRanges>();
  for (const [name, positions] of fields) {
    const type = schema.getType(name);
    if (isObjectType(type)) found.set(name, packRanges(Object.keys(type.getFields()).map((field) => [field, positions.get(field)])));
  }
  return found;
}
