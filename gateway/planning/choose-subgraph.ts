import type { SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { estimateField } from './estimate.ts';
import { type Place, presenceAt, subgraphsAt } from './places.ts';
import { NoWay, type PlanningScope, type Purpose } from './planning-scope.ts';
import { type Source, entryPoints, hasRequirements, plainSource, resolverOf, subgraphsNaming } from './resolvable.ts';
import type { Route } from './route.ts';
import { costOfSelection, findRoutes } from './routes.ts';
import { type WantedField, collectWanted } from './wanted-fields.ts';

/** Who is asked next, and for what. */
export interface Choice {
  readonly subgraph: string;
  readonly chosen: readonly WantedField[];
  /** Whether it needs more than the entity's key. */
  readonly isRequiring: boolean;
}

/** What is still to be planned at a place. */
export interface OpenFields {
  readonly fields: readonly WantedField[];
  /** Collects what is wanted inside of fields that are placed already. Called only to decide between equal choices. */
  readonly inside: () => ReadonlyMap<Place, readonly SelectionSetNode[]>;
}

/** How a field can be had from one subgraph. */
interface Option {
  /** What the field takes beyond the way to the subgraph. @unit fetches */
  readonly cost: number;
  /** What it takes with the way to the subgraph. @unit fetches */
  readonly price: number;
  readonly isRequiring: boolean;
}

/** How a field can be had, by subgraph, and what it takes at best with the way to the subgraph. */
interface Candidate {
  readonly wanted: WantedField;
  readonly options: ReadonlyMap<string, Option>;
  readonly lowestPrice: number;
  /** What it takes in any case, the way there not included. @unit fetches */
  readonly lowestCost: number;
}

/**
 * Chooses the subgraph that brings most for the least: the lowest price per field, the way there included. Subgraphs that are asked
 * anyway cost nothing and are chosen first.
 *
 * @throws NoWay when one of the fields cannot be had at all
 */
export function chooseSubgraph(scope: PlanningScope, place: Place, open: OpenFields, { avoid }: Purpose): Choice {
  const { fields } = open;
  const ready = findReady(scope, place, fields, avoid);
  if (ready !== undefined) return ready;
  const routes = findRoutes(scope, place, avoid);
  const candidates = fields.map((wanted) => toCandidate(scope, place, wanted, routes));
  let best: (Choice & { readonly price: number }) | undefined;
  const consider = (choice: Choice, price: number): void => {
    if (
      best === undefined ||
      price < best.price ||
      (price === best.price && isRather(scope, place, { one: choice, other: best, routes, open }))
    )
      best = { ...choice, price };
  };
  for (const [subgraph, route] of routes) {
    const chosen: WantedField[] = [];
    let cost = route.cost;
    for (const { wanted, options, lowestPrice, lowestCost } of candidates) {
      const option = options.get(subgraph);
      if (option === undefined) continue;
      if (option.isRequiring) {
        if (option.price <= lowestPrice) consider({ subgraph, chosen: [wanted], isRequiring: true }, option.price);
      } else if (option.cost < lowestPrice || option.price <= lowestPrice) {
        chosen.push(wanted);
        // What has to be paid whoever is asked speaks against nobody.
        cost += option.cost - lowestCost;
      }
    }
    if (chosen.length > 0) consider({ subgraph, chosen, isRequiring: false }, cost / chosen.length);
  }
  if (best === undefined) throw new NoWay(`get ${place.type.name}.${fields[0]?.node.name.value ?? ''}`);
  return best;
}

interface Comparison {
  readonly one: Choice;
  readonly other: Choice;
  readonly routes: ReadonlyMap<string, Route>;
  readonly open: OpenFields;
}

/** Which of two equally dear choices it is: the earlier, the one that brings more, the one whose request may be joined to others. */
function isRather(scope: PlanningScope, place: Place, { one, other, routes, open }: Comparison): boolean {
  const [first, second] = [levelAt(scope, place, one.subgraph), levelAt(scope, place, other.subgraph)];
  if (first !== second) return first < second;
  if (one.chosen.length !== other.chosen.length) return one.chosen.length > other.chosen.length;
  const [own, its] = [one, other].map(({ subgraph }) => whenSent(scope, place, subgraph, routes.get(subgraph)));
  if (own === undefined || its === undefined || own.isJoined !== its.isJoined) return own?.isJoined === true;
  if (own.level !== its.level) return own.level < its.level;
  return countFurther(scope, place, one.subgraph, open) > countFurther(scope, place, other.subgraph, open);
}

/** How many fields inside of values that are under way no subgraph brings yet, and this one could in the same request. */
function countFurther(scope: PlanningScope, place: Place, subgraph: string, { inside }: OpenFields): number {
  let count = 0;
  for (const [{ type, field, presences }, selectionSets] of inside()) {
    if (type.kind !== 'object' || field === undefined || presences.has(subgraph)) continue;
    if (!isPlain(scope, place.type, field.name.value, plainSource(subgraph))) continue;
    for (const { node } of collectWanted(scope, type.name, selectionSets).fields) {
      const name = node.name.value;
      if ([...presences.values()].some((presence) => isPlain(scope, type, name, presence))) continue;
      if (isPlain(scope, type, name, plainSource(subgraph))) count += 1;
    }
  }
  return count;
}

/** Whether a subgraph resolves a field without further inputs. */
function isPlain(scope: PlanningScope, type: FederatedType, name: string, source: Source): boolean {
  const resolver = resolverOf(scope, type, name, source);
  return resolver !== undefined && !hasRequirements(resolver);
}

/** When a request to a subgraph can be sent, and whether it may be joined to another one. */
function whenSent(scope: PlanningScope, place: Place, subgraph: string, route: Route | undefined): { level: number; isJoined: boolean } {
  const presence = presenceAt(scope.graph, place, subgraph);
  if (presence !== undefined) return { level: presence.fetch.level, isJoined: true };
  if (route === undefined || route.by === 'presence' || place.parent === undefined) return { level: 0, isJoined: false };
  if (route.by === 'parent') {
    const around = findRoutes(scope, place.parent, NOBODY).get(subgraph);
    return whenSent(scope, place.parent, subgraph, around);
  }
  const bringing = place.parent.placed.get(place.key)?.level ?? 0;
  return { level: bringing + 1, isJoined: route.by !== 'root' && scope.asked.has(subgraph) };
}

const NOBODY: ReadonlySet<string> = new Set();

/** What a subgraph that is asked anyway brings for nothing; the earliest first, since others may wait for it. */
function findReady(scope: PlanningScope, place: Place, fields: readonly WantedField[], avoid: ReadonlySet<string>): Choice | undefined {
  const present = subgraphsAt(scope.graph, place).filter((subgraph) => !avoid.has(subgraph));
  if (present.length > 1) present.sort((one, other) => levelAt(scope, place, one) - levelAt(scope, place, other));
  for (const subgraph of present) {
    const source = presenceAt(scope.graph, place, subgraph) ?? plainSource(subgraph);
    const chosen = fields.filter((wanted) => {
      const resolver = resolverOf(scope, place.type, wanted.node.name.value, source);
      if (resolver === undefined || hasRequirements(resolver)) return false;
      return wanted.selectionSets.length === 0 || estimateField(scope, source, place.type, wanted) === 0;
    });
    if (chosen.length > 0) return { subgraph, chosen, isRequiring: false };
  }
  return undefined;
}

/** When a subgraph is asked about the values of a place. */
function levelAt({ graph }: PlanningScope, place: Place, subgraph: string): number {
  return presenceAt(graph, place, subgraph)?.fetch.level ?? Number.POSITIVE_INFINITY;
}

function toCandidate(scope: PlanningScope, place: Place, wanted: WantedField, routes: ReadonlyMap<string, Route>): Candidate {
  const options = new Map<string, Option>();
  let lowestPrice = Number.POSITIVE_INFINITY;
  let lowestCost = Number.POSITIVE_INFINITY;
  const add = (subgraph: string, option: Option): void => {
    options.set(subgraph, option);
    lowestPrice = Math.min(lowestPrice, option.price);
    lowestCost = Math.min(lowestCost, option.cost);
  };
  for (const subgraph of subgraphsNaming(scope.graph, place.type, wanted.node.name.value)) {
    const route = routes.get(subgraph);
    if (route === undefined) continue;
    const source = presenceAt(scope.graph, place, subgraph) ?? plainSource(subgraph);
    const resolver = resolverOf(scope, place.type, wanted.node.name.value, source);
    if (resolver === undefined) continue;
    const inside = estimateField(scope, source, place.type, wanted);
    if (!hasRequirements(resolver)) {
      add(subgraph, { cost: inside, price: inside + route.cost, isRequiring: false });
    } else if (entryPoints(scope.graph, place.type, subgraph).length > 0) {
      const inputs = resolver.requires === undefined ? 0 : costOfSelection(scope, place, resolver.requires, { routes });
      const cost = 1 + inside + (Number.isFinite(inputs) ? inputs : UNCERTAIN);
      add(subgraph, { cost, price: cost + Math.max(0, route.cost - 1), isRequiring: true });
    }
  }
  if (options.size === 0) throw new NoWay(`get ${place.type.name}.${wanted.node.name.value}`);
  return { wanted, options, lowestPrice, lowestCost };
}

/** The price of requirements that may be out of reach. @unit fetches */
const UNCERTAIN = 100;
