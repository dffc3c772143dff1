import type { SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { enterTogether } from './enter-subgraph.ts';
import { estimateInside } from './estimate.ts';
import { type Position, presenceAt } from './positions.ts';
import { NoPath, type PlanningScope, type Purpose } from './planning-scope.ts';
import { hasRequirements, plainSource, requirementsOf, resolverOf, subgraphsNaming } from './resolvable.ts';
import { findRoutes } from './routes.ts';
import { examplesOf, wantedOf } from './wanted-by-type.ts';
import { collectDeclared } from './wanted-fields.ts';

/**
 * Selects the type name of the values of an abstract position, from the subgraph with the most possible types. Among equals, it chooses the
 * subgraph that needs the fewest fetches, including those for its missing fields. Other subgraphs with as many types are queried for
 * missing fields in parallel, because they do not need the type names.
 *
 * @param selectionSets selections of the values
 */
export function findType(scope: PlanningScope, position: Position, selectionSets: readonly SelectionSetNode[], purpose: Purpose): void {
  const known = [...findRoutes(scope, position, purpose.avoid)].flatMap(([subgraph, { cost }]) => {
    const here = position.type.subgraphs.get(subgraph);
    return here === undefined || here.isInterfaceObject ? [] : [{ subgraph, cost, count: here.possibleTypes.size }];
  });
  const most = Math.max(0, ...known.map(({ count }) => count));
  const candidates = known.filter(({ count }) => count === most);
  let [best] = candidates;
  if (best === undefined) throw new NoPath(`determine the object types of ${position.type.name} values`);
  if (candidates.length > 1) {
    const prices = candidates.map(
      ({ subgraph, cost }) => cost + estimateInside(scope, plainSource(subgraph), position.type, selectionSets).cost,
    );
    best = candidates[prices.indexOf(Math.min(...prices))] ?? best;
  }
  const { subgraph } = best;
  const others = candidates.length === 1 ? [] : othersNeeded(scope, position, selectionSets, purpose);
  const inParallel = candidates.filter(({ subgraph: other, cost }) => other !== subgraph && cost <= 1 && others.includes(other));
  enterTogether(scope, position, [subgraph, ...inParallel.map(({ subgraph: other }) => other)], purpose);
}

/** Returns the subgraphs that are the only source of a wanted field or of one of its inputs. */
function othersNeeded(
  scope: PlanningScope,
  position: Position,
  selectionSets: readonly SelectionSetNode[],
  { isInput }: Purpose,
): readonly string[] {
  const names = isInput ? position.type.possibleTypes : position.type.publicTypes;
  return examplesOf(scope, wantedOf(scope, names, selectionSets)).flatMap(({ name, wanted }) => {
    const type = scope.graph.types.get(name);
    if (type === undefined) return [];
    const needed = wanted.fields.flatMap(({ node }) => [node.name.value, ...inputsOf(scope, type, node.name.value)]);
    return needed.flatMap((field) => soleSubgraphFor(scope, position, type, field) ?? []);
  });
}

/** Returns the names of the fields that subgraphs require to resolve a field. */
function inputsOf(scope: PlanningScope, type: FederatedType, name: string): readonly string[] {
  return requirementsOf(scope.graph, type, name).flatMap((selectionSet) => {
    return collectDeclared(scope, type.name, selectionSet).map(({ node }) => node.name.value);
  });
}

/**
 * Returns the only subgraph that resolves a field without further inputs. Returns undefined if a subgraph that is queried anyway resolves
 * it.
 */
function soleSubgraphFor(scope: PlanningScope, position: Position, type: FederatedType, name: string): string | undefined {
  const [first, ...others] = subgraphsNaming(scope.graph, type, name).filter((subgraph) => {
    const resolver = resolverOf(scope, type, name, presenceAt(scope.graph, position, subgraph) ?? plainSource(subgraph));
    return resolver !== undefined && !hasRequirements(resolver);
  });
  return others.length === 0 && first !== undefined && !position.presences.has(first) ? first : undefined;
}
