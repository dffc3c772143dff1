import { Kind, type SelectionSetNode } from 'graphql';
import type { PartScope } from './collect-fields.ts';

/** Whether a `@defer` that is on stands somewhere inside of selection sets, whatever the types of the values are. */
export function leadsToDeferral({ fragments, deferrals }: PartScope, selectionSets: readonly SelectionSetNode[]): boolean {
  if (deferrals.size === 0) return false;
  const visited = new Set<string>();
  const leads = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.directives?.some((directive) => deferrals.has(directive)) === true) return true;
      if (selection.kind !== Kind.FRAGMENT_SPREAD) return selection.selectionSet !== undefined && leads(selection.selectionSet);
      if (visited.has(selection.name.value)) return false;
      visited.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      return fragment !== undefined && leads(fragment.selectionSet);
    });
  return selectionSets.some(leads);
}
