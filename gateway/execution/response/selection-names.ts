import type { SelectionSetNode } from 'graphql';

/** Names lists of selection sets: equal for the same nodes in the same order. */
export type SelectionNames = (selectionSets: readonly SelectionSetNode[]) => string;

/** Numbers selection sets as they come. */
export function createSelectionNames(): SelectionNames {
  const numbers = new Map<SelectionSetNode, number>();
  return (selectionSets) => {
    let name = '';
    for (const selectionSet of selectionSets) {
      const number = numbers.get(selectionSet) ?? numbers.size;
      numbers.set(selectionSet, number);
      name += ` ${number}`;
    }
    return name;
  };
}
