import { Kind, type SelectionNode, type SelectionSetNode, print } from 'graphql';

/** Identifies the selection sets of one document. */
export interface SelectionSetIds {
  /** Returns an identifier for several selection sets. Sets with the same selections in the same order have equal identifiers. */
  identify(selectionSets: readonly SelectionSetNode[]): string;
}

/**
 * Creates identifiers from the content of selection sets.
 *
 * @param isByNode whether each set is unique, because directives are identified by their nodes
 */
export function createSelectionSetIds(isByNode: boolean): SelectionSetIds {
  const known = new WeakMap<SelectionSetNode, number>();
  const numbers = new Map<string, number>();
  let count = 0;

  function numberOf(selectionSet: SelectionSetNode): number {
    let number = known.get(selectionSet);
    if (number !== undefined) return number;
    const text = isByNode ? '' : selectionSet.selections.map(textOf).join(' ');
    number = isByNode ? undefined : numbers.get(text);
    if (number === undefined) {
      count += 1;
      number = count;
      if (!isByNode) numbers.set(text, number);
    }
    known.set(selectionSet, number);
    return number;
  }

  /** Nested selection sets appear as numbers in the text, so that the work is linear in the size of the document. */
  function textOf(selection: SelectionNode): string {
    const directives = selection.directives?.map(print).join(' ') ?? '';
    if (selection.kind === Kind.FRAGMENT_SPREAD) return `...${selection.name.value} ${directives}`;
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return `... on ${selection.typeCondition?.name.value ?? ''} ${directives}{${numberOf(selection.selectionSet)}}`;
    }
    const { name, alias, arguments: given, selectionSet } = selection;
    const inside = selectionSet === undefined ? '' : `{${numberOf(selectionSet)}}`;
    return `${alias?.value ?? ''}:${name.value}(${given?.map(print).join() ?? ''})${directives}${inside}`;
  }

  return { identify: (selectionSets) => selectionSets.map(numberOf).join() };
}
