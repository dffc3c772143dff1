/**
 * Returns a list with one more element: a new list of exactly one element, or the same list. Most lists of a record have one element, for
 * which `push` to an empty list would allocate 17 slots.
 */
export function withLast<Item>(items: readonly Item[], last: Item): readonly Item[] {
  if (items.length === 0) return [last];
  (items as Item[]).push(last);
  return items;
}
