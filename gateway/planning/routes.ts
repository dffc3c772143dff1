import type { SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { estimateField } from './estimate.ts';
import { isJointSource } from './joint-source.ts';
import { type Place, type Presence, presenceAt, subgraphsAt } from './places.ts';
import type { PlanningScope } from './planning-scope.ts';
import { type EntryPoint, type Source, entryPoints, hasRequirements, plainSource, resolverOf, subgraphsNaming } from './resolvable.ts';
import type { Route } from './route.ts';
import { type WantedField, collectDeclared } from './wanted-fields.ts';

/**
 * The price of asking a second subgraph for all values of an abstract place to get those of some types: the subgraphs have to agree on which value
 * is of which type, so that any way by a key is rather taken. @unit fetches
 */
const VALUES_AGAIN = 100;

/** The price of a value that has requirements of its own. @unit fetches */
const REQUIREMENT = 2;

export const NOTHING_AVOIDED: ReadonlySet<string> = new Set();

/** The ways into all subgraphs that can be asked about the values of a place, each the cheapest there is; those in use come first. */
export function findRoutes(scope: PlanningScope, place: Place, avoid: ReadonlySet<string>): ReadonlyMap<string, Route> {
  // Each step of work may open a way; until the next one they stay the same.
  const at = scope.budget.left;
  const known = scope.routes.get(place);
  if (known?.at === at && known.avoid === avoid) return known.routes;
  const routes = readRoutes(scope, place, avoid);
  scope.routes.set(place, { at, avoid, routes });
  return routes;
}

/**
 * Finds the way into one subgraph. Where a key leads there that comes from requests which are planned anyway, no other way is cheaper, and the ways
 * into other subgraphs do not have to be found.
 */
export function findRoute(scope: PlanningScope, place: Place, subgraph: string, avoid: ReadonlySet<string>): Route | undefined {
  const known = scope.routes.get(place);
  const isKnown = known?.at === scope.budget.left && known.avoid === avoid;
  const direct = isKnown ? undefined : findDirectRoute(scope, place, subgraph, avoid);
  return direct ?? findRoutes(scope, place, avoid).get(subgraph);
}

function findDirectRoute(scope: PlanningScope, place: Place, subgraph: string, avoid: ReadonlySet<string>): Route | undefined {
  const { parent, field, type, whole } = place;
  const { query, mutation } = scope.graph.roots;
  if (avoid.has(subgraph) || isJointSource(subgraph)) return undefined;
  if (presenceAt(scope.graph, place, subgraph) !== undefined) return PRESENT;
  if (parent === undefined || field === undefined || type.name === query || type.name === mutation) return undefined;
  // It may be asked for the field that leads here.
  if (whole === undefined && subgraphsResolving(scope, parent.type, field.name.value).includes(subgraph)) return undefined;
  const entries = entryPoints(scope.graph, type, subgraph);
  if (entries.length === 0) return undefined;
  const routes = new Map<string, Route>();
  for (const source of subgraphsAt(scope.graph, place)) if (!avoid.has(source)) routes.set(source, PRESENT);
  const entry = cheapestEntry(scope, place, entries, routes);
  return entry?.cost === 0 ? { cost: 1, by: entry.entry } : undefined;
}

/** A key, and what it takes to get it. */
export interface PricedEntry {
  readonly entry: EntryPoint;
  readonly cost: number;
}

/** Finds the key that takes the fewest fetches; of several the one that arrives first. */
export function cheapestEntry(
  scope: PlanningScope,
  place: Place,
  entries: readonly EntryPoint[],
  routes: ReadonlyMap<string, Route>,
): PricedEntry | undefined {
  let best: PricedEntry | undefined;
  for (const entry of entries) {
    const cost = costOfSelection(scope, place, entry.key, { routes });
    if (cost === Number.POSITIVE_INFINITY || (best !== undefined && cost > best.cost)) continue;
    const isEqual = best !== undefined && cost === best.cost;
    if (isEqual && levelOfInputs(scope, place, entry) >= levelOfInputs(scope, place, best?.entry ?? entry)) continue;
    best = { entry, cost };
  }
  return best;
}

const PRESENT: Route = { cost: 0, by: 'presence' };

function readRoutes(scope: PlanningScope, place: Place, avoid: ReadonlySet<string>): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  const subgraphs = scope.graph.subgraphs.filter((subgraph) => !avoid.has(subgraph));
  for (const subgraph of subgraphs) {
    if (presenceAt(scope.graph, place, subgraph) !== undefined) routes.set(subgraph, PRESENT);
  }
  if (scope.isJoining) {
    for (const source of subgraphsAt(scope.graph, place)) if (isJointSource(source)) routes.set(source, PRESENT);
  }
  // The root types of queries and of mutations are the same wherever they stand, so that any subgraph can be asked about them: in the
  // request in which it resolves the field that leads here, or by a request of its own.
  const { query, mutation } = scope.graph.roots;
  if (place.parent === undefined || place.type.name === query || place.type.name === mutation) {
    addParentRoutes(scope, place, routes, { avoid, price: 0 });
    for (const subgraph of subgraphs) {
      const isHere = place.type.subgraphs.size === 0 || place.type.subgraphs.has(subgraph);
      if (isHere && (routes.get(subgraph)?.cost ?? Number.POSITIVE_INFINITY) > 1) routes.set(subgraph, { cost: 1, by: 'root' });
    }
    return routes;
  }
  if (place.whole === undefined) {
    addParentRoutes(scope, place, routes, { avoid, price: 0 });
    addKeyRoutes(scope, place, subgraphs, routes);
    return routes;
  }
  // Who shares a field of an abstract type is asked for values of one of its types where no key leads to that subgraph.
  addKeyRoutes(scope, place, subgraphs, routes);
  if (addParentRoutes(scope, place, routes, { avoid, price: VALUES_AGAIN })) addKeyRoutes(scope, place, subgraphs, routes);
  return routes;
}

/**
 * Finds subgraphs that resolve the field which leads here, and can be asked for it where it is. Unlike a request by key, theirs does not wait for the
 * request that brings the values. A list is asked for like a single value: a shared field resolves to the same items in all subgraphs.
 *
 * @param price of each of them beyond that of the place around @returns whether there is one
 */
function addParentRoutes(
  scope: PlanningScope,
  place: Place,
  routes: Map<string, Route>,
  { avoid, price }: { readonly avoid: ReadonlySet<string>; readonly price: number },
): boolean {
  const { parent, field, whole } = place;
  // The values of a joint place are those of different fields.
  if (place.isJoint || whole?.isJoint === true) return false;
  // The root fields of anything but a query are effects: they are asked for once.
  if (parent === undefined || field === undefined || (parent.parent === undefined && scope.kind !== 'query')) return false;
  const candidates = subgraphsNaming(scope.graph, parent.type, field.name.value).filter((subgraph) => {
    if (avoid.has(subgraph) || routes.has(subgraph)) return false;
    // Where both subgraphs have the type as an entity, the key is the only way from one to the other.
    if (whole !== undefined && [...whole.presences.keys(), subgraph].every((one) => entryPoints(scope.graph, place.type, one).length > 0))
      return false;
    const resolver = resolverOf(scope, parent.type, field.name.value, plainSource(subgraph));
    if (resolver === undefined || hasRequirements(resolver)) return false;
    return canBeOf(scope, resolver.namedType, place, subgraph);
  });
  if (candidates.length === 0) return false;
  const around = findRoutes(scope, parent, avoid);
  let isAny = false;
  for (const subgraph of candidates) {
    const route = around.get(subgraph);
    if (route === undefined) continue;
    routes.set(subgraph, { cost: route.cost + price, by: 'parent' });
    isAny = true;
  }
  return isAny;
}

function canBeOf({ graph }: PlanningScope, typeInSubgraph: string, { type, types }: Place, subgraph: string): boolean {
  if (typeInSubgraph === type.name) return true;
  if (types !== undefined) {
    // What is asked of some types only is asked by fragments on them.
    const here = graph.types.get(typeInSubgraph)?.subgraphs.get(subgraph);
    return here !== undefined && !here.isInterfaceObject && types.every((name) => here.possibleTypes.has(name));
  }
  const declared = graph.types.get(typeInSubgraph);
  const here = declared?.subgraphs.get(subgraph);
  if (here === undefined) return declared?.possibleTypes.has(type.name) === true;
  return here.isInterfaceObject || here.possibleTypes.has(type.name) || (declared !== undefined && type.possibleTypes.has(declared.name));
}

/** Subgraphs that can be entered by a key, as long as any of them gets cheaper. */
function addKeyRoutes(scope: PlanningScope, place: Place, subgraphs: readonly string[], routes: Map<string, Route>): void {
  const { graph } = scope;
  // What is free now stays free, whichever subgraph is entered by it.
  const free = new Set<number>();
  let isChanged = true;
  for (let round = 0; isChanged && round <= subgraphs.length; round += 1) {
    isChanged = false;
    for (const subgraph of subgraphs) {
      const known = routes.get(subgraph);
      // No request for entities costs less than one.
      if (known !== undefined && (known.cost < 1 || (known.cost === 1 && known.by !== 'parent'))) continue;
      for (const entry of entryPoints(graph, place.type, subgraph)) {
        const inputs = free.has(entry.keyId) ? 0 : costOfSelection(scope, place, entry.key, { routes, except: subgraph });
        if (inputs === 0) free.add(entry.keyId);
        const route: Route = { cost: 1 + inputs, by: entry };
        if (!isBetter(scope, place, subgraph, { route, known: routes.get(subgraph) })) continue;
        routes.set(subgraph, route);
        isChanged = true;
      }
    }
  }
}

/** Whether a route by a key takes fewer fetches than the known one, or as many and can be asked earlier. */
function isBetter(
  scope: PlanningScope,
  place: Place,
  subgraph: string,
  { route, known }: { readonly route: Route; readonly known: Route | undefined },
): boolean {
  if (known === undefined || route.cost !== known.cost) return route.cost < (known?.cost ?? Number.POSITIVE_INFINITY);
  if (known.by === 'presence' || known.by === 'root') return false;
  return levelOfRoute(scope, place, subgraph, route) < levelOfRoute(scope, place, subgraph, known);
}

/** Computes in which wave a subgraph can be asked about the values of a place. */
export function levelOfRoute(scope: PlanningScope, place: Place, subgraph: string, route: Route | undefined): number {
  const presence = presenceAt(scope.graph, place, subgraph);
  if (presence !== undefined) return presence.fetch.level;
  const { parent } = place;
  if (route === undefined || route.by === 'presence' || parent === undefined) return 0;
  if (route.by === 'parent') return levelOfRoute(scope, parent, subgraph, findRoutes(scope, parent, NOTHING_AVOIDED).get(subgraph));
  const bringing = parent.placed.get(place.key)?.level ?? 0;
  return 1 + (route.by === 'root' ? bringing : Math.max(bringing, levelOfInputs(scope, place, route.by)));
}

/** Finds when the last field of a key arrives from subgraphs that are asked anyway. */
function levelOfInputs(scope: PlanningScope, place: Place, { key }: EntryPoint): number {
  let last = 0;
  for (const { node } of collectDeclared(scope, place.type.name, key)) {
    let first = place.placed.get(scope.keys.keyOf(node, place.type.name, place.isBeneathAbstract))?.level;
    for (const subgraph of first === undefined ? subgraphsAt(scope.graph, place) : []) {
      const presence = presenceAt(scope.graph, place, subgraph);
      if (presence === undefined || !isPlain(scope, place.type, node.name.value, presence)) continue;
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
 * Whether a field arrives by requests that are planned already: they bring it, or they ask about the objects that have it and
 * can bring it along. Only objects are looked into: of a leaf, a route by presence says the same.
 */
function isUnderWay(scope: PlanningScope, place: Place, wanted: WantedField): boolean {
  const key = scope.keys.keyOf(wanted.node, place.type.name, place.isBeneathAbstract);
  if (!place.placed.has(key)) return false;
  const child = place.children.get(key);
  if (wanted.selectionSets.length === 0) return true;
  if (child === undefined || child.type.kind !== 'object') return false;
  return wanted.selectionSets.every((selectionSet) => {
    return collectDeclared(scope, child.type.name, selectionSet).every((inner) => {
      return isUnderWay(scope, child, inner) || isFree(scope, child, inner);
    });
  });
}

/** Whether a subgraph that is asked about the values anyway resolves a field and all inside of it. */
function isFree(scope: PlanningScope, place: Place, wanted: WantedField): boolean {
  return [...place.presences.values()].some((presence) => {
    const resolver = resolverOf(scope, place.type, wanted.node.name.value, presence);
    return resolver !== undefined && !hasRequirements(resolver) && estimateField(scope, presence, place.type, wanted) === 0;
  });
}

/** Lists the subgraphs that can resolve a field of the values of a place, and the joint sources that are asked about the values. */
export function sourcesOf(scope: PlanningScope, place: Place, field: string): readonly string[] {
  const { whole = place } = place;
  const isProvided = isAnyProvided(whole.presences.values());
  const subgraphs = isProvided ? subgraphsNaming(scope.graph, place.type, field) : subgraphsResolving(scope, place.type, field);
  if (!scope.isJoining || !isAnyJoint(whole.presences.keys())) return subgraphs;
  return [...subgraphsAt(scope.graph, place).filter(isJointSource), ...subgraphs];
}

/** Tells if fields are provided on the way to some values. Parts of a place have what is provided to the whole. */
function isAnyProvided(presences: Iterable<Presence>): boolean {
  for (const { provides } of presences) if (provides.length > 0) return true;
  return false;
}

/** Tells if some values are those of a joint place, or of parts of one. */
function isAnyJoint(sources: Iterable<string>): boolean {
  for (const source of sources) if (isJointSource(source)) return true;
  return false;
}

/** Lists the subgraphs that resolve a field of a type where nothing is provided. */
function subgraphsResolving(scope: PlanningScope, type: FederatedType, field: string): readonly string[] {
  let ofType = scope.resolving.get(type);
  if (ofType === undefined) scope.resolving.set(type, (ofType = new Map()));
  let subgraphs = ofType.get(field);
  if (subgraphs === undefined) {
    const naming = subgraphsNaming(scope.graph, type, field);
    ofType.set(field, (subgraphs = naming.filter((subgraph) => resolverOf(scope, type, field, plainSource(subgraph)) !== undefined)));
  }
  return subgraphs;
}

/**
 * What it takes to get a selection at a place.
 *
 * @param ways the routes there are; none into `except` is to be taken
 * @returns infinity when it cannot be had on these routes
 */
export function costOfSelection(
  scope: PlanningScope,
  place: Place,
  selectionSet: SelectionSetNode,
  { routes, except }: { readonly routes: ReadonlyMap<string, Route>; readonly except?: string },
): number {
  const asked = new Set<string>();
  let cost = 0;
  for (const wanted of collectDeclared(scope, place.type.name, selectionSet)) {
    if (isUnderWay(scope, place, wanted)) continue;
    let best: { readonly subgraph: string; readonly cost: number } | undefined;
    for (const subgraph of sourcesOf(scope, place, wanted.node.name.value)) {
      const route = routes.get(subgraph);
      if (route === undefined || subgraph === except) continue;
      const way = asked.has(subgraph) ? 0 : route.cost;
      if (best !== undefined && way >= best.cost) continue;
      const source = presenceAt(scope.graph, place, subgraph) ?? plainSource(subgraph);
      const resolver = resolverOf(scope, place.type, wanted.node.name.value, source);
      if (resolver === undefined) continue;
      const own = estimateField(scope, source, place.type, wanted) + (hasRequirements(resolver) ? REQUIREMENT : 0);
      const total = own + way;
      if (best === undefined || total < best.cost) best = { subgraph, cost: total };
      if (best.cost === 0) break;
    }
    if (best === undefined) return Number.POSITIVE_INFINITY;
    asked.add(best.subgraph);
    cost += best.cost;
  }
  return cost;
}
