import { Kind, type SelectionSetNode } from 'graphql';
import type { PartScope } from './collect-fields.ts';

/** Whether a `@defer` that is on stands somewhere inside of selection sets, whatever the types of the values are. */
export type LeadsToDeferral = (selectionSets: readonly SelectionSetNode[]) => boolean;

/** Looks into the selection sets of one operation, into each once. */
export function createDeferralSearch({ fragments, deferrals }: PartScope): LeadsToDeferral {
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
