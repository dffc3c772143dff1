import type { Position } from './positions.ts';
import type { PlanningScope } from './planning-scope.ts';
import { subgraphsNaming } from './resolvable.ts';

/** Size of a plan. Its execution time depends on it. */
export interface PlanSize {
  readonly requests: number;
  /** Number of sequential requests. */
  readonly waves: number;
}

/** Records a field of the client that only one subgraph resolves. */
export function noteNeed({ needs, graph }: PlanningScope, position: Position, field: string): void {
  // Which types occur at an abstract position depends on the plan.
  if (needs === undefined || position.whole !== undefined || position.isBeneathAbstract) return;
  const naming = subgraphsNaming(graph, position.type, field);
  const [subgraph] = naming;
  if (subgraph !== undefined && naming.length === 1) needs.push({ position, subgraph });
}

/** Returns a size that no plan of the operation falls below. */
export function leastSizeOf(scope: PlanningScope): PlanSize {
  const { needs = [] } = scope;
  const levels = new Map<Position, Map<string, number>>();
  let waves = 0;
  for (const { position, subgraph } of needs) waves = Math.max(waves, 1 + levelOf(scope, levels, position, subgraph));
  return { requests: new Set(needs.map(({ subgraph }) => subgraph)).size, waves };
}

/** Returns the minimum number of sequential requests that precede one to a subgraph for the values of a position. */
function levelOf(scope: PlanningScope, levels: Map<Position, Map<string, number>>, position: Position, subgraph: string): number {
  const { parent, field, type } = position;
  const { query, mutation } = scope.graph.roots;
  if (parent === undefined || field === undefined || type.name === query || type.name === mutation) return 0;
  let ofPosition = levels.get(position);
  if (ofPosition === undefined) levels.set(position, (ofPosition = new Map()));
  let level = ofPosition.get(subgraph);
  if (level === undefined) {
    const naming = subgraphsNaming(scope.graph, parent.type, field.name.value);
    // The subgraph resolves the field that leads here, or it is entered by a key after another subgraph has done so.
    const all = naming.map((source) => levelOf(scope, levels, parent, source) + (source === subgraph ? 0 : 1));
    ofPosition.set(subgraph, (level = all.length === 0 ? 0 : Math.min(...all)));
  }
  return level;
}
