import { createTieFacts, isRather, levelAt, type Comparison } from './break-ties.ts';
import { areChoicesNoted } from './choices.ts';
import type { Choice, OpenFields, PricedChoice } from './priced-choice.ts';
import { SAME_PRICE, estimateField, estimateWanted } from './estimate.ts';
import { type Position, presenceAt, subgraphsAt } from './positions.ts';
import { NoPath, type PlanningScope, type Purpose } from './planning-scope.ts';
import { isJointSource } from './joint-source.ts';
import { hasRequirements, plainSource, resolverOf, subgraphsNaming } from './resolvable.ts';
import type { Route } from './route.ts';
import { UNCERTAIN, costOfSelection, costOfSeparateEntry, findRoute, findRoutes } from './routes.ts';
import { sourcesAt } from './sources-at.ts';
import type { WantedField } from './wanted-fields.ts';

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
 * @returns one choice, or several that further calls would make in this order
 * @throws NoPath when no subgraph can return one of the fields
 */
export function chooseSubgraphs(scope: PlanningScope, position: Position, open: OpenFields, { avoid }: Purpose): readonly Choice[] {
  const { fields } = open;
  const ready = findReady(scope, position, fields, avoid) ?? findOnlyChoice(scope, position, fields, avoid);
  if (ready !== undefined) return [ready];
  const routes = findRoutes(scope, position, avoid);
  const sourcesOf = sourcesAt(scope, position);
  const candidates = fields.map((wanted) => toCandidate(scope, position, { wanted, sources: sourcesOf(wanted.node.name.value) }, routes));
  const facts = createTieFacts(scope, position, open);
  let best: PricedChoice | undefined;
  const considered: PricedChoice[] = [];
  const consider = (one: PricedChoice): void => {
    considered.push(one);
    if (best === undefined || one.price < best.price - SAME_PRICE) best = one;
    else if (one.price < best.price + SAME_PRICE && isRather(scope, position, { one, other: best, routes, facts })) best = one;
  };
  const optionsOf = optionsBySubgraph(candidates);
  for (const [subgraph, route] of routes) {
    const chosen: WantedField[] = [];
    let cost = route.cost;
    let depth = 0;
    for (const { option, candidate } of optionsOf.get(subgraph) ?? []) {
      const { wanted, lowestPrice, lowestCost } = candidate;
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
  if (areChoicesNoted(scope)) return [takeChoice(scope, best, [...considered, ...dearerChoices(candidates, routes)])];
  const [first] = considered;
  const areEqual =
    scope.deferral === 0 &&
    best === first &&
    considered.every((other) => other === first || isEqual(scope, position, { one: first, other, routes, facts }));
  const isForced =
    areEqual && candidates.every((candidate) => hasOneOption(candidate, routes) && sourcesOf(nameOf(candidate)).length === 1);
  return isForced ? considered : [best];
}

function nameOf({ wanted }: Candidate): string {
  return wanted.node.name.value;
}

/** Returns whether two choices have the same price, and nothing else decides between them. */
function isEqual(scope: PlanningScope, position: Position, { one, other, ...others }: Comparison): boolean {
  return one.price === other.price && !isRather(scope, position, { one, other, ...others });
}

/**
 * Returns whether a candidate is a leaf that one subgraph returns without further inputs, in a request by a key that is available. Other
 * requests for the same values do not change this option.
 */
function hasOneOption({ wanted, options }: Candidate, routes: ReadonlyMap<string, Route>): boolean {
  const [only, ...others] = options;
  if (only === undefined || others.length > 0 || wanted.selectionSets.length > 0) return false;
  const [subgraph, { isRequiring }] = only;
  const route = routes.get(subgraph);
  return !isRequiring && route?.cost === 1 && typeof route.by !== 'string';
}

/** Lists the options of each subgraph in the order of the fields. An entity can have hundreds of fields, each of another subgraph. */
function optionsBySubgraph(candidates: readonly Candidate[]): ReadonlyMap<string, readonly { option: Option; candidate: Candidate }[]> {
  const options = new Map<string, { option: Option; candidate: Candidate }[]>();
  for (const candidate of candidates) {
    for (const [subgraph, option] of candidate.options) addTo(options, subgraph, { option, candidate });
  }
  return options;
}

function addTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
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
  const sources = sourcesAt(scope, position)(name);
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
  let present = subgraphsAt(scope.graph, position).filter((subgraph) => !avoid.has(subgraph));
  const named = present.length > MAX_SEARCHED ? fieldsBySubgraph(scope, position, fields) : undefined;
  const candidatesOf = (subgraph: string): readonly WantedField[] =>
    named === undefined || isJointSource(subgraph) ? fields : (named.get(subgraph) ?? []);
  if (named !== undefined) present = present.filter((subgraph) => candidatesOf(subgraph).length > 0);
  if (present.length > 1) present.sort((one, other) => levelAt(scope, position, one) - levelAt(scope, position, other));
  for (const subgraph of present) {
    const source = presenceAt(scope.graph, position, subgraph) ?? plainSource(subgraph);
    const chosen = candidatesOf(subgraph).filter((wanted) => {
      const resolver = resolverOf(scope, position.type, wanted.node.name.value, source);
      if (resolver === undefined || hasRequirements(resolver)) return false;
      return wanted.selectionSets.length === 0 || estimateField(scope, source, position.type, wanted) === 0;
    });
    if (chosen.length > 0) return { subgraph, chosen, isRequiring: false };
  }
  return undefined;
}

/** Maximum number of subgraphs that are searched for each field. With more, listing the fields of each subgraph first is faster. */
const MAX_SEARCHED = 8;

/** Lists fields by the subgraphs that define them. */
function fieldsBySubgraph(
  scope: PlanningScope,
  { type }: Position,
  fields: readonly WantedField[],
): ReadonlyMap<string, readonly WantedField[]> {
  const bySubgraph = new Map<string, WantedField[]>();
  for (const wanted of fields) {
    for (const subgraph of subgraphsNaming(scope.graph, type, wanted.node.name.value)) addTo(bySubgraph, subgraph, wanted);
  }
  return bySubgraph;
}

function toCandidate(
  scope: PlanningScope,
  position: Position,
  { wanted, sources }: { readonly wanted: WantedField; readonly sources: readonly string[] },
  routes: ReadonlyMap<string, Route>,
): Candidate {
  const options = new Map<string, Option>();
  let lowestPrice = Number.POSITIVE_INFINITY;
  let lowestCost = Number.POSITIVE_INFINITY;
  const add = (subgraph: string, option: Option): void => {
    options.set(subgraph, option);
    lowestPrice = Math.min(lowestPrice, option.price);
    lowestCost = Math.min(lowestCost, option.cost);
  };
  for (const subgraph of sources) {
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
