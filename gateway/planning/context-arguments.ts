import type { FederatedContextArgument } from '../supergraph/federated-graph.ts';
import type { ContextArgument } from './operation-plan.ts';
import { type FetchBuilder, type Position, childAt, pathTo } from './positions.ts';
import { NoPath, type PlanningScope, type Purpose } from './planning-scope.ts';
import { collectWanted } from './wanted-fields.ts';

/** An argument whose value comes from an enclosing object, and the fetches that provide the value. */
export interface PlannedContextArgument {
  readonly plan: ContextArgument;
  /** Text of the argument in the selection. */
  readonly printed: string;
  readonly dependsOn: ReadonlySet<FetchBuilder>;
}

/** Plans the values that arguments of a field take from enclosing objects (`@fromContext`). */
export function planContextArguments(
  scope: PlanningScope,
  position: Position,
  declared: readonly FederatedContextArgument[],
  purpose: Purpose,
): readonly PlannedContextArgument[] {
  return declared.map(({ name, type, context, selection }) => {
    const around = findContext(position, context);
    const dependsOn = scope.planSelection(around, [selection], { ...purpose, isInput: true });
    const variable = freeVariable(scope);
    const path = valuePath(scope, around, selection);
    return { plan: { variable, type, depth: pathTo(around).length, sources: [{ path }] }, printed: `${name}:$${variable}`, dependsOn };
  });
}

/** Returns the nearest enclosing position that sets the context. */
function findContext(position: Position, context: string): Position {
  for (let around = position.parent; around !== undefined; around = around.parent) {
    if (around.type.contexts.includes(context)) return around;
  }
  throw new NoPath(`find the context "${context}" around ${position.type.name}`);
}

/** Returns the data keys from the object of the context to the value. */
function valuePath(scope: PlanningScope, position: Position, selection: FederatedContextArgument['selection']): readonly string[] {
  const [united] = position.united;
  if (united !== undefined) return valuePath(scope, united, selection);
  const [wanted] = collectWanted(scope, position.type.name, [selection]).fields;
  if (wanted === undefined) return [];
  const key = scope.keys.keyOf(wanted.node, position.type.name, position.isBeneathAbstract);
  const child = childAt(position, key);
  const [inside] = wanted.selectionSets;
  return child === undefined || inside === undefined ? [key] : [key, ...valuePath(scope, child, inside)];
}

function freeVariable({ variables, contextVariables }: PlanningScope): string {
  let counter = contextVariables.size;
  let name = `context_${counter}`;
  while (variables.has(name) || contextVariables.has(name)) {
    counter += 1;
    name = `context_${counter}`;
  }
  contextVariables.add(name);
  return name;
}
