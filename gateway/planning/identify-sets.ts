import { Kind, type SelectionNode, type SelectionSetNode, print } from 'graphql';

/** Tells selection sets of one document apart. */
export interface SelectionSetIds {
  /** Names several selection sets: equal for sets that ask for the same, in the same order. */
  identify(selectionSets: readonly SelectionSetNode[]): string;
}

/**
 * Identifies selection sets by what is written in them.
 *
 * @param isByNode whether each is different from all others, because some of their directives are known by the node
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

  /** What is inside of a selection is a number in its text, so that the work is linear in the size of the document. */
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
