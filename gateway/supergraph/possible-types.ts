import { type ASTNode, type InterfaceTypeDefinitionNode, Kind, type ObjectTypeDefinitionNode, type UnionTypeDefinitionNode } from 'graphql';
import { argumentsOf, directivesOf } from '../directives/directive-locations.ts';

export type CompositeDefinition = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode | UnionTypeDefinitionNode;

/** Possible object types of the composite types of a supergraph. */
export interface PossibleTypeIndex {
  /** Returns the possible object types of a value in any subgraph, in the order of the supergraph. For an object type, the type itself. */
  anywhere(definition: CompositeDefinition): readonly CompositeDefinition[];
  /**
   * Returns the names of the possible object types of a value in one subgraph.
   *
   * @param graph value of `join__Graph`
   */
  in(definition: CompositeDefinition, graph: string): ReadonlySet<string>;
}

/** Names of the directives, which a link may have renamed. */
export interface MembershipDirectives {
  readonly implements: string;
  readonly unionMember: string;
}

interface Members {
  /** Possible types in every subgraph that has the abstract type. */
  readonly everywhere: ReadonlySet<string>;
  /** Possible types by value of `join__Graph`, with those of `everywhere`. */
  readonly byGraph: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Indexes the members of interfaces and unions. Each definition and each directive is read once, so that the time is linear in the length of
 * the supergraph.
 */
export function createPossibleTypeIndex(composites: readonly CompositeDefinition[], directives: MembershipDirectives): PossibleTypeIndex {
  const byName = new Map(composites.map((definition, index) => [definition.name.value, { definition, index }]));
  const implementations = indexImplementations(composites);
  const implemented = indexImplemented(composites, directives.implements);
  const known = new Map<CompositeDefinition, Members>();

  function anywhere(definition: CompositeDefinition): readonly CompositeDefinition[] {
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) return [definition];
    if (definition.kind === Kind.INTERFACE_TYPE_DEFINITION) return implementations.get(definition.name.value) ?? [];
    const members = new Set(definition.types?.map(({ name }) => name.value));
    return [...members]
      .flatMap((name) => byName.get(name) ?? [])
      .toSorted((one, other) => one.index - other.index)
      .map((member) => member.definition);
  }

  function membersOf(definition: CompositeDefinition): Members {
    const found = known.get(definition);
    if (found !== undefined) return found;
    const members =
      definition.kind === Kind.UNION_TYPE_DEFINITION
        ? membersOfUnion(definition, anywhere(definition), directives.unionMember)
        : group(
            anywhere(definition),
            ({ name }) => implemented.get(name.value)?.get(definition.name.value) ?? (implemented.has(name.value) ? [] : undefined),
          );
    known.set(definition, members);
    return members;
  }

  return {
    anywhere,
    in(definition, graph) {
      const { everywhere, byGraph } = membersOf(definition);
      return byGraph.get(graph) ?? everywhere;
    },
  };
}

/** Returns the object types by the interfaces that they implement. */
function indexImplementations(composites: readonly CompositeDefinition[]): ReadonlyMap<string, readonly ObjectTypeDefinitionNode[]> {
  const found = new Map<string, ObjectTypeDefinitionNode[]>();
  for (const definition of composites) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    for (const name of new Set(definition.interfaces?.map((implementedType) => implementedType.name.value))) {
      const known = found.get(name);
      if (known === undefined) found.set(name, [definition]);
      else known.push(definition);
    }
  }
  return found;
}

/** Returns the graphs of `@join__implements` by type and interface. A type without the directive is absent. */
function indexImplemented(
  composites: readonly CompositeDefinition[],
  directive: string,
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, Map<string, string[]>>();
  for (const definition of composites) {
    for (const use of directivesOf(definition, directive)) {
      const { graph, interface: name } = argumentsOf(use);
      const type = definition.name.value;
      const ofType = found.get(type) ?? new Map<string, string[]>();
      found.set(type, ofType);
      ofType.set(String(name), [...(ofType.get(String(name)) ?? []), String(graph)]);
    }
  }
  return found;
}

/** Returns the members of a union. Without `@join__unionMember`, they belong to all subgraphs. */
function membersOfUnion(union: UnionTypeDefinitionNode, possible: readonly CompositeDefinition[], directive: string): Members {
  const uses = directivesOf(union, directive);
  const graphs = new Map<string, string[]>();
  for (const use of uses) {
    const { graph, member } = argumentsOf(use);
    graphs.set(String(member), [...(graphs.get(String(member)) ?? []), String(graph)]);
  }
  return group(possible, ({ name }) => graphs.get(name.value) ?? (uses.length === 0 ? undefined : []));
}

/** @param graphsOf returns the graphs in which a type is possible; undefined for all */
function group(possible: readonly CompositeDefinition[], graphsOf: (type: CompositeDefinition) => readonly string[] | undefined): Members {
  const everywhere = new Set<string>();
  const byGraph = new Map<string, Set<string>>();
  for (const type of possible) {
    const graphs = graphsOf(type);
    if (graphs === undefined) everywhere.add(type.name.value);
    for (const graph of graphs ?? []) byGraph.set(graph, (byGraph.get(graph) ?? new Set()).add(type.name.value));
  }
  if (everywhere.size > 0) for (const types of byGraph.values()) for (const type of everywhere) types.add(type);
  return { everywhere, byGraph };
}

export function isCompositeDefinition(node: ASTNode): node is CompositeDefinition {
  return (
    node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION || node.kind === Kind.UNION_TYPE_DEFINITION
  );
}
