/** Something that comes and goes. */
export interface Member {
  /** Kept by the members it belongs to; begins as undefined. */
  place: number | undefined;
}

/** Those that are here, in no order. */
export interface Members<One extends Member> {
  readonly size: number;
  /** From a place below `size`; undefined beyond. */
  at(place: number): One | undefined;
  add(one: One): void;
  /** @returns whether it was here */
  remove(one: One): boolean;
}

/**
 * Members that come and go thousands of times a second. Not a Set: a table that a Set grows out of points to the one after
 * it and holds who was here then, and once it is old, all of that stays until the next full collection. Requests that were
 * held in this way made garbage collection cost six times as much.
 */
export function createMembers<One extends Member>(): Members<One> {
  const members: One[] = [];
  return {
    get size() {
      return members.length;
    },
    at: (place) => members[place],
    add(one) {
      one.place = members.length;
      members.push(one);
    },
    // The last one takes the place that becomes free.
    remove(one) {
      const { place } = one;
      if (place === undefined) return false;
      one.place = undefined;
      const last = members.pop();
      if (last === undefined || last === one) return true;
      members[place] = last;
      last.place = place;
      return true;
    },
  };
}
