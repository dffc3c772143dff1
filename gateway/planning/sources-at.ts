import type { FederatedType } from '../supergraph/federated-graph.ts';
import { isJointSource } from './joint-source.ts';
import type { PlanningScope } from './planning-scope.ts';
import { type Position, type Presence, subgraphsAt } from './positions.ts';
import { plainSource, resolverOf, subgraphsNaming } from './resolvable.ts';

/**
 * Returns a function that lists the subgraphs that can resolve a field of the values of a position, and the joint sources that are queried
 * for the values. It can be used until another subgraph is queried for the values.
 */
export function sourcesAt(scope: PlanningScope, position: Position): (field: string) => readonly string[] {
  const { graph } = scope;
  const { type, whole = position } = position;
  const isProvided = isAnyProvided(whole.presences.values());
  const isJoint = scope.isJoining && isAnyJoint(whole.presences.keys());
  const joint = isJoint ? subgraphsAt(graph, position).filter(isJointSource) : [];
  return (field) => {
    const subgraphs = isProvided ? subgraphsNaming(graph, type, field) : subgraphsResolving(scope, type, field);
    return joint.length === 0 ? subgraphs : [...joint, ...subgraphs];
  };
}

/** Returns whether a path to values provides fields. Those of a whole position are also provided for its partial positions. */
function isAnyProvided(presences: Iterable<Presence>): boolean {
  for (const { provides } of presences) if (provides.length > 0) return true;
  return false;
}

/** Returns whether values belong to a joint position or to parts of one. */
function isAnyJoint(sources: Iterable<string>): boolean {
  for (const source of sources) if (isJointSource(source)) return true;
  return false;
}

/** Lists the subgraphs that resolve a field of a type without provided fields. */
export function subgraphsResolving(scope: PlanningScope, type: FederatedType, field: string): readonly string[] {
  let ofType = scope.resolving.get(type);
  if (ofType === undefined) scope.resolving.set(type, (ofType = new Map()));
  let subgraphs = ofType.get(field);
  if (subgraphs === undefined) {
    const naming = subgraphsNaming(scope.graph, type, field);
    ofType.set(field, (subgraphs = naming.filter((subgraph) => resolverOf(scope, type, field, plainSource(subgraph)) !== undefined)));
  }
  return subgraphs;
}
