/**
 * Returns a function that creates a value on its first call, and returns the same value afterwards. A cache for a hundred thousand entries
 * costs time and memory, so it is created only when it is used.
 */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
