import { type DocumentNode, GraphQLError, Kind, type NamedTypeNode } from 'graphql';
import { argumentsOf, directivesOf } from '../directives/directive-locations.ts';
import { directiveNameIn, joinFeatureIn, type LinkedFeature, readFeatures } from '../directives/read-features.ts';
import type { FederatedGraph } from './federated-graph.ts';
import { type CompositeDefinition, isCompositeDefinition, type PossibleTypeData, readPossibleTypes } from './possible-types.ts';
import { readSubgraphs } from './read-subgraphs.ts';

/** Everything about a supergraph that is needed to read one of its types, as data that can be sent between threads. */
export interface GraphOutline {
  /** Names of the subgraphs by their values of `join__Graph`, in the order of the supergraph. */
  readonly subgraphs: ReadonlyMap<string, string>;
  readonly roots: FederatedGraph['roots'];
  readonly directives: DirectiveNames;
  readonly possible: PossibleTypeData;
  /** Contexts that the values of a type set, by the name of the type. Types without contexts are absent. */
  readonly contexts: ReadonlyMap<string, readonly string[]>;
}

/** Names of the directives in a supergraph, which a link may have renamed. */
export type DirectiveNames = Readonly<
  Record<'type' | 'field' | 'implements' | 'unionMember' | 'owner' | 'inaccessible' | 'context', string>
>;

/** Reads the outline of a supergraph. @throws GraphQLError when the document does not link the join specification */
export function readGraphOutline(document: DocumentNode): GraphOutline {
  const features = readFeatures(document);
  const join = joinFeatureIn(features);
  if (join === undefined) throw new GraphQLError('The schema does not link the join specification.');
  const composites = document.definitions.filter(isCompositeDefinition);
  const directives = directiveNames(features, join);
  return {
    subgraphs: new Map([...readSubgraphs(document, join)].map(([value, { name }]) => [value, name])),
    roots: readRoots(document),
    directives,
    possible: readPossibleTypes(composites, directives),
    contexts: readContexts(composites, directives.context),
  };
}

function directiveNames(features: readonly LinkedFeature[], join: LinkedFeature): DirectiveNames {
  const nameOf = (directive: string): string => {
    const feature = features.find(({ identity }) => identity === `https://specs.apollo.dev/${directive}`);
    return feature === undefined ? directive : directiveNameIn(feature, directive);
  };
  return {
    type: directiveNameIn(join, 'type'),
    field: directiveNameIn(join, 'field'),
    implements: directiveNameIn(join, 'implements'),
    unionMember: directiveNameIn(join, 'unionMember'),
    owner: directiveNameIn(join, 'owner'),
    inaccessible: nameOf('inaccessible'),
    context: nameOf('context'),
  };
}

function readRoots({ definitions }: DocumentNode): FederatedGraph['roots'] {
  const schema = definitions.find((definition) => definition.kind === Kind.SCHEMA_DEFINITION);
  const roots: { -readonly [Operation in keyof FederatedGraph['roots']]: string } = {};
  for (const { operation, type } of schema?.operationTypes ?? []) roots[operation] = type.name.value;
  if (schema === undefined) {
    const named = new Set(definitions.flatMap((definition) => (isCompositeDefinition(definition) ? [definition.name.value] : [])));
    if (named.has('Query')) roots.query = 'Query';
    if (named.has('Mutation')) roots.mutation = 'Mutation';
    if (named.has('Subscription')) roots.subscription = 'Subscription';
  }
  return roots;
}

/** Returns the contexts that types set themselves, and those of their interfaces and unions. */
function readContexts(composites: readonly CompositeDefinition[], directive: string): ReadonlyMap<string, readonly string[]> {
  const openers = composites.filter((definition) => directivesOf(definition, directive).length > 0);
  if (openers.length === 0) return new Map();
  return new Map(
    composites.flatMap((definition) => {
      const opening = openers.filter((opener) => opener === definition || isPartOf(definition, opener));
      const names = opening.flatMap((opener) => directivesOf(opener, directive).map((use) => String(argumentsOf(use)['name'])));
      return names.length === 0 ? [] : [[definition.name.value, [...new Set(names)]] as const];
    }),
  );
}

/** Whether each value of a type also belongs to an interface or a union. */
function isPartOf(definition: CompositeDefinition, whole: CompositeDefinition): boolean {
  const isNamed = (names: readonly NamedTypeNode[] = [], { name }: CompositeDefinition): boolean => {
    return names.some((named) => named.name.value === name.value);
  };
  if (whole.kind === Kind.UNION_TYPE_DEFINITION) return isNamed(whole.types, definition);
  return definition.kind !== Kind.UNION_TYPE_DEFINITION && isNamed(definition.interfaces, whole);
}
