import type { FederatedType } from '../../supergraph/federated-graph.ts';
import type { OperationPlan, PlanField, PlanSelection, RepresentationField, RepresentationPlan } from '../operation-plan.ts';
import { type Resolving, plainSource, resolverOf, subgraphsNaming } from '../resolvable.ts';
import { type FetchEntry, type TrieNode, createFetchTrie } from './fetch-trie.ts';
import { createPlanSelections } from './plan-selections.ts';

/** A set of fetches as bits of their indices. */
export type FetchSet = bigint;

/** A selection set that a fetch has at a place. */
interface Source {
  readonly fetch: number;
  /** Type of the values as the subgraph of the fetch declares it. */
  readonly typename: string;
  readonly selections: readonly PlanSelection[];
}

/** A node of the trie with the fetches that can reach it: all that their paths need has arrived before they begin. */
interface ReachedNode {
  readonly node: TrieNode;
  readonly fetches: FetchSet;
}

/** A place of the response tree with all that fetches do there. Equal places are one object. */
export interface FilledPlace {
  readonly id: number;
  readonly type: FederatedType;
  /** Object types of which all subgraphs that resolve the field know that its values can be of them. */
  readonly occurring: ReadonlySet<string>;
  readonly sources: readonly Source[];
  readonly nodes: readonly ReachedNode[];
}

/** What fetches bring of the values of a place that are of one object type. */
export interface FilledObject {
  readonly type: FederatedType;
  /** By data key. */
  readonly brought: Map<string, BroughtField[]>;
  nodes: readonly ReachedNode[];
}

interface BroughtField {
  readonly fetch: number;
  readonly field: PlanField;
}

/** Tells what the fetches of one plan bring. */
export interface FilledPlaces {
  readonly root: FilledPlace;
  objectAt(place: FilledPlace, type: string): FilledObject;
  /** The place that a field leads to; undefined where no fetch brings the field, or the field is a leaf. */
  childOf(object: FilledObject, name: string, key: string): FilledPlace | undefined;
  /** Whether a fetch brings a field. */
  isBrought(object: FilledObject, name: string, key: string): boolean;
}

/**
 * Reads what the fetches of a plan bring. A fetch counts only where the values of its representations and of its path come from
 * fetches that it depends on.
 *
 * @param counted the fetches that count
 */
export function createFilledPlaces(resolving: Resolving, plan: OperationPlan, counted: FetchSet): FilledPlaces {
  const { graph } = resolving;
  const { fetches } = plan;
  const rootType = graph.roots[plan.kind] ?? '';
  const selectionsOf = createPlanSelections(graph);
  const dependencies = dependenciesOf(plan);
  const places = new Map<string, FilledPlace>();
  const objects = new Map<string, FilledObject>();
  const typeSets = new Map<ReadonlySet<string>, number>();
  const occurringSets = new Map<string, ReadonlySet<string>>();
  const subgraphOf = (fetch: number): string => fetches[fetch]?.subgraph ?? '';

  function placeOf(given: Omit<FilledPlace, 'id'>): FilledPlace {
    const sources = given.sources.map(({ fetch, typename, selections }) => `${fetch}:${typename}:${selectionsOf.idOf(selections)}`);
    const nodes = given.nodes.map(({ node, fetches: reaching }) => `${node.id}:${reaching.toString(36)}`);
    const content = [given.type.name, numberOf(given.occurring), [...new Set(sources)].sort().join(), nodes.sort().join()].join('|');
    let place = places.get(content);
    if (place === undefined) places.set(content, (place = { ...given, id: places.size }));
    return place;
  }

  function numberOf(types: ReadonlySet<string>): number {
    const known = typeSets.get(types) ?? typeSets.size;
    typeSets.set(types, known);
    return known;
  }

  function objectAt(place: FilledPlace, typename: string): FilledObject {
    const id = `${typename}|${place.id}`;
    let object = objects.get(id);
    if (object === undefined) objects.set(id, (object = readObject(place, typename)));
    return object;
  }

  function readObject(place: FilledPlace, typename: string): FilledObject {
    const type = graph.types.get(typename) ?? place.type;
    const nodes = place.nodes.filter(({ node }) => node.types === undefined || node.types.has(typename));
    const object: FilledObject = { type, brought: new Map(), nodes };
    for (const source of place.sources) addSource(object, source);
    const entries = nodes.flatMap(({ node, fetches: reaching }) => {
      return node.entries.filter(({ fetch }) => has(reaching, fetch)).map((entry) => ({ entry, node }));
    });
    // Each fetch comes after those that it depends on.
    for (const { entry, node } of entries.sort((one, other) => one.entry.fetch - other.entry.fetch)) addEntry(object, entry, node);
    object.nodes = nodes.map(({ node, fetches: reaching }) => {
      const passing = [...node.fetches].filter((fetch) => has(reaching, fetch) && canPass(object, node, fetch));
      return { node, fetches: toSet(passing) };
    });
    return object;
  }

  function addSource({ type, brought }: FilledObject, { fetch, selections }: Source, lost: readonly string[] = []): void {
    for (const field of selectionsOf.fieldsFor(selections, subgraphOf(fetch), type.name)) {
      if (lost.includes(field.key)) continue;
      const known = brought.get(field.key);
      if (known === undefined) brought.set(field.key, [{ fetch, field }]);
      else known.push({ fetch, field });
    }
  }

  function addEntry(object: FilledObject, { fetch, representations, selections }: FetchEntry, node: TrieNode): void {
    const representation = representations.find(({ types }) => types === undefined || types.includes(object.type.name));
    if (representation === undefined || !canPass(object, node, fetch)) return;
    const before = dependencies[fetch] ?? 0n;
    if (representation.types !== undefined && !isBroughtBy(object, '__typename', before)) return;
    const lost = lostFields(object, representation, before);
    if (lost !== undefined) addSource(object, { fetch, typename: representation.typename, selections }, lost);
  }

  /** Data keys that cannot be had because what they require is missing; undefined where nothing can be had. */
  function lostFields(object: FilledObject, { fields }: RepresentationPlan, before: FetchSet): readonly string[] | undefined {
    const lost: string[] = [];
    for (const field of fields) {
      if (isRepresented(object, field, before)) continue;
      if (field.for === undefined) return undefined;
      lost.push(...field.for);
    }
    return lost;
  }

  /** Whether fetches of a set bring a field of a representation with all inside of it. */
  function isRepresented(object: FilledObject, { name, key, fields, types }: RepresentationField, before: FetchSet): boolean {
    if (types !== undefined && !types.includes(object.type.name)) return true;
    if (!isBroughtBy(object, key, before)) return false;
    if (fields === undefined) return true;
    const child = childOf(object, name, key, before);
    if (child === undefined) return false;
    return [...child.occurring].every((type) => {
      const inside = objectAt(child, type);
      return fields.every((field) => isRepresented(inside, field, before));
    });
  }

  /** Whether a fetch has all that it takes to pass by objects of a node: their type, and values of theirs that become arguments. */
  function canPass(object: FilledObject, { types, contextValues }: TrieNode, fetch: number): boolean {
    const before = dependencies[fetch] ?? 0n;
    if (types !== undefined && !isBroughtBy(object, '__typename', before)) return false;
    return contextValues.every(({ fetch: taking, path }) => {
      const [first] = path;
      return taking !== fetch || first === undefined || isBroughtBy(object, first, before);
    });
  }

  function childOf(object: FilledObject, name: string, key: string, within: FetchSet = counted): FilledPlace | undefined {
    const field = object.type.fields.get(name);
    const type = graph.types.get(field?.namedType ?? '');
    const brought = (object.brought.get(key) ?? []).filter((one) => one.field.name === name && has(within, one.fetch));
    if (type === undefined || brought.length === 0) return undefined;
    const bringing = toSet(brought.map(({ fetch }) => fetch));
    const sources = brought.flatMap(({ fetch, field: { selections } }): readonly Source[] => {
      return selections === undefined ? [] : [{ fetch, typename: typeIn(object.type, name, subgraphOf(fetch)), selections }];
    });
    const nodes = object.nodes.flatMap(({ node, fetches: reaching }) => {
      return (node.children.get(key) ?? []).flatMap((child): readonly ReachedNode[] => {
        const passing = [...child.fetches].filter(
          (fetch) => has(reaching & within, fetch) && ((dependencies[fetch] ?? 0n) & bringing) !== 0n,
        );
        return passing.length === 0 ? [] : [{ node: child, fetches: toSet(passing) }];
      });
    });
    return placeOf({ type, occurring: occurringTypes(object.type, name, { type, sources, nodes }), sources, nodes });
  }

  /** The type of a field in one subgraph. */
  function typeIn(type: FederatedType, name: string, subgraph: string): string {
    const declared = type.fields.get(name);
    const found = resolverOf(resolving, type, name, plainSource(subgraph)) ?? declared?.subgraphs.get(subgraph);
    return found?.namedType ?? declared?.namedType ?? '';
  }

  /**
   * Types that all subgraphs know which resolve the field or are asked about its values. They resolve it to the same values, so
   * that values of other types do not occur.
   */
  function occurringTypes(
    parent: FederatedType,
    name: string,
    { type, sources, nodes }: Pick<FilledPlace, 'type' | 'sources' | 'nodes'>,
  ): ReadonlySet<string> {
    if (type.kind === 'object' || type.possibleTypes.size === 0) return intersect(type, []);
    const bounds: (ReadonlySet<string> | undefined)[] = sources.map(({ fetch, typename }) => typesIn(subgraphOf(fetch), typename));
    for (const subgraph of subgraphsNaming(graph, parent, name)) {
      const resolver = resolverOf(resolving, parent, name, plainSource(subgraph));
      if (resolver !== undefined) bounds.push(typesIn(subgraph, resolver.namedType));
    }
    for (const { node } of nodes) {
      for (const { fetch, representations } of node.entries) {
        for (const { typename, types } of representations) {
          if (types === undefined && graph.types.get(typename)?.kind !== 'object') bounds.push(typesIn(subgraphOf(fetch), typename));
        }
      }
    }
    return intersect(
      type,
      bounds.flatMap((bound) => bound ?? []),
    );
  }

  /** Types that values of a type can be of in all the sets. Equal questions get one set. */
  function intersect(type: FederatedType, bounds: readonly ReadonlySet<string>[]): ReadonlySet<string> {
    const distinct = [...new Set(bounds)];
    const question = `${type.name} ${distinct
      .map(numberOf)
      .sort((one, other) => one - other)
      .join()}`;
    let types = occurringSets.get(question);
    if (types === undefined) {
      const possible = type.kind === 'object' || type.possibleTypes.size === 0 ? [type.name] : [...type.possibleTypes];
      types = new Set(possible.filter((name) => distinct.every((bound) => bound.has(name))));
      occurringSets.set(question, types);
    }
    return types;
  }

  /** The object types that values of a type can be of in a subgraph; undefined where the subgraph cannot tell. */
  function typesIn(subgraph: string, typename: string): ReadonlySet<string> | undefined {
    const declared = graph.types.get(typename);
    const here = declared?.subgraphs.get(subgraph);
    return here?.isInterfaceObject === true ? undefined : (here?.possibleTypes ?? declared?.possibleTypes);
  }

  const type = graph.types.get(rootType);
  if (type === undefined) throw new Error(`The supergraph has no root type for a ${plan.kind}.`);
  const trie = createFetchTrie(plan, (kind) => graph.roots[kind] ?? '');
  const root = placeOf({ type, occurring: intersect(type, []), sources: [], nodes: [{ node: trie, fetches: counted }] });
  return {
    root,
    objectAt,
    childOf: (object, name, key) => childOf(object, name, key),
    isBrought: ({ brought }, name, key) => brought.get(key)?.some(({ field }) => field.name === name) === true,
  };
}

function isBroughtBy({ brought }: FilledObject, key: string, fetches: FetchSet): boolean {
  return brought.get(key)?.some(({ fetch }) => has(fetches, fetch)) === true;
}

/** For each fetch all those that are over before it begins. */
function dependenciesOf({ fetches }: OperationPlan): readonly FetchSet[] {
  const dependencies: FetchSet[] = [];
  for (const { dependsOn } of fetches) {
    let all = 0n;
    for (const needed of dependsOn) all |= (dependencies[needed] ?? 0n) | (1n << BigInt(needed));
    dependencies.push(all);
  }
  return dependencies;
}

function has(fetches: FetchSet, fetch: number): boolean {
  return ((fetches >> BigInt(fetch)) & 1n) === 1n;
}

function toSet(fetches: readonly number[]): FetchSet {
  let set = 0n;
  for (const fetch of fetches) set |= 1n << BigInt(fetch);
  return set;
}
