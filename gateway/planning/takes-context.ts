import { Kind, type SelectionSetNode } from 'graphql';
import type { WantedScope } from './wanted-fields.ts';

/** Whether selection sets contain a field, at any depth, that may take an argument from a context. Fields are identified by name only. */
export function takesContext({ graph, fragments }: WantedScope, selectionSets: readonly SelectionSetNode[]): boolean {
  const names = graph.contextFields;
  if (names.size === 0) return false;
  const visited = new Set<string>();
  const takes = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) {
        return names.has(selection.name.value) || (selection.selectionSet !== undefined && takes(selection.selectionSet));
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) return takes(selection.selectionSet);
      if (visited.has(selection.name.value)) return false;
      visited.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      return fragment !== undefined && takes(fragment.selectionSet);
    });
  return selectionSets.some(takes);
}
