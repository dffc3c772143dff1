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

/** A subgraph result before compilation: its fields and the root object or entities that they are merged into. */
export interface ResponseDraft {
  /** Number of the result, unique within the plan. */
  readonly id: number;
  /** Index of the fetch that returns it. */
  readonly fetch: number;
  readonly isRoot: boolean;
  readonly selections: readonly PlanSelection[];
  readonly fields: readonly MergeField[];
  readonly contextArguments: readonly ContextArgument[] | undefined;
  /** Empty when the result belongs to the root type. */
  readonly representations: readonly RepresentationPlan[];
  /** Paths from the root of the tree to the target objects. A single path without steps means the root object itself. */
  readonly paths: readonly (readonly PathStep[])[];
}

/** The results of one request: one for the root type, or one for each `_entities` field. */
export type RequestDraft = readonly ResponseDraft[];

/**
 * Lists the results that the fetches of a plan return.
 *
 * @returns The results of each fetch, by index of the fetch.
 */
export function draftResponses(plan: OperationPlan, isInterface: (typename: string) => boolean): readonly RequestDraft[] {
  let count = 0;
  return plan.fetches.map(({ selections, path = [], lookups = [] }: PlannedFetch, fetch) => {
    const draftLookup = (lookup: EntityLookup): ResponseDraft => ({
      id: (count += 1),
      fetch,
      isRoot: false,
      selections: lookup.selections,
      fields: compileMergeFields(lookup.selections, isInterface),
      contextArguments: lookup.contextArguments,
      representations: lookup.representations,
      paths: lookup.paths.map(toSteps),
    });
    if (selections !== undefined) {
      const fields = compileMergeFields(selections, isInterface);
      count += 1;
      const paths = [toSteps(path)];
      return [{ id: count, fetch, isRoot: true, selections, fields, contextArguments: undefined, representations: [], paths }];
    }
    return lookups.map(draftLookup);
  });
}

/** Converts a plan path into steps that are prepared for fast reads. */
export function toSteps(path: readonly PlanPathStep[]): readonly PathStep[] {
  return path.map(({ key, types }) => ({ key: toDataKey(key), types: types && new Set(types) }));
}
