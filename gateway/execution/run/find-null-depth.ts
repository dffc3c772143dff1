import { readOwn } from '../data/own-properties.ts';

/**
 * Finds the null that an error has left in a response: that of its own field, or of one around it where the field must not be null
 * (GraphQL specification, 6.4.4).
 *
 * @param path of the error
 * @returns how many elements of the path lead to the null; undefined where the path leads to none
 */
export function findNullDepth(data: unknown, path: readonly (string | number)[] = []): number | undefined {
  let value = data;
  for (const [depth, element] of path.entries()) {
    if (value === null) return depth;
    if (typeof value !== 'object') return undefined;
    value = readOwn(value, String(element));
  }
  return value === null ? path.length : undefined;
}
