import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
} from 'graphql';
import { readFederatedGraph } from '../supergraph/read-federated-graph.ts';
import type { FederatedGraph } from '../supergraph/federated-graph.ts';
import { type SuffixTable, createDataKeyRegistry, createSuffixTable } from './data-key-registry.ts';
import type { OperationPlan, PlanVariable } from './operation-plan.ts';
import { createRoot } from './places.ts';
import { NoWay, type PlanningScope } from './planning-scope.ts';
import { planMutation } from './plan-mutation.ts';
import { planSelection } from './plan-selection.ts';
import type { PlanInput, QueryPlanner } from './query-planner.ts';
import { scheduleFetches } from './schedule-fetches.ts';
import { writeFetches } from './write-plan.ts';

/** How much work one plan may be: far above what a document within the limits needs. @unit fields and fetches */
const MAX_STEPS = 200_000;

export interface QueryPlannerOptions {
  /** Subgraphs that are to hear each fetch as a request of its own. */
  readonly uncoalesced?: readonly string[];
}

/**
 * A planner for one supergraph, which must have been checked before.
 *
 * @param supergraphSdl written by composition
 */
export function createQueryPlanner(supergraphSdl: string, { uncoalesced = [] }: QueryPlannerOptions = {}): QueryPlanner {
  const graph = readFederatedGraph(supergraphSdl);
  const suffixOf = createSuffixTable(graph);
  const alone = new Set(uncoalesced);
  return {
    plan(input) {
      const document = parse(input.document, { noLocation: true });
      const operation = findOperation(document, input.operationName);
      const scope = createScope({ graph, suffixOf }, document, operation, input);
      const root = graph.types.get(graph.roots[operation.operation] ?? '');
      if (root === undefined) throw new NoWay(`execute a ${operation.operation}`);
      const place = createRoot(root);
      const sets = [operation.selectionSet];
      if (operation.operation === OperationTypeNode.MUTATION) planMutation(scope, place, sets);
      else scope.planSelection(place, sets, { avoid: new Set(), isInput: false });
      const groups = scheduleFetches(scope.fetches, (subgraph) => alone.has(subgraph));
      return { kind: operation.operation, fetches: writeFetches(graph, groups), keys: scope.keys.keys } satisfies OperationPlan;
    },
  };
}

function findOperation({ definitions }: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operation = definitions.find((definition): definition is OperationDefinitionNode => {
    return definition.kind === Kind.OPERATION_DEFINITION && (name === undefined || definition.name?.value === name);
  });
  if (operation === undefined) throw new NoWay('find the operation');
  return operation;
}

function createScope(
  { graph, suffixOf }: { readonly graph: FederatedGraph; readonly suffixOf: SuffixTable },
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
  { conditions, labels }: PlanInput,
): PlanningScope {
  const fragments = definitions.filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION);
  const scope: PlanningScope = {
    graph,
    kind: operation.operation,
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
    conditions,
    labels: new Set(labels),
    keys: createDataKeyRegistry(graph, suffixOf),
    variables: declaredVariables(operation),
    contextVariables: new Set(),
    fetches: [],
    estimates: new WeakMap(),
    pending: new Map(),
    budget: { left: MAX_STEPS },
    planSelection: (place, selectionSets, purpose) => planSelection(scope, place, selectionSets, purpose),
  };
  return scope;
}

function declaredVariables({ variableDefinitions }: OperationDefinitionNode): ReadonlyMap<string, PlanVariable> {
  const variables = (variableDefinitions ?? []).map(({ variable, type, defaultValue }): PlanVariable => {
    return { name: variable.name.value, type: print(type) + (defaultValue === undefined ? '' : ` = ${print(defaultValue)}`) };
  });
  return new Map(variables.map((variable) => [variable.name, variable]));
}
