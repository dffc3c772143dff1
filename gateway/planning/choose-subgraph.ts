import type { SelectionSetNode } from 'graphql';
import { areChoicesNoted } from './choices.ts';
import { SAME_PRICE, estimateField, estimateWanted } from './estimate.ts';
import { type Position, presenceAt, subgraphsAt } from './positions.ts';
import { NoPath, type PlanningScope, type Purpose } from './planning-scope.ts';
import { hasRequirements, plainSource, requirementsOf, resolverOf } from './resolvable.ts';
import type { Route } from './route.ts';
import {
  NOTHING_AVOIDED,
  UNCERTAIN,
  costOfSelection,
  costOfSeparateEntry,
  findRoute,
  findRoutes,
  isPlain,
  levelOfRoute,
  sourcesOf,
} from './routes.ts';
import { type WantedField, collectDeclared, collectWanted } from './wanted-fields.ts';

/** A subgraph to query next, and the fields to fetch from it. */
export interface Choice {
  readonly subgraph: string;
  readonly chosen: readonly WantedField[];
  /** Whether the subgraph needs more than the entity's key. */
  readonly isRequiring: boolean;
}

/** Fields of a position that are not planned yet. */
export interface OpenFields {
  readonly fields: readonly WantedField[];
  /** Collects the selections inside planned fields. Called only to decide between equal choices. */
  readonly inside: () => ReadonlyMap<Position, readonly SelectionSetNode[]>;
}

/** Cost of a field in one subgraph. */
interface Option {
  /** Cost of the field without the route to the subgraph. @unit fetches */
  readonly cost: number;
  /** Cost including the route to the subgraph. @unit fetches */
  readonly price: number;
  /** Number of sequential fetches inside the field. */
  readonly depth: number;
  readonly isRequiring: boolean;
}

/** A field with its options by subgraph. */
interface Candidate {
  readonly wanted: WantedField;
  readonly options: ReadonlyMap<string, Option>;
  readonly lowestPrice: number;
  /** Lowest cost of the field without the route to the subgraph. @unit fetches */
  readonly lowestCost: number;
}

/**
 * Chooses the subgraph with the lowest price per field, including the route to it. Subgraphs that are queried anyway cost nothing and are
 * chosen first.
 *
 * @throws NoPath when no subgraph can return one of the fields
 */
export function chooseSubgraph(scope: PlanningScope, position: Position, open: OpenFields, { avoid }: Purpose): Choice {
  const { fields } = open;
  const ready = findReady(scope, position, fields, avoid);
  if (ready !== undefined) return ready;
  const only = findOnlyChoice(scope, position, fields, avoid);
  if (only !== undefined) return only;
  const routes = findRoutes(scope, position, avoid);
  const candidates = fields.map((wanted) => toCandidate(scope, position, wanted, routes));
  let best: PricedChoice | undefined;
  const considered: PricedChoice[] = [];
  const consider = (one: PricedChoice): void => {
    considered.push(one);
    if (best === undefined || one.price < best.price - SAME_PRICE) best = one;
    else if (one.price < best.price + SAME_PRICE && isRather(scope, position, { one, other: best, routes, open })) best = one;
  };
  for (const [subgraph, route] of routes) {
    const chosen: WantedField[] = [];
    let cost = route.cost;
    let depth = 0;
    for (const { wanted, options, lowestPrice, lowestCost } of candidates) {
      const option = options.get(subgraph);
      if (option === undefined) continue;
      if (option.isRequiring) {
        if (option.price < lowestPrice + SAME_PRICE) {
          consider({ subgraph, chosen: [wanted], isRequiring: true, price: option.price, depth: option.depth });
        }
      } else if (option.cost < lowestPrice || option.price < lowestPrice + SAME_PRICE) {
        chosen.push(wanted);
        // Every choice has the lowest cost of the field, so it does not affect the comparison.
        cost += option.cost - lowestCost;
        depth = Math.max(depth, option.depth);
      }
    }
    if (chosen.length > 0) consider({ subgraph, chosen, isRequiring: false, price: cost / chosen.length, depth });
  }
  if (best === undefined) throw new NoPath(`fetch ${position.type.name}.${fields[0]?.node.name.value ?? ''}`);
  return areChoicesNoted(scope) ? takeChoice(scope, best, [...considered, ...dearerChoices(candidates, routes)]) : best;
}

/**
 * Lists the options for single fields that cost more than the cheapest option. If other fields use the same route, the plan can be better
 * with them.
 */
function dearerChoices(candidates: readonly Candidate[], routes: ReadonlyMap<string, Route>): readonly PricedChoice[] {
  return candidates.flatMap(({ wanted, options, lowestPrice, lowestCost }) => {
    return [...options].flatMap(([subgraph, { cost, price, depth, isRequiring }]): readonly PricedChoice[] => {
      if (isRequiring || cost < lowestPrice || price < lowestPrice + SAME_PRICE || !routes.has(subgraph)) return [];
      return [{ subgraph, chosen: [wanted], isRequiring, price: price - lowestCost, depth }];
    });
  });
}

/** Takes the best choice, or the alternative that is selected for this plan. */
function takeChoice({ choices }: PlanningScope, best: PricedChoice, considered: readonly PricedChoice[]): PricedChoice {
  const alternatives = considered.filter((one) => one !== best && one.price < best.price + MAX_EXTRA);
  if (alternatives.length === 0) return best;
  const taken = choices.taken[choices.counts.length] ?? 0;
  choices.counts.push(alternatives.length);
  if (taken === 0) return best;
  return alternatives.sort((one, other) => one.price - other.price)[taken - 1] ?? best;
}

/** Maximum extra price of an alternative. A larger difference is unlikely to be an estimation error. @unit fetches for each field */
const MAX_EXTRA = 2 + SAME_PRICE;

/** Returns the choice for a single field that only one subgraph has. No estimate is needed for it. */
function findOnlyChoice(
  scope: PlanningScope,
  position: Position,
  fields: readonly WantedField[],
  avoid: ReadonlySet<string>,
): Choice | undefined {
  const [wanted, ...others] = fields;
  if (wanted === undefined || others.length > 0) return undefined;
  const name = wanted.node.name.value;
  let only: string | undefined;
  const sources = sourcesOf(scope, position, name);
  const routeTo = (subgraph: string): Route | undefined => {
    return sources.length === 1 ? findRoute(scope, position, subgraph, avoid) : findRoutes(scope, position, avoid).get(subgraph);
  };
  for (const subgraph of sources) {
    if (routeTo(subgraph) === undefined) continue;
    const resolver = resolverOf(scope, position.type, name, presenceAt(scope.graph, position, subgraph) ?? plainSource(subgraph));
    if (resolver === undefined) continue;
    if (only !== undefined || hasRequirements(resolver)) return undefined;
    only = subgraph;
  }
  return only === undefined ? undefined : { subgraph: only, chosen: fields, isRequiring: false };
}

interface PricedChoice extends Choice {
  /** Price per field. @unit fetches */
  readonly price: number;
  /** Number of sequential fetches inside the fields. */
  readonly depth: number;
}

interface Comparison {
  readonly one: PricedChoice;
  readonly other: PricedChoice;
  readonly routes: ReadonlyMap<string, Route>;
  readonly open: OpenFields;
}

/**
 * Whether one of two choices with the same number of fetches is preferable. Compares, in this order: the level of the last nested fetch,
 * the level of the request, the price, the number of fields, the chance to join another request, and the additional fields that the request
 * can fetch.
 */
function isRather(scope: PlanningScope, position: Position, { one, other, routes, open }: Comparison): boolean {
  const [own, its] = [one, other].map(({ subgraph }) => whenSent(scope, position, subgraph, routes.get(subgraph)));
  if (own === undefined || its === undefined) return false;
  const [end, otherEnd] = [own.level + one.depth, its.level + other.depth];
  if ((one.depth > 0 || other.depth > 0) && end !== otherEnd) return end < otherEnd;
  const [first, second] = [levelAt(scope, position, one.subgraph), levelAt(scope, position, other.subgraph)];
  if (first !== second) return first < second;
  if (one.price !== other.price) return one.price < other.price;
  if (one.chosen.length !== other.chosen.length) return one.chosen.length > other.chosen.length;
  if (own.isJoined !== its.isJoined) return own.isJoined;
  if (own.level !== its.level) return own.level < its.level;
  for (const count of [countInputs, countAlongside]) {
    const [more, fewer] = [count(scope, position, one.subgraph, open), count(scope, position, other.subgraph, open)];
    if (more !== fewer) return more > fewer;
  }
  return countFurther(scope, position, one.subgraph, open) > countFurther(scope, position, other.subgraph, open);
}

/** Counts the fields inside planned values that no subgraph provides yet and that this subgraph could return in the same request. */
function countFurther(scope: PlanningScope, position: Position, subgraph: string, { inside }: OpenFields): number {
  let count = 0;
  for (const [{ type, field, presences }, selectionSets] of inside()) {
    if (type.kind !== 'object' || field === undefined || presences.has(subgraph)) continue;
    if (!isPlain(scope, position.type, field.name.value, plainSource(subgraph))) continue;
    for (const { node } of collectWanted(scope, type.name, selectionSets).fields) {
      const name = node.name.value;
      if ([...presences.values()].some((presence) => isPlain(scope, type, name, presence))) continue;
      if (isPlain(scope, type, name, plainSource(subgraph))) count += 1;
    }
  }
  return count;
}

/** Counts the inputs of unplanned fields that a subgraph could return in the same request. */
function countInputs(scope: PlanningScope, { type }: Position, subgraph: string, { fields }: OpenFields): number {
  let count = 0;
  for (const { node } of fields) {
    const requires = requirementsOf(scope.graph, type, node.name.value);
    if (requires.length === 0) continue;
    for (const input of requires.flatMap((selectionSet) => collectDeclared(scope, type.name, selectionSet))) {
      if (isPlain(scope, type, input.node.name.value, plainSource(subgraph))) count += 1;
    }
  }
  return count;
}

/**
 * Counts the fields of other types at the same position that no subgraph provides yet and that this subgraph could return in the same
 * request.
 */
function countAlongside(scope: PlanningScope, { whole, types }: Position, subgraph: string): number {
  let count = 0;
  for (const { type, names, fields } of whole === undefined ? [] : (scope.classes.get(whole) ?? [])) {
    if (names.some((name) => types?.includes(name) === true)) continue;
    for (const { node } of fields) {
      const name = node.name.value;
      if ([...(whole?.presences.values() ?? [])].some((presence) => isPlain(scope, type, name, presence))) continue;
      if (isPlain(scope, type, name, plainSource(subgraph))) count += 1;
    }
  }
  return count;
}

/** Returns the level at which a request to a subgraph can be sent, and whether it can be joined with another request. */
function whenSent(
  scope: PlanningScope,
  position: Position,
  subgraph: string,
  route: Route | undefined,
): { level: number; isJoined: boolean } {
  const level = levelOfRoute(scope, position, subgraph, route);
  if (presenceAt(scope.graph, position, subgraph) !== undefined) return { level, isJoined: true };
  if (route?.by === 'parent' && position.parent !== undefined) {
    return whenSent(scope, position.parent, subgraph, findRoutes(scope, position.parent, NOTHING_AVOIDED).get(subgraph));
  }
  const isByKey = route !== undefined && typeof route.by !== 'string' && position.parent !== undefined;
  return { level, isJoined: isByKey && scope.requested.has(subgraph) };
}

/**
 * Returns the fields that a subgraph resolves at no extra cost because it is queried anyway. The earliest subgraph comes first, because
 * other fetches may wait for it.
 */
function findReady(
  scope: PlanningScope,
  position: Position,
  fields: readonly WantedField[],
  avoid: ReadonlySet<string>,
): Choice | undefined {
  const present = subgraphsAt(scope.graph, position).filter((subgraph) => !avoid.has(subgraph));
  if (present.length > 1) present.sort((one, other) => levelAt(scope, position, one) - levelAt(scope, position, other));
  for (const subgraph of present) {
    const source = presenceAt(scope.graph, position, subgraph) ?? plainSource(subgraph);
    const chosen = fields.filter((wanted) => {
      const resolver = resolverOf(scope, position.type, wanted.node.name.value, source);
      if (resolver === undefined || hasRequirements(resolver)) return false;
      return wanted.selectionSets.length === 0 || estimateField(scope, source, position.type, wanted) === 0;
    });
    if (chosen.length > 0) return { subgraph, chosen, isRequiring: false };
  }
  return undefined;
}

/** Returns the level of the request that fetches the values of a position from a subgraph. */
function levelAt({ graph }: PlanningScope, position: Position, subgraph: string): number {
  return presenceAt(graph, position, subgraph)?.fetch.level ?? Number.POSITIVE_INFINITY;
}

function toCandidate(scope: PlanningScope, position: Position, wanted: WantedField, routes: ReadonlyMap<string, Route>): Candidate {
  const options = new Map<string, Option>();
  let lowestPrice = Number.POSITIVE_INFINITY;
  let lowestCost = Number.POSITIVE_INFINITY;
  const add = (subgraph: string, option: Option): void => {
    options.set(subgraph, option);
    lowestPrice = Math.min(lowestPrice, option.price);
    lowestCost = Math.min(lowestCost, option.cost);
  };
  for (const subgraph of sourcesOf(scope, position, wanted.node.name.value)) {
    const route = routes.get(subgraph);
    if (route === undefined) continue;
    const source = presenceAt(scope.graph, position, subgraph) ?? plainSource(subgraph);
    const resolver = resolverOf(scope, position.type, wanted.node.name.value, source);
    if (resolver === undefined) continue;
    const { cost: inside, depth } = estimateWanted(scope, source, position.type, wanted);
    if (!hasRequirements(resolver)) {
      add(subgraph, { cost: inside, price: inside + route.cost, depth, isRequiring: false });
      continue;
    }
    const entering = costOfSeparateEntry(scope, position, { subgraph, field: wanted.node.name.value }, routes);
    if (!Number.isFinite(entering)) continue;
    const inputs = resolver.requires === undefined ? 0 : costOfSelection(scope, position, resolver.requires, { routes });
    const cost = 1 + inside + (Number.isFinite(inputs) ? inputs : UNCERTAIN);
    add(subgraph, { cost, price: cost + entering, depth, isRequiring: true });
  }
  if (options.size === 0) throw new NoPath(`fetch ${position.type.name}.${wanted.node.name.value}`);
  return { wanted, options, lowestPrice, lowestCost };
}
