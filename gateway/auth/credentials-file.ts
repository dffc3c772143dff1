import type { z } from 'zod';
import type { SigningAlgorithm } from '../config/sections/auth.ts';

/** Every mistake of a file with the place where it stands, and without what stands there. */
export function describeFaults({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`)).join('; ');
}

/** JSON of a file of credentials. @throws Error without any of the text: what Node says would quote it in the log */
export function parseCredentialJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is no JSON');
  }
}

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
