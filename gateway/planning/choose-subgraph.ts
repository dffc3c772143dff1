import { estimateField } from './estimate.ts';
import { type Place, presenceAt, subgraphsAt } from './places.ts';
import { NoWay, type PlanningScope, type Purpose } from './planning-scope.ts';
import { entryPoints, hasRequirements, resolverOf } from './resolvable.ts';
import { type Route, costOfSelection, findRoutes } from './routes.ts';
import type { WantedField } from './wanted-fields.ts';

/** Who is asked next, and for what. */
export interface Choice {
  readonly subgraph: string;
  readonly chosen: readonly WantedField[];
  /** Whether it needs more than the entity's key. */
  readonly isRequiring: boolean;
}

interface Option {
  readonly subgraph: string;
  readonly route: Route;
  /** What the field takes beyond the way to the subgraph. @unit fetches */
  readonly cost: number;
  readonly isRequiring: boolean;
}

/**
 * Chooses the subgraph that brings most for the least: the lowest price per field, the way there included. Subgraphs that are asked
 * anyway cost nothing and are chosen first.
 *
 * @throws NoWay when one of the fields cannot be had at all
 */
export function chooseSubgraph(scope: PlanningScope, place: Place, fields: readonly WantedField[], { avoid }: Purpose): Choice {
  const ready = findReady(scope, place, fields, avoid);
  if (ready !== undefined) return ready;
  const routes = findRoutes(scope, place, avoid);
  const candidates = fields.map((wanted) => ({ wanted, options: optionsOf(scope, place, wanted, routes) }));
  let best: (Choice & { readonly price: number }) | undefined;
  const consider = (choice: Choice, price: number): void => {
    if (best === undefined || price < best.price || (price === best.price && choice.chosen.length > best.chosen.length))
      best = { ...choice, price };
  };
  for (const [subgraph, route] of routes) {
    const chosen: WantedField[] = [];
    let cost = route.cost;
    for (const { wanted, options } of candidates) {
      const option = options.find((candidate) => candidate.subgraph === subgraph);
      if (option === undefined) continue;
      if (option.isRequiring) {
        const price = option.cost + Math.max(0, route.cost - 1);
        if (price <= lowestPrice(options)) consider({ subgraph, chosen: [wanted], isRequiring: true }, price);
      } else if (option.cost <= lowestPrice(options)) {
        chosen.push(wanted);
        cost += option.cost;
      }
    }
    if (chosen.length > 0) consider({ subgraph, chosen, isRequiring: false }, cost / chosen.length);
  }
  if (best === undefined) throw new NoWay(`get ${place.type.name}.${fields[0]?.node.name.value ?? ''}`);
  return best;
}

/** What a subgraph that is asked anyway brings for nothing. */
function findReady(scope: PlanningScope, place: Place, fields: readonly WantedField[], avoid: ReadonlySet<string>): Choice | undefined {
  for (const subgraph of subgraphsAt(scope.graph, place)) {
    if (avoid.has(subgraph)) continue;
    const provides = presenceAt(scope.graph, place, subgraph)?.provides;
    const chosen = fields.filter((wanted) => {
      const resolver = resolverOf(scope, place.type, wanted.node.name.value, subgraph, provides);
      if (resolver === undefined || hasRequirements(resolver)) return false;
      return wanted.selectionSets.length === 0 || estimateField(scope, subgraph, place.type, wanted, provides) === 0;
    });
    if (chosen.length > 0) return { subgraph, chosen, isRequiring: false };
  }
  return undefined;
}

/** What a field takes with the way to its subgraph, at best. */
function lowestPrice(options: readonly Option[]): number {
  return Math.min(...options.map(({ cost, route, isRequiring }) => cost + (isRequiring ? Math.max(0, route.cost - 1) : route.cost)));
}

function optionsOf(scope: PlanningScope, place: Place, wanted: WantedField, routes: ReadonlyMap<string, Route>): readonly Option[] {
  const options: Option[] = [];
  for (const [subgraph, route] of routes) {
    const provides = presenceAt(scope.graph, place, subgraph)?.provides;
    const resolver = resolverOf(scope, place.type, wanted.node.name.value, subgraph, provides);
    if (resolver === undefined) continue;
    const inside = estimateField(scope, subgraph, place.type, wanted, provides);
    if (!hasRequirements(resolver)) {
      options.push({ subgraph, route, cost: inside, isRequiring: false });
    } else if (entryPoints(scope.graph, place.type, subgraph).length > 0) {
      const inputs = resolver.requires === undefined ? 0 : costOfSelection(scope, place, resolver.requires, routes);
      options.push({ subgraph, route, cost: 1 + inside + (Number.isFinite(inputs) ? inputs : UNCERTAIN), isRequiring: true });
    }
  }
  if (options.length === 0) throw new NoWay(`get ${place.type.name}.${wanted.node.name.value}`);
  return options;
}

/** The price of requirements that may be out of reach. @unit fetches */
const UNCERTAIN = 100;
