import type { SelectionSetNode } from 'graphql';
import type { FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import { subgraphsOf } from './joint-source.ts';
import type { PlanningScope } from './planning-scope.ts';
import { enterableSubgraphs, entryPoints, hasRequirements, plainSource, resolverOf } from './resolvable.ts';
import { collectDeclared } from './wanted-fields.ts';

/** Keys that a source resolves for values of each object type. */
export interface ResolvedKeys {
  /** Identifier that is equal for equal keys within a plan. */
  readonly id: number;
  /** Numbers of keys by object type. Types that the source does not define are absent. */
  readonly byType: ReadonlyMap<string, ReadonlySet<number>>;
}

const NO_KEYS: ReadonlySet<number> = new Set();

/** Keys that are computed for one plan, because its operation determines the joined subgraphs. */
interface KnownKeys {
  readonly bySource: Map<string, ResolvedKeys>;
  readonly joint: Map<string, ResolvedKeys | undefined>;
  /** Number of subgraphs that can be entered, by type and keys. */
  readonly reached: Map<string, number>;
}

const knownKeys = new WeakMap<PlanningScope, KnownKeys>();

function knownIn(scope: PlanningScope): KnownKeys {
  let known = knownKeys.get(scope);
  if (known === undefined) knownKeys.set(scope, (known = { bySource: new Map(), joint: new Map(), reached: new Map() }));
  return known;
}

/** Keys that a subgraph resolves, by labels, type and subgraph. A graph never changes. */
const keysByGraph = new WeakMap<FederatedGraph, Map<string, ReadonlySet<number>>>();

/** Lists the keys that a subgraph, or all subgraphs of a joint source, resolve for values of a type. */
export function resolvedKeys(scope: PlanningScope, type: FederatedType, source: string): ResolvedKeys {
  const { bySource } = knownIn(scope);
  const id = `${type.name} ${source}`;
  let keys = bySource.get(id);
  if (keys === undefined) {
    const byType = new Map<string, ReadonlySet<number>>();
    for (const name of entitiesAt(scope, type)) {
      const resolved = keysOfSource(scope, name, source);
      if (resolved !== undefined) byType.set(name, resolved);
    }
    bySource.set(id, (keys = toResolvedKeys(scope, byType)));
  }
  return keys;
}

/**
 * Lists the keys that are resolved by all subgraphs of a source that define an object type. Returns undefined if no subgraph of the source
 * has values of the type.
 */
function keysOfSource(scope: PlanningScope, name: string, source: string): ReadonlySet<number> | undefined {
  const known = scope.graph.types.get(name)?.subgraphs;
  let keys: ReadonlySet<number> | undefined;
  for (const subgraph of subgraphsOf(source)) {
    if (known !== undefined && known.size > 0 && !known.has(subgraph)) continue;
    const own = keysOf(scope, name, subgraph);
    keys = keys === undefined ? own : intersect(keys, own);
  }
  return keys;
}

/**
 * Computes the common keys of two sources.
 *
 * @returns undefined if, for some type, these keys do not lead to all subgraphs that either source leads to
 */
export function commonKeys(scope: PlanningScope, one: ResolvedKeys, other: ResolvedKeys): ResolvedKeys | undefined {
  if (one.id === other.id) return one;
  const { joint } = knownIn(scope);
  const id = `${one.id}|${other.id}`;
  if (joint.has(id)) return joint.get(id);
  const common = new Map<string, ReadonlySet<number>>();
  let isWhole = true;
  for (const name of new Set([...one.byType.keys(), ...other.byType.keys()])) {
    const [keys, others] = [one.byType.get(name), other.byType.get(name)];
    const shared = keys === undefined || others === undefined ? (keys ?? others ?? NO_KEYS) : intersect(keys, others);
    common.set(name, shared);
    if (keys === undefined || others === undefined || (shared.size === keys.size && shared.size === others.size)) continue;
    isWhole &&= countReached(scope, name, shared) === countReached(scope, name, new Set([...keys, ...others]));
  }
  const keys = isWhole ? toResolvedKeys(scope, common) : undefined;
  joint.set(id, keys);
  return keys;
}

/** Lists the object types of values of a type. A type without entry points is replaced by the types of its fields. */
function entitiesAt({ graph }: PlanningScope, type: FederatedType): readonly string[] {
  const names = new Set<string>();
  const visited = new Set<FederatedType>();
  const visit = (around: FederatedType): void => {
    if (visited.has(around)) return;
    visited.add(around);
    for (const name of around.kind === 'object' ? [around.name] : around.possibleTypes) {
      const possible = graph.types.get(name);
      if (possible === undefined) continue;
      if (enterableSubgraphs(graph, possible).length > 0) names.add(name);
      else for (const { namedType } of possible.fields.values()) visitNamed(namedType);
    }
  };
  const visitNamed = (name: string): void => {
    const inside = graph.types.get(name);
    if (inside !== undefined) visit(inside);
  };
  visit(type);
  return [...names];
}

function toResolvedKeys(scope: PlanningScope, byType: ResolvedKeys['byType']): ResolvedKeys {
  const text = [...byType].map(([name, keys]) => `${name}:${[...keys].sort((one, other) => one - other).join('.')}`).join();
  return { id: scope.numberOf(`keys ${text}`), byType };
}

function intersect(one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...one].filter((key) => other.has(key)));
}

function keysOf(scope: PlanningScope, name: string, subgraph: string): ReadonlySet<number> {
  let ofGraph = keysByGraph.get(scope.graph);
  if (ofGraph === undefined) keysByGraph.set(scope.graph, (ofGraph = new Map()));
  const id = `${name} ${subgraph} ${[...scope.labels].sort().join(' ')}`;
  let keys = ofGraph.get(id);
  if (keys === undefined) ofGraph.set(id, (keys = findKeys(scope, name, subgraph)));
  return keys;
}

function findKeys(scope: PlanningScope, name: string, subgraph: string): ReadonlySet<number> {
  const type = scope.graph.types.get(name);
  const keys = new Set<number>();
  if (type === undefined) return keys;
  for (const other of enterableSubgraphs(scope.graph, type)) {
    for (const { key, keyId } of entryPoints(scope.graph, type, other)) {
      if (!keys.has(keyId) && doesResolve(scope, type, key, subgraph)) keys.add(keyId);
    }
  }
  return keys;
}

function doesResolve(scope: PlanningScope, type: FederatedType, key: SelectionSetNode, subgraph: string): boolean {
  return collectDeclared(scope, type.name, key).every(({ node, selectionSets }) => {
    const resolver = resolverOf(scope, type, node.name.value, plainSource(subgraph));
    if (resolver === undefined || hasRequirements(resolver)) return false;
    const inside = scope.graph.types.get(resolver.namedType);
    if (inside === undefined) return true;
    const names = inside.kind === 'object' ? [inside.name] : [...(inside.subgraphs.get(subgraph)?.possibleTypes ?? inside.possibleTypes)];
    return names.every((name) => {
      const possible = scope.graph.types.get(name);
      return possible === undefined || selectionSets.every((set) => doesResolve(scope, possible, set, subgraph));
    });
  });
}

/** Counts the subgraphs that can be entered, one after another, for values of a type with the given initial keys. */
function countReached(scope: PlanningScope, name: string, keys: ReadonlySet<number>): number {
  const { reached } = knownIn(scope);
  const id = `${name} ${[...keys].sort((one, other) => one - other).join()}`;
  let count = reached.get(id);
  if (count === undefined) reached.set(id, (count = findReached(scope, name, keys).size));
  return count;
}

function findReached(scope: PlanningScope, name: string, keys: ReadonlySet<number>): ReadonlySet<string> {
  const reached = new Set<string>();
  const type = scope.graph.types.get(name);
  if (type === undefined) return reached;
  const known = new Set(keys);
  for (let before = -1; before < reached.size; ) {
    before = reached.size;
    for (const subgraph of enterableSubgraphs(scope.graph, type)) {
      if (reached.has(subgraph) || !entryPoints(scope.graph, type, subgraph).some(({ keyId }) => known.has(keyId))) continue;
      reached.add(subgraph);
      for (const key of keysOf(scope, name, subgraph)) known.add(key);
    }
  }
  return reached;
}
