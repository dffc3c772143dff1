import { type DocumentNode, Kind, type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql';
import { runSteps } from '../platform/run-steps.ts';
import { readDefinitionRanges } from '../supergraph/definition-ranges.ts';
import { parseSdlInSteps, type SdlPositions } from '../supergraph/parse-sdl.ts';
import { readFederatedGraph } from '../supergraph/read-federated-graph.ts';
import { indexGraph } from '../supergraph/supergraph-index.ts';
import { areChoicesNoted } from './choices.ts';
import { type Choosing, type Joining, createPlanningScopes } from './create-planning-scopes.ts';
import { type Draft, improveDraft } from './improve-draft.ts';
import { leastSizeOf } from './least-size.ts';
import { planMutation } from './plan-mutation.ts';
import { planClientSelection } from './plan-selection.ts';
import { createRoot } from './positions.ts';
import { NoPath, TooManyPositions, type PlanningScope } from './planning-scope.ts';
import { passOperationDirectives } from './operation-variables.ts';
import type { OperationPlan } from './operation-plan.ts';
import { createPlanningIndex, type PlannedSupergraph, type PlanningIndex, planIndexed, planWhole } from './planning-index.ts';
import type { PlanInput, QueryPlanner } from './query-planner.ts';
import { scheduleFetches } from './schedule-fetches.ts';
import { UnfilledField } from './verification/unfilled-field.ts';
import { verifyPlan } from './verification/verify-plan.ts';
import { writeFetches } from './write-plan.ts';

export interface QueryPlannerOptions {
  /** Subgraphs whose parallel fetches are merged into one request. @defaultValue all subgraphs */
  readonly coalesce?: Coalescing;
  /**
   * Maximum number of positions that could be joined but are planned separately, before the operation is planned again with joint
   * positions. Lower values result in plans with fewer but later requests; 0 joins positions wherever that is possible.
   *
   * @defaultValue 24
   */
  readonly maxMultiplied?: number;
  /** Index of the supergraph. @defaultValue the supergraph is read as a whole */
  readonly index?: PlanningIndex;
}

const MAX_MULTIPLIED = 24;

/** Whether parallel fetches from a subgraph are merged into one request. */
export interface Coalescing {
  readonly byDefault: boolean;
  readonly bySubgraph: Readonly<Record<string, boolean>>;
}

const EVERYWHERE: Coalescing = { byDefault: true, bySubgraph: {} };

interface WritableDraft extends Draft {
  readonly scope: PlanningScope;
  /** Creates the plan. @throws UnfilledField when the plan is incomplete */
  write(): OperationPlan;
}

/**
 * Creates a planner for a supergraph. The supergraph must have been validated.
 *
 * @param supergraphSdl supergraph SDL written by composition
 */
export function createQueryPlanner(
  supergraphSdl: string,
  { index, coalesce = EVERYWHERE, maxMultiplied = MAX_MULTIPLIED }: QueryPlannerOptions = {},
): QueryPlanner {
  const { graph, suffixOf, locations } = index === undefined ? readPlanned(supergraphSdl) : planIndexed(supergraphSdl, index);
  const planned = { graph, suffixOf };
  const isAlone = (subgraph: string): boolean =>
    !(Object.hasOwn(coalesce.bySubgraph, subgraph) ? coalesce.bySubgraph[subgraph] : coalesce.byDefault);
  const draftDocument = (document: DocumentNode, input: PlanInput, settings: Joining & Choosing): WritableDraft => {
    const operation = findOperation(document, input.operationName);
    const kind = operation.operation;
    const type = graph.types.get(graph.roots[kind] ?? '');
    if (type === undefined) throw new NoPath(`execute a ${kind}`);
    const root = createRoot(type);
    const scopes = createPlanningScopes({ ...planned, ...settings }, document, operation, input);
    const { left } = scopes[0].budget;
    for (const scope of scopes) {
      if (kind === OperationTypeNode.MUTATION) planMutation(scope, root, [operation.selectionSet]);
      else planClientSelection(scope, root, [operation.selectionSet]);
    }
    const [scope, ...deferred] = scopes;
    const { fetches, keys, choices, budget } = scope;
    const groups = scheduleFetches(fetches, isAlone);
    return {
      scope,
      groups,
      choices,
      steps: left - budget.left,
      leastSize: () => leastSizeOf(scope),
      isRepeatable: deferred.length === 0 && !settings.isJoining && areChoicesNoted(scope),
      write() {
        const plan = { kind, fetches: passOperationDirectives(writeFetches(graph, groups), operation, locations), keys: keys.keys };
        verifyPlan(plan, operation.selectionSet, scopes);
        return plan;
      },
    };
  };
  const planDocument = (document: DocumentNode, input: PlanInput, joining: Joining): OperationPlan => {
    const first = draftDocument(document, input, { ...joining, taken: [], earlier: undefined });
    const best = improveDraft(first, (taken) => draftDocument(document, input, { ...joining, taken, earlier: first.scope }));
    try {
      return best.write();
    } catch (error) {
      if (best === first || !isUnplannable(error)) throw error;
      return first.write();
    }
  };
  const planJoining = (document: DocumentNode, input: PlanInput): OperationPlan => {
    try {
      return planDocument(document, input, { isJoining: false, maxMultiplied });
    } catch (error) {
      if (!(error instanceof TooManyPositions) || input.isDeferring === true) throw error;
    }
    try {
      return planDocument(document, input, { isJoining: true, maxMultiplied });
    } catch (error) {
      // A joint position has fewer routes to other subgraphs than the separate positions.
      if (!isUnplannable(error)) throw error;
      return planDocument(document, input, { isJoining: false, maxMultiplied: Number.POSITIVE_INFINITY });
    }
  };
  return {
    plan(input) {
      const document = parse(input.document, { noLocation: true });
      try {
        return planJoining(document, input);
      } catch (error) {
        // The initial result may use a route from which the deferred fields are unreachable, and joint positions are planned once for all
        // of their fields. `@defer` is only a hint, so everything is planned together without it.
        if (input.isDeferring !== true || !(isUnplannable(error) || error instanceof TooManyPositions)) throw error;
        return planJoining(document, { ...input, isDeferring: false });
      }
    },
  };
}

function readPlanned(sdl: string): PlannedSupergraph {
  const positions: SdlPositions = { definitions: [], fields: [] };
  const document = runSteps(parseSdlInSteps(sdl, positions));
  const graph = readFederatedGraph(document);
  const ranges = readDefinitionRanges(document, positions);
  return ranges === undefined
    ? planWhole(graph, document)
    : planIndexed(sdl, createPlanningIndex(graph, document, indexGraph(graph, document, ranges)));
}

function isUnplannable(error: unknown): boolean {
  return error instanceof NoPath || error instanceof UnfilledField;
}

function findOperation({ definitions }: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operation = definitions.find((definition): definition is OperationDefinitionNode => {
    return definition.kind === Kind.OPERATION_DEFINITION && (name === undefined || definition.name?.value === name);
  });
  if (operation === undefined) throw new NoPath('find the operation');
  return operation;
}
