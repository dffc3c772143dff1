import { type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import { type CollectScope, isIncluded } from './collect-fields.ts';
import type { ErrorPath } from './error-paths.ts';

interface Search {
  readonly key: string;
  /** Whether fields that conditions leave out are wanted too. */
  readonly isWhole: boolean;
  readonly found: FieldNode[];
  /** Names of fragments. */
  readonly seen: Set<string>;
}

/**
 * Tells whether conditions leave out the field at a path of the client's response. Plans may ask for such fields all the
 * same, and nobody wants to hear of their errors. A path that leads to nothing in the operation was not left out: the
 * error of a field that another one requires is all there is to explain that one's null.
 */
export function createLeftOut(scope: CollectScope, operation: OperationDefinitionNode): (path: ErrorPath) => boolean {
  const collect = ({ selections }: SelectionSetNode, search: Search): void => {
    for (const selection of selections) {
      if (!search.isWhole && !isIncluded(selection, scope.conditions)) continue;
      if (selection.kind === Kind.FIELD) {
        if ((selection.alias ?? selection.name).value === search.key) search.found.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet, search);
      } else if (!search.seen.has(selection.name.value)) {
        search.seen.add(selection.name.value);
        const fragment = scope.fragments.get(selection.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet, search);
      }
    }
  };
  const isFound = (path: ErrorPath, isWhole: boolean): boolean => {
    let selectionSets: readonly SelectionSetNode[] = [operation.selectionSet];
    for (const key of path) {
      if (typeof key === 'number') continue;
      const fields: FieldNode[] = [];
      const search: Search = { key, isWhole, found: fields, seen: new Set() };
      for (const selectionSet of selectionSets) collect(selectionSet, search);
      if (fields.length === 0) return false;
      selectionSets = fields.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]));
    }
    return true;
  };
  return (path) => !isFound(path, false) && isFound(path, true);
}
