import { Kind, type SelectionSetNode } from 'graphql';
import type { PayloadScope } from './collect-fields.ts';

/** Whether selection sets contain an active `@defer` at any level, regardless of the types of the values. */
export type LeadsToDeferral = (selectionSets: readonly SelectionSetNode[]) => boolean;

/** Creates a search through the selection sets of one operation. Each selection set is searched once. */
export function createDeferralSearch({ fragments, deferrals }: PayloadScope): LeadsToDeferral {
  if (deferrals.size === 0) return () => false;
  const known = new Map<SelectionSetNode, boolean>();
  const leads = (selectionSet: SelectionSetNode): boolean => {
    let found = known.get(selectionSet);
    if (found === undefined) {
      found = selectionSet.selections.some((selection) => {
        if (selection.directives?.some((directive) => deferrals.has(directive)) === true) return true;
        const inside = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value)?.selectionSet : selection.selectionSet;
        return inside !== undefined && leads(inside);
      });
      known.set(selectionSet, found);
    }
    return found;
  };
  return (selectionSets) => selectionSets.some(leads);
}
