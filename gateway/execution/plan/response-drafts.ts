import type {
  ContextArgument,
  EntityLookup,
  OperationPlan,
  PlannedFetch,
  PlanPathStep,
  PlanSelection,
  RepresentationPlan,
} from '../../planning/operation-plan.ts';
import { toDataKey } from '../data/own-properties.ts';
import { compileMergeFields } from './compile-selections.ts';
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

/** The answers of one request: of the root, or of its `_entities` fields. */
export type RequestDraft = readonly AnswerDraft[];

/**
 * Lists the answers that the fetches of a plan bring.
 *
 * @returns the request of each fetch
 */
export function draftAnswers(plan: OperationPlan, isInterface: (typename: string) => boolean): readonly RequestDraft[] {
  let count = 0;
  return plan.fetches.map(({ selections, path = [], lookups = [] }: PlannedFetch, fetch) => {
    const draftLookup = (lookup: EntityLookup): AnswerDraft => ({
      id: (count += 1),
      fetch,
      isRoot: false,
      selections: lookup.selections,
      fields: compileMergeFields(lookup.selections, isInterface),
      contextArguments: lookup.contextArguments,
      representations: lookup.representations,
      places: lookup.paths.map(toSteps),
    });
    if (selections !== undefined) {
      const fields = compileMergeFields(selections, isInterface);
      count += 1;
      const places = [toSteps(path)];
      return [{ id: count, fetch, isRoot: true, selections, fields, contextArguments: undefined, representations: [], places }];
    }
    return lookups.map(draftLookup);
  });
}

/** A path with what must be known to read it fast. */
export function toSteps(path: readonly PlanPathStep[]): readonly PathStep[] {
  return path.map(({ key, types }) => ({ key: toDataKey(key), types: types && new Set(types) }));
}
