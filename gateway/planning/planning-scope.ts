import type { SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { OperationRejected } from '../operation/operation-rejected.ts';
import type { Choices } from './choices.ts';
import type { DataKeyRegistry } from './data-key-registry.ts';
import type { PlanVariable } from './operation-plan.ts';
import type { JointPositions } from './joint-positions.ts';
import type { TypeClass } from './alike-types.ts';
import type { FetchBuilder, Position } from './positions.ts';
import type { Resolving } from './resolvable.ts';
import type { KnownRoutes } from './route.ts';
import type { WantedScope } from './wanted-fields.ts';
import type { WholeSelections } from './whole-selections.ts';

/** State of making one plan. */
export interface PlanningScope extends WantedScope, Resolving {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly keys: DataKeyRegistry;
  /** Variables that the operation declares. */
  readonly variables: ReadonlyMap<string, PlanVariable>;
  /** Names of the variables that receive values of contexts. */
  readonly contextVariables: Set<string>;
  /** Number of the `@defer` that is being planned; 0 for the initial result. */
  readonly deferral: number;
  /** Fetches created so far. */
  readonly fetches: FetchBuilder[];
  /** Subgraphs that receive a fetch with representations. Another such fetch may join its request. */
  readonly requested: Set<string>;
  /** Estimates computed so far, by subgraph, type, provided selections and selection sets. */
  readonly estimates: Map<string, Estimate>;
  /** Subgraphs that resolve a field without provided fields, by type and field. */
  readonly resolving: Map<FederatedType, Map<string, readonly string[]>>;
  /** Subgraphs that can be entered to fetch a field, by type and field. */
  readonly enterable: Map<FederatedType, Map<string, readonly string[]>>;
  /** Whether the operation has active `@defer` directives. A position is then planned several times, each time with more fields. */
  readonly isDeferring: boolean;
  /** Whether fields at one data path with the same selections are planned at joint positions. */
  readonly isJoining: boolean;
  readonly joint: JointPositions;
  /** Number of positions that could be joined but are not, and its maximum. */
  readonly multiplied: { count: number; readonly max: number };
  /** Returns the number of a text. Equal texts have equal numbers. */
  readonly numberOf: (text: string) => number;
  /** Cache of the routes that were found last. */
  readonly routes: WeakMap<Position, KnownRoutes>;
  /** Classes of types of abstract positions, with their wanted fields. */
  readonly classes: WeakMap<Position, readonly TypeClass[]>;
  /** Selections that one subgraph resolves completely. */
  readonly wholes: WholeSelections;
  readonly choices: Choices;
  /** Subgraphs that every plan queries, as far as they are known. Undefined when the operation is planned again. */
  readonly needs: Need[] | undefined;
  /** Names of the fields whose requirements are being planned, by position. A field that occurs again requires itself. */
  readonly pending: Map<Position, Set<string>>;
  /** Remaining work before the operation is rejected as too complex. */
  readonly budget: { left: number };
  /** Plans the selections for the values of a position. */
  readonly planSelection: (position: Position, selectionSets: readonly SelectionSetNode[], purpose: Purpose) => PlannedBy;
}

/** A subgraph that every plan of an operation queries, because no other one resolves a field of the client at a position. */
export interface Need {
  readonly position: Position;
  readonly subgraph: string;
}

/** Estimated price of a selection. */
export interface Estimate {
  /** @unit fetches */
  readonly cost: number;
  /** Number of sequential fetches. */
  readonly depth: number;
}

/** Purpose of a selection. */
export interface Purpose {
  /** Subgraphs that must not be queried, because the selection is needed to reach them. */
  readonly avoid: ReadonlySet<string>;
  /** Whether the selection is for a representation and not for the client. Hidden types are then included. */
  readonly isInput: boolean;
}

/** Fetches that provide a selection. */
export type PlannedBy = ReadonlySet<FetchBuilder>;

/**
 * Subtracts work from the budget.
 *
 * @throws OperationRejected when the budget is exhausted
 */
export function spend(scope: PlanningScope, steps = 1): void {
  scope.budget.left -= steps;
  if (scope.budget.left < 0)
    throw new OperationRejected('GRAPHQL_VALIDATION_FAILED', [{ message: 'The operation is too complex to plan. Select fewer fields.' }]);
}

/** Whether the requirements of a field are being planned at a position. The field cannot be among them. */
export function isPending({ pending }: PlanningScope, position: Position, field: string): boolean {
  return pending.get(position)?.has(field) === true;
}

/** Thrown when too many positions with equal selections are planned separately, so that they must be joined. */
export class TooManyPositions extends Error {
  constructor() {
    super('The same selections are planned at too many positions.');
    this.name = 'TooManyPositions';
  }
}

/** Thrown when no subgraph or no route can provide a selection. Composition should have rejected such a supergraph. */
export class NoPath extends Error {
  constructor(what: string) {
    super(`The planner cannot ${what}.`);
    this.name = 'NoPath';
  }
}
