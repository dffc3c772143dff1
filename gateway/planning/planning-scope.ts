import type { SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { OperationRefused } from '../operation/errors.ts';
import type { Choices } from './choices.ts';
import type { DataKeyRegistry } from './data-key-registry.ts';
import type { PlanVariable } from './operation-plan.ts';
import type { JointPlaces } from './joint-places.ts';
import type { TypeClass } from './alike-types.ts';
import type { FetchBuilder, Place } from './places.ts';
import type { Resolving } from './resolvable.ts';
import type { KnownRoutes } from './route.ts';
import type { WantedScope } from './wanted-fields.ts';
import type { WholeSelections } from './whole-selections.ts';

/** What one plan is made in. */
export interface PlanningScope extends WantedScope, Resolving {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly keys: DataKeyRegistry;
  /** The variables that the operation declares. */
  readonly variables: ReadonlyMap<string, PlanVariable>;
  /** Names of the variables that take values of contexts. */
  readonly contextVariables: Set<string>;
  /** Which `@defer` is planned now; 0 for the first answer. */
  readonly deferral: number;
  /** All fetches so far. */
  readonly fetches: FetchBuilder[];
  /** The subgraphs to which a fetch by representations goes: another such fetch may join its request. */
  readonly asked: Set<string>;
  /** Estimates made so far, by subgraph, type, provided selections and selection sets. */
  readonly estimates: Map<string, Estimate>;
  /** Subgraphs that resolve a field without anything that is provided, by type and field. */
  readonly resolving: Map<FederatedType, Map<string, readonly string[]>>;
  /** Subgraphs that could be entered to get a field, by type and field. */
  readonly enterable: Map<FederatedType, Map<string, readonly string[]>>;
  /** Whether something is deferred: then one place is planned several times, each time for more. */
  readonly isDeferring: boolean;
  /** True when fields at one data path that have the same selections are planned at joint places. */
  readonly isJoining: boolean;
  readonly joint: JointPlaces;
  /** Places so far that could be joined and are not, and how many there may be. */
  readonly multiplied: { count: number; readonly max: number };
  /** Numbers texts: equal for equal texts. */
  readonly numberOf: (text: string) => number;
  /** The ways that were found last. */
  readonly routes: WeakMap<Place, KnownRoutes>;
  /** Classes of types of abstract places, with what is wanted of them. */
  readonly classes: WeakMap<Place, readonly TypeClass[]>;
  /** Selections that one subgraph resolves with everything inside of them. */
  readonly wholes: WholeSelections;
  readonly choices: Choices;
  /** Fields whose requirements are being planned, by place: one that is met again needs itself. */
  readonly pending: Map<Place, Set<string>>;
  /** What is left to be done before the operation is too much. */
  readonly budget: { left: number };
  /** Gets what is wanted of the values of a place. */
  readonly planSelection: (place: Place, selectionSets: readonly SelectionSetNode[], purpose: Purpose) => PlannedBy;
}

/** The price of a selection. */
export interface Estimate {
  /** @unit fetches */
  readonly cost: number;
  /** How many of the fetches are made one after another. */
  readonly depth: number;
}

/** What something is wanted for. */
export interface Purpose {
  /** Subgraphs that must not be asked, because what is wanted is the way to them. */
  readonly avoid: ReadonlySet<string>;
  /** For a representation rather than for the client: then hidden types count as well. */
  readonly isInput: boolean;
}

/** The fetches that bring what was wanted. */
export type PlannedBy = ReadonlySet<FetchBuilder>;

/**
 * Counts one step of work.
 *
 * @throws OperationRefused when there were too many
 */
export function spend(scope: PlanningScope, steps = 1): void {
  scope.budget.left -= steps;
  if (scope.budget.left < 0) throw new OperationRefused('GRAPHQL_VALIDATION_FAILED', [{ message: 'The operation selects too much.' }]);
}

/** Too many places are planned alike: they have to be joined. */
export class PlacesMultiply extends Error {
  constructor() {
    super('The same selections are planned at too many places.');
    this.name = 'PlacesMultiply';
  }
}

/** No subgraph, or no way to one, has what is wanted: composition should have refused such a supergraph. */
export class NoWay extends Error {
  constructor(what: string) {
    super(`There is no way to ${what}.`);
    this.name = 'NoWay';
  }
}
