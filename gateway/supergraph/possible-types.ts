import { type ASTNode, type InterfaceTypeDefinitionNode, Kind, type ObjectTypeDefinitionNode, type UnionTypeDefinitionNode } from 'graphql';
import { argumentsOf, directivesOf } from '../directives/directive-locations.ts';

export type CompositeDefinition = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode | UnionTypeDefinitionNode;

/** Possible object types of the types of a supergraph. */
export interface PossibleTypeIndex {
  /** Returns the possible object types of a value in any subgraph, in the order of the supergraph. For an object type, the type itself. */
  anywhere(type: string): ReadonlySet<string>;
  /** Returns the types of `anywhere` that are public. */
  visible(type: string): ReadonlySet<string>;
  /**
   * Returns the possible object types of a value in one subgraph.
   *
   * @param graph value of `join__Graph`
   */
  in(type: string, graph: string): ReadonlySet<string>;
}

/** Possible object types of interfaces and unions, as data that can be sent between threads. */
export interface PossibleTypeData {
  /** Members by interface or union. */
  readonly members: ReadonlyMap<string, AbstractMembers>;
  /** Names of the object types that are not public. */
  readonly hidden: ReadonlySet<string>;
}

/** Object types of an interface or a union. Names are separated by spaces, in the order of the supergraph. */
export interface AbstractMembers {
  /** Possible types in any subgraph. */
  readonly all: string;
  /** Possible types in every subgraph that has the abstract type. */
  readonly everywhere: string;
  /** Possible types by value of `join__Graph`, with those of `everywhere`. */
  readonly byGraph: ReadonlyMap<string, string>;
}

/** Names of the directives, which a link may have renamed. */
export interface MembershipDirectives {
  readonly implements: string;
  readonly unionMember: string;
  readonly inaccessible: string;
}

/**
 * Reads the members of interfaces and unions. Each definition and each directive is read once, so that the time is linear in the length of
 * the supergraph.
 */
export function readPossibleTypes(composites: readonly CompositeDefinition[], directives: MembershipDirectives): PossibleTypeData {
  const byName = new Map(composites.map((definition, index) => [definition.name.value, { definition, index }]));
  const implementations = indexImplementations(composites);
  const implemented = indexImplemented(composites, directives.implements);

  function membersOfUnion(union: UnionTypeDefinitionNode): AbstractMembers {
    const names = [...new Set(union.types?.map(({ name }) => name.value))];
    const possible = names.flatMap((name) => byName.get(name) ?? []).toSorted((one, other) => one.index - other.index);
    const graphsOf = readUnionMembers(union, directives.unionMember);
    return group(
      possible.map(({ definition }) => definition.name.value),
      graphsOf,
    );
  }

  function membersOfInterface({ name: { value: name } }: InterfaceTypeDefinitionNode): AbstractMembers {
    return group(implementations.get(name) ?? [], (type) => implemented.get(type)?.get(name) ?? (implemented.has(type) ? [] : undefined));
  }

  const members = new Map<string, AbstractMembers>();
  const hidden = new Set<string>();
  for (const definition of composites) {
    const name = definition.name.value;
    if (definition.kind === Kind.UNION_TYPE_DEFINITION) members.set(name, membersOfUnion(definition));
    else if (definition.kind === Kind.INTERFACE_TYPE_DEFINITION) members.set(name, membersOfInterface(definition));
    else if (definition.directives?.some((directive) => directive.name.value === directives.inaccessible) === true) hidden.add(name);
  }
  return { members, hidden };
}

/** Creates the index of the data. Each of its sets is created when it is first needed, and only once. */
export function createPossibleTypeIndex({ members, hidden }: PossibleTypeData): PossibleTypeIndex {
  const all = new Map<string, ReadonlySet<string>>();
  const visible = new Map<string, ReadonlySet<string>>();
  const bySubgraph = new Map<string, ReadonlySet<string>>();

  function anywhere(type: string): ReadonlySet<string> {
    return orSet(all, type, () => membersIn(members.get(type)?.all ?? type));
  }

  return {
    anywhere,
    visible(type) {
      return orSet(visible, type, () => {
        const types = anywhere(type);
        const shown = new Set([...types].filter((name) => !hidden.has(name)));
        return shown.size === types.size ? types : shown;
      });
    },
    in(type, graph) {
      const known = members.get(type);
      if (known === undefined) return anywhere(type);
      const names = known.byGraph.get(graph);
      return orSet(bySubgraph, names === undefined ? type : `${type} ${graph}`, () => membersIn(names ?? known.everywhere));
    },
  };
}

function membersIn(names: string): ReadonlySet<string> {
  return new Set(names === '' ? [] : names.split(' '));
}

function orSet(known: Map<string, ReadonlySet<string>>, id: string, create: () => ReadonlySet<string>): ReadonlySet<string> {
  let found = known.get(id);
  if (found === undefined) known.set(id, (found = create()));
  return found;
}

/** Returns the names of the object types by the interfaces that they implement. */
function indexImplementations(composites: readonly CompositeDefinition[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const definition of composites) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    for (const name of new Set(definition.interfaces?.map((implementedType) => implementedType.name.value))) {
      const known = found.get(name);
      if (known === undefined) found.set(name, [definition.name.value]);
      else known.push(definition.name.value);
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

/** Returns a function that returns the graphs in which a type belongs to a union. Without `@join__unionMember`, these are all graphs. */
function readUnionMembers(union: UnionTypeDefinitionNode, directive: string): (type: string) => readonly string[] | undefined {
  const uses = directivesOf(union, directive);
  const graphs = new Map<string, string[]>();
  for (const use of uses) {
    const { graph, member } = argumentsOf(use);
    graphs.set(String(member), [...(graphs.get(String(member)) ?? []), String(graph)]);
  }
  return (type) => graphs.get(type) ?? (uses.length === 0 ? undefined : []);
}

/** @param graphsOf returns the graphs in which a type is possible; undefined for all */
function group(possible: readonly string[], graphsOf: (type: string) => readonly string[] | undefined): AbstractMembers {
  const everywhere: string[] = [];
  const byGraph = new Map<string, Set<string>>();
  for (const type of possible) {
    const graphs = graphsOf(type);
    if (graphs === undefined) everywhere.push(type);
    for (const graph of graphs ?? []) {
      const known = byGraph.get(graph);
      if (known === undefined) byGraph.set(graph, new Set([type]));
      else known.add(type);
    }
  }
  const membersOf = (types: ReadonlySet<string>): readonly string[] => {
    if (everywhere.length === 0) return [...types];
    const all = new Set([...types, ...everywhere]);
    return possible.filter((type) => all.has(type));
  };
  return {
    all: possible.join(' '),
    everywhere: everywhere.join(' '),
    byGraph: new Map([...byGraph].map(([graph, types]) => [graph, membersOf(types).join(' ')])),
  };
}

export function isCompositeDefinition(node: ASTNode): node is CompositeDefinition {
  return (
    node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION || node.kind === Kind.UNION_TYPE_DEFINITION
  );
}
