import type { SelectionSetNode } from 'graphql';
import { estimateField } from './estimate.ts';
import { type Place, presenceAt } from './places.ts';
import type { PlanningScope } from './planning-scope.ts';
import { entryPoints, hasRequirements, plainSource, resolverOf, subgraphsNaming } from './resolvable.ts';
import type { Route } from './route.ts';
import { type WantedField, collectDeclared } from './wanted-fields.ts';

/**
 * The price of asking a second subgraph for a list that another has as well: no fetch, but bytes, and the items must not have changed in between.
 * For a single value there is none: unlike a request by key, it does not wait for the first. @unit fetches
 */
const LIST_AGAIN = 0.1;

/** The price of a value that has requirements of its own. @unit fetches */
const REQUIREMENT = 2;

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

function readRoutes(scope: PlanningScope, place: Place, avoid: ReadonlySet<string>): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  const subgraphs = scope.graph.subgraphs.filter((subgraph) => !avoid.has(subgraph));
  for (const subgraph of subgraphs) {
    if (presenceAt(scope.graph, place, subgraph) !== undefined) routes.set(subgraph, { cost: 0, by: 'presence' });
  }
  // The root types of queries and of mutations are the same wherever they stand, so that any subgraph can be asked about them: in the
  // request in which it resolves the field that leads here, or by a request of its own.
  const { query, mutation } = scope.graph.roots;
  if (place.parent === undefined || place.type.name === query || place.type.name === mutation) {
    addParentRoutes(scope, place, avoid, routes);
    for (const subgraph of subgraphs) {
      const isHere = place.type.subgraphs.size === 0 || place.type.subgraphs.has(subgraph);
      if (isHere && (routes.get(subgraph)?.cost ?? Number.POSITIVE_INFINITY) > 1) routes.set(subgraph, { cost: 1, by: 'root' });
    }
    return routes;
  }
  addParentRoutes(scope, place, avoid, routes);
  addKeyRoutes(scope, place, subgraphs, routes);
  return routes;
}

/** Subgraphs that resolve the field which leads here, and can be asked for it where it is. */
function addParentRoutes(scope: PlanningScope, place: Place, avoid: ReadonlySet<string>, routes: Map<string, Route>): void {
  const { parent, field, whole } = place;
  // Who shares a field of an abstract type is asked for all of its values or for none: whose values a type's are, would be in doubt.
  if (whole !== undefined) return;
  // The root fields of anything but a query are effects: they are asked for once.
  if (parent === undefined || field === undefined || (parent.parent === undefined && scope.kind !== 'query')) return;
  const candidates = subgraphsNaming(scope.graph, parent.type, field.name.value).filter((subgraph) => {
    if (avoid.has(subgraph) || routes.has(subgraph)) return false;
    const resolver = resolverOf(scope, parent.type, field.name.value, plainSource(subgraph));
    if (resolver === undefined || hasRequirements(resolver)) return false;
    return canBeOf(scope, resolver.namedType, place, subgraph);
  });
  if (candidates.length === 0) return;
  const around = findRoutes(scope, parent, avoid);
  const again = parent.type.fields.get(field.name.value)?.type.startsWith('[') === true ? LIST_AGAIN : 0;
  for (const subgraph of candidates) {
    const route = around.get(subgraph);
    if (route !== undefined) routes.set(subgraph, { cost: route.cost + again, by: 'parent' });
  }
}

function canBeOf({ graph }: PlanningScope, typeInSubgraph: string, { type }: Place, subgraph: string): boolean {
  if (typeInSubgraph === type.name) return true;
  const declared = graph.types.get(typeInSubgraph);
  const here = declared?.subgraphs.get(subgraph);
  if (here === undefined) return declared?.possibleTypes.has(type.name) === true;
  return here.isInterfaceObject || here.possibleTypes.has(type.name) || (declared !== undefined && type.possibleTypes.has(declared.name));
}

/** Subgraphs that can be entered by a key, as long as any of them gets cheaper. */
function addKeyRoutes(scope: PlanningScope, place: Place, subgraphs: readonly string[], routes: Map<string, Route>): void {
  let isChanged = true;
  for (let round = 0; isChanged && round <= subgraphs.length; round += 1) {
    isChanged = false;
    for (const subgraph of subgraphs) {
      const known = routes.get(subgraph);
      // No request for entities costs less than one.
      if (known !== undefined && known.cost <= 1) continue;
      for (const entry of entryPoints(scope.graph, place.type, subgraph)) {
        const cost = 1 + costOfSelection(scope, place, entry.key, { routes, except: subgraph });
        if (cost >= (routes.get(subgraph)?.cost ?? Number.POSITIVE_INFINITY)) continue;
        routes.set(subgraph, { cost, by: entry });
        isChanged = true;
      }
    }
  }
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
    for (const subgraph of subgraphsNaming(scope.graph, place.type, wanted.node.name.value)) {
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
