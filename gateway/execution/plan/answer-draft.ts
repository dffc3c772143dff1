import type { ContextArgument, PlanSelection, RepresentationPlan } from '../../planning/operation-plan.ts';
import type { MergeField, PathStep } from './compiled-plan.ts';

/** What one answer of a subgraph brings, and where it goes: the root, or the objects of an `_entities` field. */
export interface AnswerDraft {
  /** Its number among all of the plan. */
  readonly id: number;
  /** The fetch that it belongs to. */
  readonly fetch: number;
  readonly isRoot: boolean;
  readonly selections: readonly PlanSelection[];
  readonly fields: readonly MergeField[];
  readonly contextArguments: readonly ContextArgument[] | undefined;
  /** Empty at the root. */
  readonly representations: readonly RepresentationPlan[];
  /** Where the objects are that it fills: paths from the root of the tree; one without steps where it fills the root itself. */
  readonly places: readonly (readonly PathStep[])[];
}
