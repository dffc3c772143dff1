import type { SigningAlgorithm } from '../config/sections/auth.ts';

/**
 * The key of a file that has nothing else in it.
 *
 * @throws Error when it is shorter than what the algorithms make of it: a short key is found by trying (RFC 7518, section 3.2)
 */
export function parseSharedKey(text: string, algorithms: readonly SigningAlgorithm[]): Uint8Array {
  const key = Buffer.from(text.trim());
  const leastBytes = Math.max(...algorithms.map((algorithm) => Number(algorithm.slice(2)) / 8));
  if (key.length < leastBytes) throw new Error(`a key of ${key.length} bytes is too short, ${leastBytes} are needed`);
  return key;
}
