/** A set of fetches of a plan. Equal sets of one `FetchSets` are one object. */
export interface FetchSet {
  readonly id: number;
  /** Bits of the set, one for each index of a fetch. */
  readonly words: Uint32Array;
}

/** Creates sets of the fetches of one plan. The result of each operation on the same sets is cached. */
export interface FetchSets {
  readonly none: FetchSet;
  of(indices: Iterable<number>): FetchSet;
  union(sets: readonly FetchSet[]): FetchSet;
  intersection(one: FetchSet, other: FetchSet): FetchSet;
  without(set: FetchSet, index: number): FetchSet;
}

/** @param count number of fetches in the plan */
export function createFetchSets(count: number): FetchSets {
  const known = new Map<string, FetchSet>();
  const intersections = new Map<FetchSet, Map<FetchSet, FetchSet>>();
  const length = (count + 31) >>> 5;

  function toSet(words: Uint32Array): FetchSet {
    const text = words.join('.');
    let set = known.get(text);
    if (set === undefined) known.set(text, (set = { id: known.size, words }));
    return set;
  }

  function of(indices: Iterable<number>): FetchSet {
    const words = new Uint32Array(length);
    for (const index of indices) words[index >>> 5] = (words[index >>> 5] ?? 0) | (1 << (index & 31));
    return toSet(words);
  }

  return {
    none: of([]),
    of,
    union(sets) {
      const words = new Uint32Array(length);
      for (const set of sets) for (let word = 0; word < length; word += 1) words[word] = (words[word] ?? 0) | (set.words[word] ?? 0);
      return toSet(words);
    },
    intersection(one, other) {
      if (one === other) return one;
      let ofOne = intersections.get(one);
      if (ofOne === undefined) intersections.set(one, (ofOne = new Map()));
      let set = ofOne.get(other);
      if (set === undefined) {
        const words = new Uint32Array(length);
        for (let word = 0; word < length; word += 1) words[word] = (one.words[word] ?? 0) & (other.words[word] ?? 0);
        ofOne.set(other, (set = toSet(words)));
      }
      return set;
    },
    without(set, index) {
      const words = set.words.slice();
      words[index >>> 5] = (words[index >>> 5] ?? 0) & ~(1 << (index & 31));
      return toSet(words);
    },
  };
}

/** Whether two sets have a fetch in common. */
export function doIntersect(one: FetchSet, other: FetchSet): boolean {
  for (let word = 0; word < one.words.length; word += 1) if (((one.words[word] ?? 0) & (other.words[word] ?? 0)) !== 0) return true;
  return false;
}

export function hasFetch({ words }: FetchSet, index: number): boolean {
  return (((words[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;
}
