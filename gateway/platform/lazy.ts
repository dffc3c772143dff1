/** What is made when it is first asked for, and once: a table with room for a hundred thousand entries costs time and memory. */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
