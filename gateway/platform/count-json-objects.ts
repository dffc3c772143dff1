/**
 * Counts the objects of a JSON text without parsing it. A brace in a string is counted too.
 *
 * @param text An object, or `null`.
 */
export function countJsonObjects(text: string): number {
  let count = 0;
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) count += 1;
  return count;
}
