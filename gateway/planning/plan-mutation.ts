import type { FieldNode, SelectionSetNode } from 'graphql';
import { createFetch, addField } from './enter-subgraph.ts';
import { estimateField } from './estimate.ts';
import type { FetchBuilder, Position } from './positions.ts';
import { NoPath, type PlanningScope } from './planning-scope.ts';
import { plainSource, resolverOf, subgraphsNaming } from './resolvable.ts';
import { planClientSelection } from './plan-selection.ts';
import { type WantedField, collectWanted } from './wanted-fields.ts';

/**
 * Plans the root fields of a mutation one after another. Each one is planned with all of its selections before the next begins (GraphQL
 * specification, 6.2.2). Adjacent fields of one subgraph share a request if the first one needs no other subgraph.
 */
export function planMutation(scope: PlanningScope, root: Position, selectionSets: readonly SelectionSetNode[]): void {
  let last: FetchBuilder | undefined;
  // A deferred root field is an effect like the others: it is executed in order, and the next one waits for its result.
  for (const wanted of collectWanted({ ...scope, waiting: NONE }, root.type.name, selectionSets, responseKeyOf).fields) {
    const done = root.children.get(responseKeyOf(wanted.node));
    if (root.builders.has(responseKeyOf(wanted.node))) {
      if (done !== undefined) planClientSelection(scope, done, wanted.selectionSets);
      continue;
    }
    const subgraph = subgraphFor(scope, root, wanted);
    const isNeighbour = last?.subgraph === subgraph && scope.fetches.at(-1) === last;
    const fetch: FetchBuilder =
      isNeighbour && last !== undefined
        ? last
        : createFetch(scope, { subgraph, position: root, kind: 'mutation', type: root.type.name, dependsOn: new Set(scope.fetches) });
    last = fetch;
    const presence = { subgraph, fetch, selection: fetch.selection, provides: [] };
    const child = addField(scope, root, presence, { field: wanted.node, key: responseKeyOf(wanted.node) });
    if (child !== undefined) planClientSelection(scope, child, wanted.selectionSets);
  }
}

const NONE: ReadonlySet<never> = new Set();

/** Returns the response key. Each response key is a separate effect, even if two fields are equal. */
function responseKeyOf({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

function subgraphFor(scope: PlanningScope, { type }: Position, wanted: WantedField): string {
  let best: string | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const subgraph of subgraphsNaming(scope.graph, type, wanted.node.name.value)) {
    const source = plainSource(subgraph);
    if (resolverOf(scope, type, wanted.node.name.value, source) === undefined) continue;
    const cost = estimateField(scope, source, type, wanted);
    if (cost >= lowest) continue;
    lowest = cost;
    best = subgraph;
  }
  if (best === undefined) throw new NoPath(`fetch ${type.name}.${wanted.node.name.value}`);
  return best;
}
