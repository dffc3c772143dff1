import { type DirectiveNode, type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from 'graphql';
import type { FederatedGraph } from '../supergraph/federated-graph.ts';
import type { Choices } from './choices.ts';
import { type SuffixOf, createDataKeyRegistry } from './data-key-registry.ts';
import { declaredVariables } from './operation-variables.ts';
import { findDeferrals } from './deferrals.ts';
import { createSelectionSetIds } from './identify-sets.ts';
import { MAX_REPEATED_STEPS } from './improve-draft.ts';
import { createJointPositions } from './joint-positions.ts';
import { planSelection } from './plan-selection.ts';
import type { PlanningScope } from './planning-scope.ts';
import type { PlanInput } from './query-planner.ts';
import { createWholeSelections } from './whole-selections.ts';

/** Maximum work for one plan, far above the needs of any document within the limits. @unit fields and fetches */
const MAX_STEPS = 200_000;

/** A federated graph, with data that is derived from it. */
export interface PlannedGraph {
  readonly graph: FederatedGraph;
  readonly suffixOf: SuffixOf;
}

/** Settings for positions that could be joined. */
export interface Joining {
  readonly isJoining: boolean;
  /** Maximum number of such positions that are planned separately when `isJoining` is false. */
  readonly maxMultiplied: number;
}

/** Choices with which an operation is planned. */
export interface Choosing extends Pick<Choices, 'taken'> {
  /** Scope in which the same operation was planned with other choices. Its estimates are reused. Undefined for operations with `@defer`. */
  readonly earlier: PlanningScope | undefined;
}

/**
 * Creates the scopes in which an operation is planned: the first for the initial result, then one for each `@defer`, which adds to the
 * earlier fetches.
 */
export function createPlanningScopes(
  { graph, suffixOf, isJoining, maxMultiplied, taken, earlier }: PlannedGraph & Joining & Choosing,
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
  const isRepeated = earlier !== undefined;
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
    requested: new Set<string>(),
    resolving: earlier?.resolving ?? new Map(),
    enterable: earlier?.enterable ?? new Map(),
    pending: new Map(),
    budget: { left: isRepeated ? 2 * MAX_REPEATED_STEPS : MAX_STEPS },
    needs: isRepeated ? undefined : [],
    choices: { taken, counts: [], until: isRepeated ? 0 : MAX_STEPS - MAX_REPEATED_STEPS },
    sets: earlier?.sets ?? createSelectionSetIds(deferrals.length > 0),
    isJoining,
    joint: createJointPositions(),
    multiplied: { count: 0, max: maxMultiplied },
    numberOf: createNumbers(),
  };
  const scopeFor = (deferral: number, waiting: readonly DirectiveNode[]): PlanningScope => {
    const scope: PlanningScope = {
      ...shared,
      deferral,
      waiting: new Set(waiting),
      estimates: earlier?.estimates ?? new Map(),
      wantedBySets: earlier?.wantedBySets ?? new Map(),
      isDeferring: deferrals.length > 0,
      routes: new WeakMap(),
      classes: new WeakMap(),
      wholes: createWholeSelections(),
      planSelection: (position, selectionSets, purpose) => planSelection(scope, position, selectionSets, purpose),
    };
    return scope;
  };
  return [scopeFor(0, deferrals), ...deferrals.map((_deferral, index) => scopeFor(index + 1, deferrals.slice(index + 1)))];
}

function createNumbers(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}
