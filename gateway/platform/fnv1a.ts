/**
 * Hashes the UTF-16 code units of a text by FNV-1a. Neighboring texts have neighboring hashes: mix the bits where that matters.
 *
 * @returns 32 bits, signed
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
