import { composeServices } from '@apollo/composition';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, Kind, isInterfaceType, isObjectType, parse } from 'graphql';
import { type FixtureContext, RESOLVERS, type Resolver, findEntity } from './resolvers.ts';
import { SUBGRAPH_SDL } from './subgraph-sdl.ts';
import type { Thing } from './world.ts';

/** The graph of the fixture, in every representation that the tests need. */
export interface Federation {
  readonly supergraphSdl: string;
  readonly supergraph: Supergraph;
  /** The public schema, without resolvers. */
  readonly schema: GraphQLSchema;
  /** Executable subgraphs by name. */
  readonly subgraphs: ReadonlyMap<string, GraphQLSchema>;
  /** The public schema with all resolvers in one schema. Clients must not be able to distinguish it from the federation. */
  readonly monolith: GraphQLSchema;
}

/** Composes the fixture. @throws Error when it does not compose */
export function buildFederation(sdl: Readonly<Record<string, string>> = SUBGRAPH_SDL): Federation {
  const services = Object.entries(sdl).map(([name, text]) => ({ name, url: `http://${name}.test`, typeDefs: parse(text) }));
  const { supergraphSdl, errors } = composeServices(services);
  if (supergraphSdl === undefined) throw new Error(`The fixture does not compose: ${String(errors)}`);
  const supergraph = Supergraph.build(supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
  return {
    supergraphSdl,
    supergraph,
    schema: supergraph.apiSchema().toGraphQLJSSchema(),
    subgraphs: new Map(Object.entries(sdl).map(([name, text]) => [name, buildSubgraph(text)])),
    monolith: buildMonolith(supergraph.apiSchema().toGraphQLJSSchema()),
  };
}

function buildSubgraph(text: string): GraphQLSchema {
  const typeDefs = parse(text);
  const resolvers: Record<string, Record<string, unknown>> = {};
  for (const definition of typeDefs.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    const name = definition.name.value;
    const isEntity = definition.directives?.some((directive) => directive.name.value === 'key') === true;
    const external: string[] = [];
    const own: Record<string, unknown> = {};
    for (const field of definition.fields ?? []) {
      if (field.directives?.some((directive) => directive.name.value === 'external')) external.push(field.name.value);
      const resolver = RESOLVERS[name]?.[field.name.value];
      if (resolver !== undefined && definition.kind === Kind.OBJECT_TYPE_DEFINITION) own[field.name.value] = resolver;
    }
    if (isEntity) own['__resolveReference'] = referenceResolver(name, external);
    resolvers[name] = own;
  }
  // The types of the library only know its own resolver signatures.
  const module: unknown = { typeDefs, resolvers };
  return buildSubgraphSchema(module as Parameters<typeof buildSubgraphSchema>[0]);
}

/** Creates a reference resolver. A subgraph knows only those fields of another subgraph that the representation contains. */
function referenceResolver(typename: string, external: readonly string[]) {
  return (reference: Thing, context: FixtureContext): Thing | null => {
    const found = findEntity(context.world, typename, reference);
    if (found === undefined) return null;
    const entity: Record<string, unknown> = { ...found };
    for (const field of external) delete entity[field];
    // The key is known already. The other fields of the representation were required.
    return { ...entity, ...reference, __typename: reference.__typename === typename ? found.__typename : reference.__typename };
  };
}

function buildMonolith(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInterfaceType(type)) continue;
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const resolver: Resolver | undefined = RESOLVERS[type.name]?.[field.name];
      if (resolver !== undefined) field.resolve = resolver as typeof field.resolve & object;
    }
  }
  return schema;
}
