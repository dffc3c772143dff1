import type { SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { enterTogether } from './enter-subgraph.ts';
import { estimateInside } from './estimate.ts';
import { type Place, presenceAt } from './places.ts';
import { NoWay, type PlanningScope, type Purpose } from './planning-scope.ts';
import { hasRequirements, plainSource, requirementsOf, resolverOf, subgraphsNaming } from './resolvable.ts';
import { findRoutes } from './routes.ts';
import { examplesOf, wantedOf } from './wanted-by-type.ts';
import { collectDeclared } from './wanted-fields.ts';

/**
 * Asks a subgraph that can tell of what types the values of an abstract place are: the one that knows most of them, then the one that
 * takes the fewest fetches with what it leaves to others. Others that know as many types are asked for what it leaves to them at the same
 * time: they do not have to be told the types.
 *
 * @param selectionSets wanted of the values
 */
export function findType(scope: PlanningScope, place: Place, selectionSets: readonly SelectionSetNode[], purpose: Purpose): void {
  const known = [...findRoutes(scope, place, purpose.avoid)].flatMap(([subgraph, { cost }]) => {
    const here = place.type.subgraphs.get(subgraph);
    return here === undefined || here.isInterfaceObject ? [] : [{ subgraph, cost, count: here.possibleTypes.size }];
  });
  const most = Math.max(0, ...known.map(({ count }) => count));
  const candidates = known.filter(({ count }) => count === most);
  let [best] = candidates;
  if (best === undefined) throw new NoWay(`tell of what types values of ${place.type.name} are`);
  if (candidates.length > 1) {
    const prices = candidates.map(
      ({ subgraph, cost }) => cost + estimateInside(scope, plainSource(subgraph), place.type, selectionSets).cost,
    );
    best = candidates[prices.indexOf(Math.min(...prices))] ?? best;
  }
  const { subgraph } = best;
  const others = candidates.length === 1 ? [] : othersNeeded(scope, place, selectionSets, purpose);
  const inParallel = candidates.filter(({ subgraph: other, cost }) => other !== subgraph && cost <= 1 && others.includes(other));
  enterTogether(scope, place, [subgraph, ...inParallel.map(({ subgraph: other }) => other)], purpose);
}

/** The subgraphs of which each is the only one with something that is wanted, or that is an input of it. */
function othersNeeded(
  scope: PlanningScope,
  place: Place,
  selectionSets: readonly SelectionSetNode[],
  { isInput }: Purpose,
): readonly string[] {
  const names = isInput ? place.type.possibleTypes : place.type.publicTypes;
  return examplesOf(scope, wantedOf(scope, names, selectionSets)).flatMap(({ name, wanted }) => {
    const type = scope.graph.types.get(name);
    if (type === undefined) return [];
    const needed = wanted.fields.flatMap(({ node }) => [node.name.value, ...inputsOf(scope, type, node.name.value)]);
    return needed.flatMap((field) => soleSubgraphFor(scope, place, type, field) ?? []);
  });
}

/** Names of the fields that subgraphs require to resolve a field. */
function inputsOf(scope: PlanningScope, type: FederatedType, name: string): readonly string[] {
  return requirementsOf(scope.graph, type, name).flatMap((selectionSet) => {
    return collectDeclared(scope, type.name, selectionSet).map(({ node }) => node.name.value);
  });
}

/** The only subgraph that resolves a field, where it needs no further inputs; undefined where one that is asked anyway resolves it. */
function soleSubgraphFor(scope: PlanningScope, place: Place, type: FederatedType, name: string): string | undefined {
  const [first, ...others] = subgraphsNaming(scope.graph, type, name).filter((subgraph) => {
    const resolver = resolverOf(scope, type, name, presenceAt(scope.graph, place, subgraph) ?? plainSource(subgraph));
    return resolver !== undefined && !hasRequirements(resolver);
  });
  return others.length === 0 && first !== undefined && !place.presences.has(first) ? first : undefined;
}
