import type { SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import type { PlanningScope } from './planning-scope.ts';
import { type Source, entryPoints, hasRequirements, plainSource, providedInside, resolverOf, subgraphsNaming } from './resolvable.ts';
import { examplesOf, wantedOf } from './wanted-by-type.ts';
import { type WantedField, collectDeclared, collectWanted } from './wanted-fields.ts';

/** The price of what no subgraph can be entered for: far above anything that can be done. @unit fetches */
const OUT_OF_REACH = 1_000;

/** The price of a field that has to come from elsewhere: it decides between ways that take equally many fetches. @unit fetches */
const MISSING = 0.01;

/**
 * How many further fetches it takes, roughly, to get what is wanted of the values of a field when one subgraph is asked for
 * the field. It decides between subgraphs that could all be asked; a wrong guess costs a fetch, not an answer.
 *
 * @unit fetches
 */
function estimateInside(scope: PlanningScope, source: Source, type: FederatedType, selectionSets: readonly SelectionSetNode[]): number {
  if (selectionSets.length === 0) return 0;
  if (source.provides.length > 0) return estimate(scope, source, type, selectionSets);
  const id = `${source.subgraph} ${type.name} ${scope.sets.identify(selectionSets)}`;
  let cost = scope.estimates.get(id);
  if (cost === undefined) scope.estimates.set(id, (cost = estimate(scope, source, type, selectionSets)));
  return cost;
}

function estimate(scope: PlanningScope, source: Source, type: FederatedType, selectionSets: readonly SelectionSetNode[]): number {
  if (type.kind === 'object') return estimateObject(scope, source, type, selectionSets);
  const here = type.subgraphs.get(source.subgraph);
  if (here?.isInterfaceObject === true) {
    const [first] = type.publicTypes;
    const example = first === undefined ? undefined : scope.graph.types.get(first);
    return example === undefined ? 0 : estimateObject(scope, source, example, selectionSets);
  }
  let highest = 0;
  for (const { name, wanted } of examplesOf(scope, wantedOf(scope, here?.possibleTypes ?? type.possibleTypes, selectionSets))) {
    const possible = scope.graph.types.get(name);
    if (possible !== undefined) highest = Math.max(highest, estimateFields(scope, source, possible, wanted.fields));
  }
  return highest;
}

function estimateObject(scope: PlanningScope, source: Source, type: FederatedType, selectionSets: readonly SelectionSetNode[]): number {
  return estimateFields(scope, source, type, collectWanted(scope, type.name, selectionSets).fields);
}

function estimateFields(scope: PlanningScope, source: Source, type: FederatedType, fields: readonly WantedField[]): number {
  const missing: (readonly string[])[] = [];
  let isAroundNeeded = false;
  let cost = 0;
  for (const wanted of fields) {
    const resolver = resolverOf(scope, type, wanted.node.name.value, source);
    if (resolver !== undefined && !hasRequirements(resolver)) {
      cost += estimateField(scope, source, type, wanted);
      continue;
    }
    const others = subgraphsFor(scope, type, wanted);
    missing.push(others);
    isAroundNeeded ||= !others.some((other) => canEnter(scope, source, type, other));
    if (wanted.selectionSets.length === 0 || others.length === 0) continue;
    cost += Math.min(...others.map((other) => estimateField(scope, plainSource(other), type, wanted)));
  }
  // A subgraph that has no key of the others cannot lead to them: a third one has to be asked for a key.
  return cost + coveringCost(missing) + missing.length * MISSING + (isAroundNeeded ? 1 : 0);
}

/** Whether the subgraph resolves all of a key by which another can be entered. */
function canEnter(scope: PlanningScope, source: Source, type: FederatedType, other: string): boolean {
  return entryPoints(scope.graph, type, other).some(({ key }) => {
    return collectDeclared(scope, type.name, key).every(({ node }) => {
      const resolver = resolverOf(scope, type, node.name.value, source);
      return resolver !== undefined && !hasRequirements(resolver);
    });
  });
}

/** What it takes to get what is inside of a field that the subgraph resolves. @unit fetches */
export function estimateField(scope: PlanningScope, source: Source, type: FederatedType, { node, selectionSets }: WantedField): number {
  if (selectionSets.length === 0) return 0;
  const name = node.name.value;
  const resolver = resolverOf(scope, type, name, source);
  const inside = scope.graph.types.get(resolver?.namedType ?? '');
  if (resolver === undefined || inside === undefined) return 0;
  const provided = [
    ...providedInside(scope.graph, type, name, source.provides),
    ...(resolver.provides === undefined ? [] : [resolver.provides]),
  ];
  return estimateInside(scope, { ...source, provides: provided }, inside, selectionSets);
}

/** Who could be entered to get a field. */
function subgraphsFor(scope: PlanningScope, type: FederatedType, { node }: WantedField): readonly string[] {
  return subgraphsNaming(scope.graph, type, node.name.value).filter((subgraph) => {
    return (
      resolverOf(scope, type, node.name.value, plainSource(subgraph)) !== undefined && entryPoints(scope.graph, type, subgraph).length > 0
    );
  });
}

/** How many subgraphs have to be entered so that each field is covered: whoever covers most is taken first. */
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
