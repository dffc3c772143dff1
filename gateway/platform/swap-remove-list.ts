/** Element of a list with fast removal. */
export interface SwapRemoveItem {
  /** Index in the list, which only the list changes. It must be undefined initially. */
  index: number | undefined;
}

/** Unordered list of elements. */
export interface SwapRemoveList<One extends SwapRemoveItem> {
  readonly size: number;
  /** Returns the element at an index below `size`; undefined beyond. */
  at(index: number): One | undefined;
  add(one: One): void;
  /** Removes an element. @returns whether it was in the list */
  remove(one: One): boolean;
}

/**
 * Creates a list for elements that are added and removed thousands of times per second. A Set is not used: when a Set grows, its old table
 * references the new one and retains its former elements. Once the old table is in the old generation, all of that remains until the next
 * full collection. Requests that were retained in this way made garbage collection six times as expensive.
 */
export function createSwapRemoveList<One extends SwapRemoveItem>(): SwapRemoveList<One> {
  const members: One[] = [];
  return {
    get size() {
      return members.length;
    },
    at: (index) => members[index],
    add(one) {
      one.index = members.length;
      members.push(one);
    },
    // The last element moves to the free slot.
    remove(one) {
      const { index } = one;
      if (index === undefined) return false;
      one.index = undefined;
      const last = members.pop();
      if (last === undefined || last === one) return true;
      members[index] = last;
      last.index = index;
      return true;
    },
  };
}
