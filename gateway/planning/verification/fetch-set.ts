/** A set of fetches: a bit for each index of a fetch in the plan. */
export type FetchSet = Uint32Array;

/** @param count how many fetches the plan has */
export function createFetchSet(count: number, indices: Iterable<number> = []): FetchSet {
  const set = new Uint32Array((count + 31) >>> 5);
  for (const index of indices) addFetch(set, index);
  return set;
}

export function addFetch(set: FetchSet, index: number): void {
  set[index >>> 5] = (set[index >>> 5] ?? 0) | (1 << (index & 31));
}

export function addFetches(set: FetchSet, others: FetchSet): void {
  for (let word = 0; word < others.length; word += 1) set[word] = (set[word] ?? 0) | (others[word] ?? 0);
}

export function hasFetch(set: FetchSet, index: number): boolean {
  return (((set[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;
}

/** Tells if two sets have a fetch in common. */
export function doIntersect(one: FetchSet, other: FetchSet): boolean {
  for (let word = 0; word < one.length; word += 1) if (((one[word] ?? 0) & (other[word] ?? 0)) !== 0) return true;
  return false;
}
