import { type DirectiveNode, type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, print } from 'graphql';
import type { FederatedGraph } from '../supergraph/federated-graph.ts';
import { type SuffixTable, createDataKeyRegistry } from './data-key-registry.ts';
import { findDeferrals } from './deferrals.ts';
import { createSelectionSetIds } from './identify-sets.ts';
import type { PlanVariable } from './operation-plan.ts';
import { planSelection } from './plan-selection.ts';
import type { PlanningScope } from './planning-scope.ts';
import type { PlanInput } from './query-planner.ts';

/** How much work one plan may be: far above what a document within the limits needs. @unit fields and fetches */
const MAX_STEPS = 200_000;

/** The graph that is planned for, with what was found out about it. */
export interface PlannedGraph {
  readonly graph: FederatedGraph;
  readonly suffixOf: SuffixTable;
}

/** The scopes in which an operation is planned: the first for the first answer, then one for each `@defer`, which adds to what was planned before. */
export function createPlanningScopes(
  { graph, suffixOf }: PlannedGraph,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
  { conditions, labels, isDeferring = false }: PlanInput,
): readonly [PlanningScope, ...PlanningScope[]] {
  const fragments = new Map(
    definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const deferrals = isDeferring ? findDeferrals(operation.selectionSet, fragments, conditions) : [];
  const shared = {
    graph,
    fragments,
    conditions,
    kind: operation.operation,
    labels: new Set(labels),
    keys: createDataKeyRegistry(graph, suffixOf),
    variables: declaredVariables(operation),
    contextVariables: new Set<string>(),
    fetches: [],
    asked: new Set<string>(),
    pending: new Map(),
    budget: { left: MAX_STEPS },
    sets: createSelectionSetIds(deferrals.length > 0),
  };
  const scopeFor = (deferral: number, waiting: readonly DirectiveNode[]): PlanningScope => {
    const scope: PlanningScope = {
      ...shared,
      deferral,
      waiting: new Set(waiting),
      estimates: new Map(),
      isDeferring: deferrals.length > 0,
      routes: new WeakMap(),
      planSelection: (place, selectionSets, purpose) => planSelection(scope, place, selectionSets, purpose),
    };
    return scope;
  };
  return [scopeFor(0, deferrals), ...deferrals.map((_deferral, index) => scopeFor(index + 1, deferrals.slice(index + 1)))];
}

function declaredVariables({ variableDefinitions }: OperationDefinitionNode): ReadonlyMap<string, PlanVariable> {
  const variables = (variableDefinitions ?? []).map(({ variable, type, defaultValue }): PlanVariable => {
    return { name: variable.name.value, type: print(type) + (defaultValue === undefined ? '' : ` = ${print(defaultValue)}`) };
  });
  return new Map(variables.map((variable) => [variable.name, variable]));
}
