import type { SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { possibleTypesIn } from './joint-source.ts';
import type { Estimate, PlanningScope } from './planning-scope.ts';
import { type Source, entryPoints, hasRequirements, plainSource, providedInside, resolverOf, subgraphsNaming } from './resolvable.ts';
import { examplesOf, wantedOf } from './wanted-by-type.ts';
import { type WantedField, collectDeclared, collectWanted } from './wanted-fields.ts';

/** Price of a field that no subgraph can be entered for. Higher than any feasible price. @unit fetches */
const OUT_OF_REACH = 1_000;

/**
 * Price of a field that must come from another subgraph. Decides between alternatives with equal numbers of fetches, and is much smaller
 * than one fetch.
 *
 * @unit fetches
 */
const MISSING = 0.000_1;

/** Price differences below this value result from missing fields and not from fetches. @unit fetches */
export const SAME_PRICE = 0.01;

const NOTHING: Estimate = { cost: 0, depth: 0 };

/**
 * Estimates how many further fetches are needed for the selections of a field when one subgraph resolves the field. The estimate decides
 * between subgraphs that are all possible; a wrong estimate costs a fetch but never affects the result.
 */
export function estimateInside(
  scope: PlanningScope,
  source: Source,
  type: FederatedType,
  selectionSets: readonly SelectionSetNode[],
): Estimate {
  if (selectionSets.length === 0) return NOTHING;
  const provided = source.provides.length === 0 ? '' : scope.sets.identify(source.provides);
  const id = `${source.subgraph} ${type.name} ${provided} ${scope.sets.identify(selectionSets)}`;
  let known = scope.estimates.get(id);
  if (known === undefined) scope.estimates.set(id, (known = estimate(scope, source, type, selectionSets)));
  return known;
}

function estimate(scope: PlanningScope, source: Source, type: FederatedType, selectionSets: readonly SelectionSetNode[]): Estimate {
  if (type.kind === 'object') return estimateObject(scope, source, type, selectionSets);
  const here = type.subgraphs.get(source.subgraph);
  if (here?.isInterfaceObject === true) {
    const [first] = type.publicTypes;
    const example = first === undefined ? undefined : scope.graph.types.get(first);
    return example === undefined ? NOTHING : estimateObject(scope, source, example, selectionSets);
  }
  let cost = 0;
  let depth = 0;
  const possibleTypes = [...(possibleTypesIn(type, source.subgraph) ?? type.possibleTypes)];
  for (const { name, wanted } of examplesOf(scope, wantedOf(scope, possibleTypes, selectionSets))) {
    const possible = scope.graph.types.get(name);
    if (possible === undefined) continue;
    const ofType = estimateFields(scope, source, possible, wanted.fields);
    cost = Math.max(cost, ofType.cost);
    depth = Math.max(depth, ofType.depth);
  }
  return { cost, depth };
}

function estimateObject(scope: PlanningScope, source: Source, type: FederatedType, selectionSets: readonly SelectionSetNode[]): Estimate {
  return estimateFields(scope, source, type, collectWanted(scope, type.name, selectionSets).fields);
}

function estimateFields(scope: PlanningScope, source: Source, type: FederatedType, fields: readonly WantedField[]): Estimate {
  const missing: (readonly string[])[] = [];
  let isAroundNeeded = false;
  let cost = 0;
  let depth = 0;
  let depthElsewhere = 0;
  for (const wanted of fields) {
    const resolver = resolverOf(scope, type, wanted.node.name.value, source);
    if (resolver !== undefined && !hasRequirements(resolver)) {
      const inside = estimateWanted(scope, source, type, wanted);
      cost += inside.cost;
      depth = Math.max(depth, inside.depth);
      continue;
    }
    const others = subgraphsFor(scope, type, wanted);
    missing.push(others);
    isAroundNeeded ||= !others.some((other) => canEnter(scope, source, type, other));
    if (wanted.selectionSets.length === 0) continue;
    let best: Estimate | undefined;
    for (const other of others) {
      const inside = estimateWanted(scope, plainSource(other), type, wanted);
      if (best === undefined || inside.cost < best.cost) best = inside;
    }
    if (best === undefined) continue;
    cost += best.cost;
    depthElsewhere = Math.max(depthElsewhere, best.depth);
  }
  if (missing.length === 0) return { cost, depth };
  // A subgraph without a key of the others cannot lead to them, so a third subgraph must provide a key.
  const around = isAroundNeeded ? 1 : 0;
  return {
    cost: cost + coveringCost(missing) + missing.length * MISSING + around,
    depth: Math.max(depth, 1 + around + depthElsewhere),
  };
}

/** Whether the subgraph resolves all fields of a key for another subgraph. */
function canEnter(scope: PlanningScope, source: Source, type: FederatedType, other: string): boolean {
  return entryPoints(scope.graph, type, other).some(({ key }) => {
    return collectDeclared(scope, type.name, key).every(({ node }) => {
      const resolver = resolverOf(scope, type, node.name.value, source);
      return resolver !== undefined && !hasRequirements(resolver);
    });
  });
}

/** Estimates the cost of the selections inside a field that the subgraph resolves. @unit fetches */
export function estimateField(scope: PlanningScope, source: Source, type: FederatedType, wanted: WantedField): number {
  return estimateWanted(scope, source, type, wanted).cost;
}

/** Estimates the cost and depth of the selections inside a field that the subgraph resolves. */
export function estimateWanted(scope: PlanningScope, source: Source, type: FederatedType, { node, selectionSets }: WantedField): Estimate {
  if (selectionSets.length === 0) return NOTHING;
  const name = node.name.value;
  const resolver = resolverOf(scope, type, name, source);
  const inside = scope.graph.types.get(resolver?.namedType ?? '');
  if (resolver === undefined || inside === undefined) return NOTHING;
  const provided = [
    ...providedInside(scope.graph, type, name, source.provides),
    ...(resolver.provides === undefined ? [] : [resolver.provides]),
  ];
  return estimateInside(scope, { ...source, provides: provided }, inside, selectionSets);
}

/** Lists the subgraphs that can be entered to fetch a field. */
function subgraphsFor(scope: PlanningScope, type: FederatedType, { node }: WantedField): readonly string[] {
  const name = node.name.value;
  let ofType = scope.enterable.get(type);
  if (ofType === undefined) scope.enterable.set(type, (ofType = new Map()));
  let subgraphs = ofType.get(name);
  if (subgraphs === undefined) {
    subgraphs = subgraphsNaming(scope.graph, type, name).filter((subgraph) => {
      return resolverOf(scope, type, name, plainSource(subgraph)) !== undefined && entryPoints(scope.graph, type, subgraph).length > 0;
    });
    ofType.set(name, subgraphs);
  }
  return subgraphs;
}

/** Computes how many subgraphs must be entered to cover all fields. The subgraph that covers most fields is chosen first. */
function coveringCost(fields: readonly (readonly string[])[]): number {
  let remaining = fields;
  let cost = 0;
  while (remaining.length > 0) {
    const counts = new Map<string, number>();
    for (const subgraph of remaining.flat()) counts.set(subgraph, (counts.get(subgraph) ?? 0) + 1);
    const [best] = [...counts].sort(([, one], [, other]) => other - one);
    if (best === undefined) return cost + remaining.length * OUT_OF_REACH;
    remaining = remaining.filter((subgraphs) => !subgraphs.includes(best[0]));
    cost += 1;
  }
  return cost;
}
