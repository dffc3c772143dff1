import type { FederatedType } from '../../supergraph/federated-graph.ts';
import type { OperationPlan, PlanField, PlanSelection, RepresentationField, RepresentationPlan } from '../operation-plan.ts';
import type { Resolving } from '../resolvable.ts';
import { type FetchSet, type FetchSets, doIntersect, hasFetch } from './fetch-set.ts';
import { type FetchEntry, type TrieNode, createFetchTrie } from './fetch-trie.ts';
import { dependenciesOf, dependentsOf, wavesOf } from './fetch-waves.ts';
import { createFieldShapes } from './field-shapes.ts';
import { createPlanSelections } from './plan-selections.ts';

/** A selection set that a fetch has at a position. */
interface Source {
  readonly fetch: number;
  readonly selections: readonly PlanSelection[];
}

/** A node of the trie with the fetches that can reach it, because all inputs of their paths are available before they begin. */
interface ReachedNode {
  readonly node: TrieNode;
  readonly fetches: FetchSet;
}

/** A position of the data tree with all selections of the fetches there. Equal positions are one object. */
export interface PopulatedPosition {
  readonly id: number;
  readonly type: FederatedType;
  /** Object types that are possible values according to all subgraphs that resolve the field. */
  readonly occurring: ReadonlySet<string>;
  readonly sources: readonly Source[];
  readonly nodes: readonly ReachedNode[];
}

/** Fields that fetches provide for the values of a position with one object type. Equal ones of several positions are one object. */
export interface FilledObject {
  readonly id: number;
  readonly type: FederatedType;
  /** Fields by data key. */
  readonly brought: Map<string, BroughtField[]>;
  nodes: readonly ReachedNode[];
  /** Positions that its fields lead to, by name and data key. */
  readonly children: Map<string, PopulatedPosition | undefined>;
}

interface BroughtField {
  readonly fetch: number;
  readonly field: PlanField;
}

/** Determines the fields that the fetches of one plan provide. */
export interface PopulatedPositions {
  readonly root: PopulatedPosition;
  objectAt(position: PopulatedPosition, type: string): FilledObject;
  /** Returns the position that a field leads to. Returns undefined if no fetch provides the field or the field is a leaf. */
  childOf(object: FilledObject, name: string, key: string): PopulatedPosition | undefined;
  /** Whether a fetch provides a field. */
  isBrought(object: FilledObject, name: string, key: string): boolean;
  /**
   * Returns a key of everything that determines the fields provided for an object type. If types have equal keys, one of them represents
   * all.
   *
   * @param names names of the relevant fields; pass the same array for the same names
   */
  kindsAt(position: PopulatedPosition, names: readonly string[]): (type: string) => string | number;
}

/**
 * Determines the fields that the fetches of a plan provide. A fetch counts only if it is one of `counted`, and if the values of its
 * representations and its path come from its dependencies.
 */
export function createPopulatedPositions(
  resolving: Resolving,
  plan: OperationPlan,
  { sets, counted }: { readonly sets: FetchSets; readonly counted: FetchSet },
): PopulatedPositions {
  const { graph } = resolving;
  const { fetches } = plan;
  const rootType = graph.roots[plan.kind] ?? '';
  const selectionsOf = createPlanSelections(graph);
  const shapes = createFieldShapes(resolving, selectionsOf.numberOf);
  const dependencies = dependenciesOf(plan, sets);
  const dependents = dependentsOf(dependencies, sets);
  const waves = wavesOf(dependencies, sets);
  const positions = new Map<string, PopulatedPosition>();
  const objects = new Map<string, FilledObject>();
  const nodesByType = new Map<PopulatedPosition, NodesByType>();
  const nodeFetches = new Map<TrieNode, FetchSet>();
  const nodeBounds = new Map<TrieNode, readonly ReadonlySet<string>[]>();
  const laterFetches = new Map<FetchSet, FetchSet>();
  const occurringSets = new Map<string, ReadonlySet<string>>();
  const subgraphOf = (fetch: number): string => fetches[fetch]?.subgraph ?? '';
  const before = (fetch: number): FetchSet => dependencies[fetch] ?? sets.none;

  function positionOf(given: Omit<PopulatedPosition, 'id'>): PopulatedPosition {
    // Fetches with the same dependents are interchangeable.
    const sources = given.sources.map(({ fetch, selections }) => {
      return `${dependents[fetch]}:${selectionsOf.idOf(selections, subgraphOf(fetch))}`;
    });
    const nodes = given.nodes.map(nameOf);
    const content = [
      given.type.name,
      selectionsOf.numberOf(given.occurring),
      [...new Set(sources)].sort().join(),
      nodes.sort().join(),
    ].join('|');
    let position = positions.get(content);
    if (position === undefined) positions.set(content, (position = { ...given, id: positions.size }));
    return position;
  }

  /** Lists the nodes that apply to values of an object type. */
  function nodesFor(position: PopulatedPosition, typename: string): readonly ReachedNode[] {
    let divided = nodesByType.get(position);
    if (divided === undefined) nodesByType.set(position, (divided = divideByType(position.nodes)));
    return divided.byType.get(typename) ?? divided.ofAll;
  }

  function objectAt(position: PopulatedPosition, typename: string): FilledObject {
    const nodes = nodesFor(position, typename);
    const sources = position.sources.map(({ fetch, selections }) => {
      return `${dependents[fetch]}:${selectionsOf.fieldsFor(selections, subgraphOf(fetch), typename).id}`;
    });
    const names = nodes.map(nameOf);
    const content = `${typename}|${[...new Set(sources)].sort().join()}|${names.sort().join()}`;
    let object = objects.get(content);
    if (object === undefined) objects.set(content, (object = readObject(position, typename, nodes)));
    return object;
  }

  let objectCount = 0;

  function readObject(position: PopulatedPosition, typename: string, nodes: readonly ReachedNode[]): FilledObject {
    const type = graph.types.get(typename) ?? position.type;
    const object: FilledObject = { id: objectCount, type, brought: new Map(), nodes, children: new Map() };
    objectCount += 1;
    for (const source of position.sources) addSource(object, source);
    const entries = nodes.flatMap(({ node, fetches: reaching }) => {
      return node.entries.filter(({ fetch }) => hasFetch(reaching, fetch)).map((entry) => ({ entry, node }));
    });
    // Each fetch comes after its dependencies.
    for (const { entry, node } of entries.sort((one, other) => one.entry.fetch - other.entry.fetch)) addEntry(object, entry, node);
    object.nodes = nodes.map(({ node, fetches: reaching }) => {
      let passing = sets.intersection(reaching, fetchesOf(node));
      if (node.types !== undefined) passing = sets.intersection(passing, fetchesAfter(fetchesBringing(object, '__typename')));
      for (const { fetch } of node.contextValues) {
        if (hasFetch(passing, fetch) && !canPass(object, node, fetch)) passing = sets.without(passing, fetch);
      }
      return { node, fetches: passing };
    });
    return object;
  }

  /** Returns the fetches with an entry at or beneath a node. */
  function fetchesOf(node: TrieNode): FetchSet {
    let set = nodeFetches.get(node);
    if (set === undefined) nodeFetches.set(node, (set = sets.of(node.fetches)));
    return set;
  }

  function fetchesBringing({ brought }: FilledObject, key: string): FetchSet {
    return sets.of((brought.get(key) ?? []).map(({ fetch }) => fetch));
  }

  /** Returns the fetches that begin after one of the given fetches has finished. */
  function fetchesAfter(needed: FetchSet): FetchSet {
    let after = laterFetches.get(needed);
    if (after === undefined) {
      const later = waves.filter(({ before: over }) => doIntersect(over, needed));
      laterFetches.set(needed, (after = sets.union(later.map(({ members }) => members))));
    }
    return after;
  }

  function kindsAt(position: PopulatedPosition, names: readonly string[]): (typename: string) => string | number {
    const shapeOf = shapes.shapesOf(names);
    const readers = position.sources.map(({ fetch, selections }) => selectionsOf.readerOf(selections, subgraphOf(fetch)));
    const [read, ...others] = readers;
    const isSimple = read !== undefined && others.length === 0 && position.nodes.length === 0;
    return (typename) => {
      const type = graph.types.get(typename);
      if (type === undefined) return typename;
      const shape = shapeOf(type);
      if (isSimple) return shape * MOST_IDS + read(typename).id;
      let requested = `${shape}|`;
      for (const reader of readers) requested += `${reader(typename).id},`;
      return position.nodes.length === 0 ? requested : requested + kindAtNodes(position, type);
    };
  }

  function kindAtNodes(position: PopulatedPosition, type: FederatedType): string {
    const { name: typename } = type;
    let requested = '';
    for (const { node, fetches: reaching } of nodesFor(position, typename)) {
      requested += `|${node.id}`;
      for (const { fetch, representations, selections, indexFor } of node.entries) {
        const index = hasFetch(reaching, fetch) ? indexFor(typename) : undefined;
        if (index === undefined) {
          requested += ',';
          continue;
        }
        requested += `,${index} ${selectionsOf.fieldsFor(selections, subgraphOf(fetch), typename).id}`;
        for (const { name, fields, types } of representations[index]?.fields ?? []) {
          requested += ` ${fields === undefined ? '' : shapes.shapeOf(type, name)}${types?.includes(typename) ?? ''}`;
        }
      }
    }
    return requested;
  }

  function addSource({ type, brought }: FilledObject, { fetch, selections }: Source, lost: readonly string[] = []): void {
    for (const field of selectionsOf.fieldsFor(selections, subgraphOf(fetch), type.name).fields) {
      if (lost.includes(field.key)) continue;
      const known = brought.get(field.key);
      if (known === undefined) brought.set(field.key, [{ fetch, field }]);
      else known.push({ fetch, field });
    }
  }

  function addEntry(object: FilledObject, { fetch, representations, selections, indexFor }: FetchEntry, node: TrieNode): void {
    const representation = representations[indexFor(object.type.name) ?? -1];
    if (representation === undefined || !canPass(object, node, fetch)) return;
    if (representation.types !== undefined && !isBroughtBy(object, '__typename', before(fetch))) return;
    const lost = lostFields(object, representation, before(fetch));
    if (lost !== undefined) addSource(object, { fetch, selections }, lost);
  }

  /** Returns the data keys that are unavailable because a required value is missing. Returns undefined if everything is unavailable. */
  function lostFields(object: FilledObject, { fields }: RepresentationPlan, known: FetchSet): readonly string[] | undefined {
    const lost: string[] = [];
    for (const field of fields) {
      if (isRepresented(object, field, known)) continue;
      if (field.for === undefined) return undefined;
      lost.push(...field.for);
    }
    return lost;
  }

  /** Whether fetches of a set provide a field of a representation with all nested fields. */
  function isRepresented(object: FilledObject, { name, key, fields, types }: RepresentationField, known: FetchSet): boolean {
    if (types !== undefined && !types.includes(object.type.name)) return true;
    if (!isBroughtBy(object, key, known)) return false;
    if (fields === undefined) return true;
    const child = childWithin(object, name, key, known);
    if (child === undefined) return false;
    return [...child.occurring].every((type) => {
      const inside = objectAt(child, type);
      return fields.every((field) => isRepresented(inside, field, known));
    });
  }

  /** Whether a fetch has all inputs to pass through objects of a node: their type, and their values that become arguments. */
  function canPass(object: FilledObject, { types, contextValues }: TrieNode, fetch: number): boolean {
    if (types !== undefined && !isBroughtBy(object, '__typename', before(fetch))) return false;
    return contextValues.every(({ fetch: taking, path }) => {
      const [first] = path;
      return taking !== fetch || first === undefined || isBroughtBy(object, first, before(fetch));
    });
  }

  function childOf(object: FilledObject, name: string, key: string): PopulatedPosition | undefined {
    const { children } = object;
    const id = `${name} ${key}`;
    if (!children.has(id)) children.set(id, childWithin(object, name, key, counted));
    return children.get(id);
  }

  /** Returns the position that a field leads to, with the selections of a subset of the fetches. */
  function childWithin(object: FilledObject, name: string, key: string, within: FetchSet): PopulatedPosition | undefined {
    const field = object.type.fields.get(name);
    const type = graph.types.get(field?.namedType ?? '');
    const brought = (object.brought.get(key) ?? []).filter((one) => one.field.name === name && hasFetch(within, one.fetch));
    if (type === undefined || brought.length === 0) return undefined;
    const bringing = sets.of(brought.map(({ fetch }) => fetch));
    const bounds: (ReadonlySet<string> | undefined)[] = [...shapes.boundsOf(object.type, name)];
    const sources = brought.flatMap(({ fetch, field: { selections, valueType = '' } }): readonly Source[] => {
      if (selections === undefined) return [];
      bounds.push(shapes.typesIn(subgraphOf(fetch), valueType));
      return [{ fetch, selections }];
    });
    const after = sets.intersection(within, fetchesAfter(bringing));
    const nodes = object.nodes.flatMap(({ node, fetches: reaching }) => {
      return (node.children.get(key) ?? []).flatMap((child): readonly ReachedNode[] => {
        const passing = sets.intersection(sets.intersection(reaching, after), fetchesOf(child));
        return passing === sets.none ? [] : [{ node: child, fetches: passing }];
      });
    });
    return positionOf({ type, occurring: occurringTypes(type, bounds, nodes), sources, nodes });
  }

  /**
   * Returns the types that are defined in all subgraphs that resolve the field or are queried for its values. Subgraphs resolve a shared
   * field to the same values, so values of other types do not occur.
   */
  function occurringTypes(
    type: FederatedType,
    bounds: readonly (ReadonlySet<string> | undefined)[],
    nodes: PopulatedPosition['nodes'],
  ): ReadonlySet<string> {
    if (type.kind === 'object' || type.possibleTypes.size === 0) return intersect(type, []);
    const requested = nodes.flatMap(({ node }) => boundsAt(node));
    return intersect(
      type,
      [...bounds, ...requested].flatMap((bound) => bound ?? []),
    );
  }

  /** Returns, for each fetch that enters at a node for values of any type, the possible object types in its subgraph. */
  function boundsAt(node: TrieNode): readonly ReadonlySet<string>[] {
    let bounds = nodeBounds.get(node);
    if (bounds === undefined) {
      bounds = node.entries.flatMap(({ fetch, representations }) => {
        return representations.flatMap(({ typename, types }) => {
          const isAbstract = types === undefined && graph.types.get(typename)?.kind !== 'object';
          return isAbstract ? (shapes.typesIn(subgraphOf(fetch), typename) ?? []) : [];
        });
      });
      nodeBounds.set(node, bounds);
    }
    return bounds;
  }

  /** Intersects sets of possible types. Equal inputs return the same set. */
  function intersect(type: FederatedType, bounds: readonly ReadonlySet<string>[]): ReadonlySet<string> {
    const distinct = new Map(bounds.map((bound) => [selectionsOf.numberOf(bound), bound]));
    const question = `${type.name} ${[...distinct.keys()].sort((one, other) => one - other).join()}`;
    let types = occurringSets.get(question);
    if (types === undefined) {
      const possible = type.kind === 'object' || type.possibleTypes.size === 0 ? [type.name] : [...type.possibleTypes];
      types = new Set(possible.filter((name) => [...distinct.values()].every((bound) => bound.has(name))));
      occurringSets.set(question, types);
    }
    return types;
  }

  const type = graph.types.get(rootType);
  if (type === undefined) throw new Error(`The supergraph has no root type for a ${plan.kind}.`);
  const trie = createFetchTrie(plan, (kind) => graph.roots[kind] ?? '');
  const root = positionOf({ type, occurring: intersect(type, []), sources: [], nodes: [{ node: trie, fetches: counted }] });
  return {
    root,
    objectAt,
    childOf,
    isBrought: ({ brought }, name, key) => brought.get(key)?.some(({ field }) => field.name === name) === true,
    kindsAt,
  };
}

/** Upper bound of the ids in a plan. It allows combining two ids into one number. */
const MOST_IDS = 2 ** 26;

/** Returns a text that is equal for equal nodes and fetches. */
function nameOf({ node, fetches }: ReachedNode): string {
  return `${node.id}:${fetches.id}`;
}

interface NodesByType {
  /** Nodes by object type, for types that are listed in some node. Includes the nodes for all types. */
  readonly byType: ReadonlyMap<string, readonly ReachedNode[]>;
  /** Nodes that apply to values of all types. */
  readonly ofAll: readonly ReachedNode[];
}

function divideByType(nodes: readonly ReachedNode[]): NodesByType {
  const ofAll = nodes.filter(({ node }) => node.types === undefined);
  const byType = new Map<string, ReachedNode[]>();
  for (const reached of nodes) {
    for (const type of reached.node.types ?? []) {
      const known = byType.get(type);
      if (known === undefined) byType.set(type, [...ofAll, reached]);
      else known.push(reached);
    }
  }
  return { byType, ofAll };
}

function isBroughtBy({ brought }: FilledObject, key: string, fetches: FetchSet): boolean {
  return brought.get(key)?.some(({ fetch }) => hasFetch(fetches, fetch)) === true;
}
