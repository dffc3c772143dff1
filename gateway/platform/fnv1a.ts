/**
 * Hashes the UTF-16 code units of a text with FNV-1a. Similar texts have similar hashes, so callers must mix the bits if that matters.
 *
 * @returns signed 32-bit integer
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
