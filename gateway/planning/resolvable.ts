import { Kind, type SelectionSetNode, print } from 'graphql';
import type { FederatedGraph, FederatedType, FieldInSubgraph } from '../supergraph/federated-graph.ts';
import { isJointSource, subgraphsOf } from './joint-source.ts';

/** Federated graph and labels that determine which subgraph resolves which field. */
export interface Resolving {
  readonly graph: FederatedGraph;
  /** Active labels of `@override`. */
  readonly labels: ReadonlySet<string>;
}

/** A subgraph that could be queried for values. */
export interface Source {
  readonly subgraph: string;
  /** Selections that the path to the values provides, in addition to the fields that the subgraph resolves itself (`@provides`). */
  readonly provides: readonly SelectionSetNode[];
}

const NOTHING: readonly SelectionSetNode[] = [];

/** Creates a source for a subgraph without provided fields. */
export function plainSource(subgraph: string): Source {
  return { subgraph, provides: NOTHING };
}

/**
 * Returns the definition of a field in a subgraph that resolves it, or undefined if it does not.
 *
 * @param type an object type, or an interface whose object types are unknown
 */
export function resolverOf(resolving: Resolving, type: FederatedType, name: string, source: Source): FieldInSubgraph | undefined {
  const { graph, labels } = resolving;
  const { subgraph, provides } = source;
  for (const found of resolversOf(graph, type, name).get(subgraph) ?? NO_RESOLVERS) {
    if (found.label !== undefined && labels.has(found.label.name) !== found.label.isOn) continue;
    if (found.isExternal && !isProvided(graph, type, name, provides)) continue;
    return areRequirementsProvided(graph, type, found, provides) ? withoutRequirements(found) : found;
  }
  return isJointSource(subgraph) ? jointResolverOf(resolving, type, name, subgraph) : undefined;
}

const knownResolvers = new WeakMap<FederatedType, Map<string, ReadonlyMap<string, readonly FieldInSubgraph[]>>>();
const NO_RESOLVERS: readonly FieldInSubgraph[] = [];

/** Lists the definitions of a field by subgraph: in the type itself, then in the interfaces that the subgraph defines as objects. */
function resolversOf(graph: FederatedGraph, type: FederatedType, name: string): ReadonlyMap<string, readonly FieldInSubgraph[]> {
  return remember(knownResolvers, type, name, () => readResolvers(graph, type, name));
}

function readResolvers(graph: FederatedGraph, type: FederatedType, name: string): ReadonlyMap<string, readonly FieldInSubgraph[]> {
  const defining = new Set<string>();
  for (const owner of withInterfaces(graph, type)) {
    for (const subgraph of owner.fields.get(name)?.subgraphs.keys() ?? []) defining.add(subgraph);
  }
  const resolvers = new Map<string, readonly FieldInSubgraph[]>();
  for (const subgraph of inGraphOrder(graph, defining)) {
    const found = ownersIn(graph, type, subgraph).flatMap((owner) => owner.fields.get(name)?.subgraphs.get(subgraph) ?? []);
    if (found.length > 0) resolvers.set(subgraph, found);
  }
  return resolvers;
}

/** Returns a type and the interfaces that it implements. */
function withInterfaces({ types }: FederatedGraph, type: FederatedType): readonly FederatedType[] {
  return type.interfaces.length === 0 ? [type] : [type, ...type.interfaces.flatMap((name) => types.get(name) ?? [])];
}

const orders = new WeakMap<FederatedGraph, ReadonlyMap<string, number>>();

/** Sorts names of subgraphs in the order of the supergraph. Without it, equal choices could depend on the order of the definitions. */
export function inGraphOrder(graph: FederatedGraph, subgraphs: Iterable<string>): string[] {
  const sorted = [...subgraphs];
  if (sorted.length < 2) return sorted;
  let order = orders.get(graph);
  if (order === undefined) orders.set(graph, (order = new Map(graph.subgraphs.map((name, index) => [name, index]))));
  const indexOf = (name: string): number => order.get(name) ?? order.size;
  return sorted.sort((one, other) => indexOf(one) - indexOf(other));
}

/** Resolvers of joint sources by source, type and field. All scopes of a plan share one `labels` object, which is the key. */
const jointResolvers = new WeakMap<ReadonlySet<string>, Map<string, WeakMap<FederatedType, Map<string, FieldInSubgraph | undefined>>>>();

function jointResolverOf(resolving: Resolving, type: FederatedType, name: string, joint: string): FieldInSubgraph | undefined {
  let ofPlan = jointResolvers.get(resolving.labels);
  if (ofPlan === undefined) jointResolvers.set(resolving.labels, (ofPlan = new Map()));
  let ofSource = ofPlan.get(joint);
  if (ofSource === undefined) ofPlan.set(joint, (ofSource = new WeakMap()));
  let ofType = ofSource.get(type);
  if (ofType === undefined) ofSource.set(type, (ofType = new Map()));
  if (!ofType.has(name)) ofType.set(name, findJointResolver(resolving, type, name, joint));
  return ofType.get(name);
}

/**
 * Returns the common definition of a field in all subgraphs of a joint source. Returns undefined if one of them does not resolve it, or
 * needs inputs for it.
 */
function findJointResolver(resolving: Resolving, type: FederatedType, name: string, joint: string): FieldInSubgraph | undefined {
  let first: FieldInSubgraph | undefined;
  for (const subgraph of subgraphsOf(joint)) {
    // Values of a type that a subgraph does not define come from other subgraphs.
    if (type.subgraphs.size > 0 && !type.subgraphs.has(subgraph)) continue;
    const found = resolverOf(resolving, type, name, plainSource(subgraph));
    if (found === undefined || hasRequirements(found) || found.provides !== undefined) return undefined;
    if (resolving.graph.types.get(found.namedType)?.subgraphs.get(subgraph)?.isInterfaceObject === true) return undefined;
    first ??= found;
    if (found.namedType !== first.namedType) return undefined;
  }
  return first;
}

/** Whether a field needs more inputs than the object itself. */
export function hasRequirements({ requires, contextArguments }: FieldInSubgraph): boolean {
  return requires !== undefined || contextArguments.length > 0;
}

const knownRequirements = new WeakMap<FederatedType, Map<string, readonly SelectionSetNode[]>>();

/** Collects the fields that subgraphs require to resolve a field. */
export function requirementsOf(graph: FederatedGraph, type: FederatedType, name: string): readonly SelectionSetNode[] {
  return remember(knownRequirements, type, name, () => readRequirements(graph, type, name));
}

function readRequirements({ types }: FederatedGraph, type: FederatedType, name: string): readonly SelectionSetNode[] {
  const required: SelectionSetNode[] = [];
  for (const owner of [type, ...type.interfaces.flatMap((virtual) => types.get(virtual) ?? [])]) {
    for (const { requires } of owner.fields.get(name)?.subgraphs.values() ?? []) if (requires !== undefined) required.push(requires);
  }
  return required;
}

/** Returns a cached value of a type, by subgraph or field. A graph never changes, and its types belong to it alone. */
function remember<T>(known: WeakMap<FederatedType, Map<string, T>>, type: FederatedType, name: string, find: () => T): T {
  let ofType = known.get(type);
  if (ofType === undefined) known.set(type, (ofType = new Map()));
  let found = ofType.get(name);
  if (found === undefined) ofType.set(name, (found = find()));
  return found;
}

const knownNamers = new WeakMap<FederatedType, Map<string, readonly string[]>>();

/** Returns the subgraphs that define a field of a type, or of an interface that they define as an object. No other subgraph resolves it. */
export function subgraphsNaming(graph: FederatedGraph, type: FederatedType, field: string): readonly string[] {
  return remember(knownNamers, type, field, () => [...resolversOf(graph, type, field).keys()]);
}

const knownOwners = new WeakMap<FederatedType, Map<string, readonly FederatedType[]>>();
const knownEntries = new WeakMap<FederatedType, Map<string, readonly EntryPoint[]>>();

/** Returns the type itself if the subgraph has it, and its interfaces that the subgraph defines as objects. */
function ownersIn(graph: FederatedGraph, type: FederatedType, subgraph: string): readonly FederatedType[] {
  return remember(knownOwners, type, subgraph, () => findOwners(graph, type, subgraph));
}

function findOwners(graph: FederatedGraph, type: FederatedType, subgraph: string): readonly FederatedType[] {
  const virtual = type.interfaces.flatMap((name) => {
    const found = graph.types.get(name);
    return found?.subgraphs.get(subgraph)?.isInterfaceObject === true ? [found] : [];
  });
  // An interface represents values with unknown object types here. Only a subgraph that defines it as an object can resolve more of its
  // fields.
  if (type.kind === 'interface' && type.publicTypes.size > 0) {
    return type.subgraphs.get(subgraph)?.isInterfaceObject === true ? [type, ...virtual] : virtual;
  }
  return [type, ...virtual];
}

/** Entry point of a subgraph with a key of an entity. */
export interface EntryPoint {
  /** Type name in the representation. */
  readonly typename: string;
  readonly key: SelectionSetNode;
  /** Number that is equal for equal keys. */
  readonly keyId: number;
}

/** Returns the entry points of a subgraph for values of a type. */
export function entryPoints(graph: FederatedGraph, type: FederatedType, subgraph: string): readonly EntryPoint[] {
  return remember(knownEntries, type, subgraph, () => findEntries(graph, type, subgraph));
}

const knownEnterable = new WeakMap<FederatedType, readonly string[]>();

/** Returns the subgraphs that have an entry point for values of a type. */
export function enterableSubgraphs(graph: FederatedGraph, type: FederatedType): readonly string[] {
  let enterable = knownEnterable.get(type);
  if (enterable === undefined) {
    const defining = new Set<string>();
    for (const { subgraphs } of withInterfaces(graph, type)) for (const subgraph of subgraphs.keys()) defining.add(subgraph);
    enterable = inGraphOrder(graph, defining).filter((subgraph) => entryPoints(graph, type, subgraph).length > 0);
    knownEnterable.set(type, enterable);
  }
  return enterable;
}

function findEntries(graph: FederatedGraph, type: FederatedType, subgraph: string): readonly EntryPoint[] {
  return [type.name, ...type.interfaces].flatMap((typename) => {
    const here = graph.types.get(typename)?.subgraphs.get(subgraph);
    if (here === undefined || (typename !== type.name && !here.isInterfaceObject)) return [];
    return here.keys.map((key) => ({ typename, key, keyId: identifyKey(graph, key) }));
  });
}

const keyIds = new WeakMap<FederatedGraph, Map<string, number>>();

function identifyKey(graph: FederatedGraph, key: SelectionSetNode): number {
  let ids = keyIds.get(graph);
  if (ids === undefined) keyIds.set(graph, (ids = new Map()));
  const text = print(key);
  const id = ids.get(text) ?? ids.size;
  ids.set(text, id);
  return id;
}

function isProvided(graph: FederatedGraph, type: FederatedType, name: string, provides: readonly SelectionSetNode[]): boolean {
  return providedFields(graph, type, provides).some((field) => field.name === name);
}

/** Whether the path to the object provides all fields that a field requires. The subgraph then has them already. */
function areRequirementsProvided(
  graph: FederatedGraph,
  type: FederatedType,
  { requires }: FieldInSubgraph,
  provides: readonly SelectionSetNode[],
): boolean {
  return requires !== undefined && provides.length > 0 && isAllProvided(graph, type, requires, provides);
}

/** Whether all selections are provided. Fields with arguments never are. */
function isAllProvided(
  graph: FederatedGraph,
  type: FederatedType,
  { selections }: SelectionSetNode,
  provides: readonly SelectionSetNode[],
): boolean {
  return selections.every((selection) => {
    if (selection.kind !== Kind.FIELD || (selection.arguments?.length ?? 0) > 0) return false;
    const name = selection.name.value;
    if (!isProvided(graph, type, name, provides)) return false;
    if (selection.selectionSet === undefined) return true;
    const inside = graph.types.get(type.fields.get(name)?.namedType ?? '');
    return inside !== undefined && isAllProvided(graph, inside, selection.selectionSet, providedInside(graph, type, name, provides));
  });
}

const plainFields = new WeakMap<FieldInSubgraph, FieldInSubgraph>();

function withoutRequirements(field: FieldInSubgraph): FieldInSubgraph {
  let plain = plainFields.get(field);
  if (plain === undefined) {
    const { requires: _, ...others } = field;
    plainFields.set(field, (plain = others));
  }
  return plain;
}

/** Returns the selections that are provided inside a field. */
export function providedInside(
  graph: FederatedGraph,
  type: FederatedType,
  name: string,
  provides: readonly SelectionSetNode[],
): readonly SelectionSetNode[] {
  return providedFields(graph, type, provides).flatMap((field) =>
    field.name === name && field.inside !== undefined ? [field.inside] : [],
  );
}

interface ProvidedField {
  readonly name: string;
  readonly inside: SelectionSetNode | undefined;
}

function providedFields(graph: FederatedGraph, type: FederatedType, provides: readonly SelectionSetNode[]): readonly ProvidedField[] {
  return provides.flatMap(({ selections }) =>
    selections.flatMap((selection): readonly ProvidedField[] => {
      if (selection.kind === Kind.FIELD) return [{ name: selection.name.value, inside: selection.selectionSet }];
      if (selection.kind === Kind.FRAGMENT_SPREAD) return [];
      const condition = selection.typeCondition?.name.value ?? type.name;
      const applies = condition === type.name || graph.types.get(condition)?.possibleTypes.has(type.name) === true;
      return applies ? providedFields(graph, type, [selection.selectionSet]) : [];
    }),
  );
}
