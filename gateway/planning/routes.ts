import type { FieldNode, SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { estimateField } from './estimate.ts';
import { isJointSource } from './joint-source.ts';
import { type Position, presenceAt, subgraphsAt } from './positions.ts';
import { type PlanningScope, isPending } from './planning-scope.ts';
import {
  type EntryPoint,
  type Source,
  enterableSubgraphs,
  entryPoints,
  hasRequirements,
  inGraphOrder,
  plainSource,
  resolverOf,
  subgraphsNaming,
} from './resolvable.ts';
import type { Route } from './route.ts';
import { sourcesAt, subgraphsResolving } from './sources-at.ts';
import { type WantedField, collectDeclared } from './wanted-fields.ts';

/**
 * Price of fetching all values of an abstract position from a second subgraph to get those of some types. The subgraphs must agree on the
 * type of each value, so any route by a key is preferred.
 *
 * @unit fetches
 */
const VALUES_AGAIN = 100;

/** Price of a value with requirements. @unit fetches */
const REQUIREMENT = 2;

/** Price of requirements that may be unreachable. @unit fetches */
export const UNCERTAIN = 100;

export const NOTHING_AVOIDED: ReadonlySet<string> = new Set();

/**
 * Finds the cheapest route to each subgraph that can be queried for the values of a position. Subgraphs that are already queried come
 * first.
 */
export function findRoutes(scope: PlanningScope, position: Position, avoid: ReadonlySet<string>): ReadonlyMap<string, Route> {
  // Each step of work can create a new route. The routes do not change before the next step.
  const at = scope.budget.left;
  const known = scope.routes.get(position);
  if (known?.at === at && known.avoid === avoid) return known.routes;
  const routes = readRoutes(scope, position, avoid);
  scope.routes.set(position, { at, avoid, routes });
  return routes;
}

/**
 * Finds the route to one subgraph. If planned requests provide a key of the subgraph, no other route is cheaper, and the routes to other
 * subgraphs need not be computed.
 */
export function findRoute(scope: PlanningScope, position: Position, subgraph: string, avoid: ReadonlySet<string>): Route | undefined {
  const known = scope.routes.get(position);
  const isKnown = known?.at === scope.budget.left && known.avoid === avoid;
  const direct = isKnown ? undefined : findDirectRoute(scope, position, subgraph, avoid);
  return direct ?? findRoutes(scope, position, avoid).get(subgraph);
}

function findDirectRoute(scope: PlanningScope, position: Position, subgraph: string, avoid: ReadonlySet<string>): Route | undefined {
  const { parent, field, type, whole } = position;
  const { query, mutation } = scope.graph.roots;
  if (avoid.has(subgraph) || isJointSource(subgraph)) return undefined;
  if (presenceAt(scope.graph, position, subgraph) !== undefined) return PRESENT;
  if (parent === undefined || field === undefined || type.name === query || type.name === mutation) return undefined;
  // The subgraph may resolve the field that leads here.
  if (whole === undefined && subgraphsResolving(scope, parent.type, field.name.value).includes(subgraph)) return undefined;
  const entries = entryPoints(scope.graph, type, subgraph);
  if (entries.length === 0) return undefined;
  const routes = new Map<string, Route>();
  for (const source of subgraphsAt(scope.graph, position)) if (!avoid.has(source)) routes.set(source, PRESENT);
  const entry = cheapestEntry(scope, position, entries, routes);
  return entry?.cost === 0 ? { cost: 1, by: entry.entry } : undefined;
}

/** A key and its price. */
export interface PricedEntry {
  readonly entry: EntryPoint;
  readonly cost: number;
}

/** Finds the key that needs the fewest fetches, or the one that is available first among equals. */
export function cheapestEntry(
  scope: PlanningScope,
  position: Position,
  entries: readonly EntryPoint[],
  routes: ReadonlyMap<string, Route>,
): PricedEntry | undefined {
  let best: PricedEntry | undefined;
  for (const entry of entries) {
    const cost = costOfSelection(scope, position, entry.key, { routes });
    if (cost === Number.POSITIVE_INFINITY || (best !== undefined && cost > best.cost)) continue;
    const isEqual = best !== undefined && cost === best.cost;
    if (isEqual && levelOfInputs(scope, position, entry) >= levelOfInputs(scope, position, best?.entry ?? entry)) continue;
    best = { entry, cost };
  }
  return best;
}

/**
 * Returns the cost of the key with which a separate request for one field enters a subgraph, without the request. The field has inputs of
 * its own, and cannot be part of the key.
 *
 * @returns infinity if the subgraph cannot be entered
 */
export function costOfSeparateEntry(
  scope: PlanningScope,
  position: Position,
  { subgraph, field }: { readonly subgraph: string; readonly field: string },
  routes: ReadonlyMap<string, Route>,
): number {
  const entries = entryPoints(scope.graph, position.type, subgraph);
  if (entries.length === 0 || isPending(scope, position, field)) return Number.POSITIVE_INFINITY;
  const route = routes.get(subgraph);
  // The cost of the route to a subgraph that is not queried yet includes that of its key.
  if (route?.by !== 'presence') return Math.max(0, (route?.cost ?? 1) - 1);
  const pending = scope.pending.get(position) ?? new Set();
  scope.pending.set(position, pending.add(field));
  const entry = cheapestEntry(scope, position, entries, routes);
  pending.delete(field);
  return entry?.cost ?? Number.POSITIVE_INFINITY;
}

const PRESENT: Route = { cost: 0, by: 'presence' };

function readRoutes(scope: PlanningScope, position: Position, avoid: ReadonlySet<string>): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  // Joint sources are not subgraphs of the graph, so they come last.
  for (const source of inGraphOrder(scope.graph, subgraphsAt(scope.graph, position))) {
    if (isJointSource(source) ? scope.isJoining : !avoid.has(source)) routes.set(source, PRESENT);
  }
  // The root types of queries and mutations are the same at every position, so any subgraph can be queried for them. This uses the request
  // in which the subgraph resolves the field that leads here, or a separate request.
  const { query, mutation } = scope.graph.roots;
  if (position.parent === undefined || position.type.name === query || position.type.name === mutation) {
    addParentRoutes(scope, position, routes, { avoid, price: 0 });
    for (const subgraph of scope.graph.subgraphs) {
      const isHere = position.type.subgraphs.size === 0 || position.type.subgraphs.has(subgraph);
      if (isHere && !avoid.has(subgraph) && (routes.get(subgraph)?.cost ?? Number.POSITIVE_INFINITY) > 1)
        routes.set(subgraph, { cost: 1, by: 'root' });
    }
    return routes;
  }
  if (position.whole === undefined) {
    addParentRoutes(scope, position, routes, { avoid, price: 0 });
    addKeyRoutes(scope, position, avoid, routes);
    return routes;
  }
  // A subgraph that shares a field of an abstract type is queried for values of one of its types when no key leads to it.
  addKeyRoutes(scope, position, avoid, routes);
  if (addParentRoutes(scope, position, routes, { avoid, price: VALUES_AGAIN })) addKeyRoutes(scope, position, avoid, routes);
  return routes;
}

/**
 * Finds subgraphs that resolve the field that leads here and can be queried for it at its position. In contrast to a request by key, such a
 * request does not wait for the request that fetches the values. A list is queried like a single value, because a shared field resolves to
 * the same items in all subgraphs.
 *
 * @param price extra price compared to the parent position
 * @returns whether a route was found
 */
function addParentRoutes(
  scope: PlanningScope,
  position: Position,
  routes: Map<string, Route>,
  { avoid, price }: { readonly avoid: ReadonlySet<string>; readonly price: number },
): boolean {
  const { parent, field, whole } = position;
  // The values of a joint position belong to different fields.
  if (position.isJoint || whole?.isJoint === true) return false;
  // Root fields of mutations and subscriptions are effects, so they are requested once.
  if (parent === undefined || field === undefined || (parent.parent === undefined && scope.kind !== 'query')) return false;
  const candidates = subgraphsNaming(scope.graph, parent.type, field.name.value).filter((subgraph) => {
    if (avoid.has(subgraph) || routes.has(subgraph)) return false;
    // If the type is an entity in both subgraphs, the key is the only route between them.
    if (
      whole !== undefined &&
      [...whole.presences.keys(), subgraph].every((one) => entryPoints(scope.graph, position.type, one).length > 0)
    )
      return false;
    const resolver = resolverOf(scope, parent.type, field.name.value, plainSource(subgraph));
    return resolver !== undefined && canBeOf(scope, resolver.namedType, position, subgraph);
  });
  if (candidates.length === 0) return false;
  const around = findRoutes(scope, parent, avoid);
  let isAny = false;
  for (const subgraph of candidates) {
    const cost = costByParent(scope, { parent, field, isWhole: whole === undefined }, subgraph, around);
    if (cost === undefined) continue;
    routes.set(subgraph, { cost: cost + price, by: 'parent' });
    isAny = true;
  }
  return isAny;
}

interface LeadingField {
  readonly parent: Position;
  readonly field: FieldNode;
  /** Whether the position has the values of all types. */
  readonly isWhole: boolean;
}

/** Returns the cost of a request for the field that leads to a position; undefined if the subgraph cannot be queried for it. */
function costByParent(
  scope: PlanningScope,
  { parent, field, isWhole }: LeadingField,
  subgraph: string,
  around: ReadonlyMap<string, Route>,
): number | undefined {
  const route = around.get(subgraph);
  if (route === undefined) return undefined;
  const name = field.name.value;
  const resolver = resolverOf(scope, parent.type, name, presenceAt(scope.graph, parent, subgraph) ?? plainSource(subgraph));
  if (resolver === undefined || !hasRequirements(resolver)) return resolver === undefined ? undefined : route.cost;
  if (!isWhole || resolver.requires === undefined || resolver.contextArguments.length > 0) return undefined;
  const entering = costOfSeparateEntry(scope, parent, { subgraph, field: name }, around);
  if (!Number.isFinite(entering)) return undefined;
  const inputs = costOfSelection(scope, parent, resolver.requires, { routes: around });
  return 1 + (Number.isFinite(inputs) ? inputs : UNCERTAIN) + entering;
}

function canBeOf({ graph }: PlanningScope, typeInSubgraph: string, { type, types }: Position, subgraph: string): boolean {
  if (typeInSubgraph === type.name) return true;
  if (types !== undefined) {
    // Selections for some types only are sent in fragments on these types.
    const here = graph.types.get(typeInSubgraph)?.subgraphs.get(subgraph);
    return here !== undefined && !here.isInterfaceObject && types.every((name) => here.possibleTypes.has(name));
  }
  const declared = graph.types.get(typeInSubgraph);
  const here = declared?.subgraphs.get(subgraph);
  if (here === undefined) return declared?.possibleTypes.has(type.name) === true;
  return here.isInterfaceObject || here.possibleTypes.has(type.name) || (declared !== undefined && type.possibleTypes.has(declared.name));
}

/** Adds routes to subgraphs that can be entered by a key, until no route becomes cheaper. */
function addKeyRoutes(scope: PlanningScope, position: Position, avoid: ReadonlySet<string>, routes: Map<string, Route>): void {
  const { graph } = scope;
  const subgraphs = enterableSubgraphs(graph, position.type).filter((subgraph) => !avoid.has(subgraph));
  // A key that is available without cost remains so, regardless of the subgraph that it leads to.
  const free = new Set<number>();
  let isChanged = true;
  for (let round = 0; isChanged && round <= graph.subgraphs.length; round += 1) {
    isChanged = false;
    for (const subgraph of subgraphs) {
      const known = routes.get(subgraph);
      // A request for entities costs at least one fetch.
      if (known !== undefined && (known.cost < 1 || (known.cost === 1 && known.by !== 'parent'))) continue;
      for (const entry of entryPoints(graph, position.type, subgraph)) {
        const inputs = free.has(entry.keyId) ? 0 : costOfSelection(scope, position, entry.key, { routes, except: subgraph });
        if (inputs === 0) free.add(entry.keyId);
        const route: Route = { cost: 1 + inputs, by: entry };
        if (!isBetter(scope, position, subgraph, { route, known: routes.get(subgraph) })) continue;
        routes.set(subgraph, route);
        isChanged = true;
      }
    }
  }
}

/** Whether a route by a key needs fewer fetches than the known one, or the same number but can be sent earlier. */
function isBetter(
  scope: PlanningScope,
  position: Position,
  subgraph: string,
  { route, known }: { readonly route: Route; readonly known: Route | undefined },
): boolean {
  if (known === undefined || route.cost !== known.cost) return route.cost < (known?.cost ?? Number.POSITIVE_INFINITY);
  if (known.by === 'presence' || known.by === 'root') return false;
  return levelOfRoute(scope, position, subgraph, route) < levelOfRoute(scope, position, subgraph, known);
}

/** Computes the level at which a subgraph can be queried for the values of a position. */
export function levelOfRoute(scope: PlanningScope, position: Position, subgraph: string, route: Route | undefined): number {
  const presence = presenceAt(scope.graph, position, subgraph);
  if (presence !== undefined) return presence.fetch.level;
  const { parent } = position;
  if (route === undefined || route.by === 'presence' || parent === undefined) return 0;
  if (route.by === 'parent') return levelOfRoute(scope, parent, subgraph, findRoutes(scope, parent, NOTHING_AVOIDED).get(subgraph));
  const bringing = parent.builders.get(position.key)?.level ?? 0;
  return 1 + (route.by === 'root' ? bringing : Math.max(bringing, levelOfInputs(scope, position, route.by)));
}

/** Returns the level of the last field of a key, from subgraphs that are queried anyway. */
function levelOfInputs(scope: PlanningScope, position: Position, { key }: EntryPoint): number {
  let last = 0;
  for (const { node } of collectDeclared(scope, position.type.name, key)) {
    let first = position.builders.get(scope.keys.keyOf(node, position.type.name, position.isBeneathAbstract))?.level;
    for (const subgraph of first === undefined ? subgraphsAt(scope.graph, position) : []) {
      const presence = presenceAt(scope.graph, position, subgraph);
      if (presence === undefined || !isPlain(scope, position.type, node.name.value, presence)) continue;
      first = Math.min(first ?? Number.POSITIVE_INFINITY, presence.fetch.level);
    }
    last = Math.max(last, first ?? 0);
  }
  return last;
}

/** Whether a subgraph resolves a field without further inputs. */
export function isPlain(scope: PlanningScope, type: FederatedType, name: string, source: Source): boolean {
  const resolver = resolverOf(scope, type, name, source);
  return resolver !== undefined && !hasRequirements(resolver);
}

/**
 * Whether planned requests provide a field: they fetch it, or they query the objects that have it and can add it. Only objects are checked
 * recursively, because for a leaf, a route by presence has the same effect.
 */
function isInProgress(scope: PlanningScope, position: Position, wanted: WantedField): boolean {
  const key = scope.keys.keyOf(wanted.node, position.type.name, position.isBeneathAbstract);
  if (!position.builders.has(key)) return false;
  const child = position.children.get(key);
  if (wanted.selectionSets.length === 0) return true;
  if (child === undefined || child.type.kind !== 'object') return false;
  return wanted.selectionSets.every((selectionSet) => {
    return collectDeclared(scope, child.type.name, selectionSet).every((inner) => {
      return isInProgress(scope, child, inner) || isFree(scope, child, inner);
    });
  });
}

/** Whether a subgraph that is queried anyway resolves a field and all of its selections. */
function isFree(scope: PlanningScope, position: Position, wanted: WantedField): boolean {
  return [...position.presences.values()].some((presence) => {
    const resolver = resolverOf(scope, position.type, wanted.node.name.value, presence);
    return resolver !== undefined && !hasRequirements(resolver) && estimateField(scope, presence, position.type, wanted) === 0;
  });
}

/**
 * Computes the cost of a selection at a position with the given routes, without the route to `except`.
 *
 * @returns infinity if the routes cannot provide the selection
 */
export function costOfSelection(
  scope: PlanningScope,
  position: Position,
  selectionSet: SelectionSetNode,
  { routes, except }: { readonly routes: ReadonlyMap<string, Route>; readonly except?: string },
): number {
  const requested = new Set<string>();
  const sourcesOf = sourcesAt(scope, position);
  let cost = 0;
  for (const wanted of collectDeclared(scope, position.type.name, selectionSet)) {
    if (isInProgress(scope, position, wanted)) continue;
    let best: { readonly subgraph: string; readonly cost: number } | undefined;
    for (const subgraph of sourcesOf(wanted.node.name.value)) {
      const route = routes.get(subgraph);
      if (route === undefined || subgraph === except) continue;
      const path = requested.has(subgraph) ? 0 : route.cost;
      if (best !== undefined && path >= best.cost) continue;
      const source = presenceAt(scope.graph, position, subgraph) ?? plainSource(subgraph);
      const resolver = resolverOf(scope, position.type, wanted.node.name.value, source);
      if (resolver === undefined || (hasRequirements(resolver) && isPending(scope, position, wanted.node.name.value))) continue;
      const own = estimateField(scope, source, position.type, wanted) + (hasRequirements(resolver) ? REQUIREMENT : 0);
      const total = own + path;
      if (best === undefined || total < best.cost) best = { subgraph, cost: total };
      if (best.cost === 0) break;
    }
    if (best === undefined) return Number.POSITIVE_INFINITY;
    requested.add(best.subgraph);
    cost += best.cost;
  }
  return cost;
}
