import type { z } from 'zod';
import type { SigningAlgorithm } from '../config/sections/auth.ts';

/** Describes every mistake in a file with its path, without any values from the file. */
export function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`)).join('; ');
}

/**
 * Parses the JSON of a credential file.
 *
 * @throws Error without any part of the text, because the message of Node.js would quote secrets in the log
 */
export function parseCredentialJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the file is not valid JSON');
  }
}

/**
 * Parses a file that contains only a shared key.
 *
 * @throws Error when the key is shorter than the hash of the algorithms, because short keys can be found by brute force (RFC 7518, section
 * 3.2)
 */
export function parseSharedKey(text: string, algorithms: readonly SigningAlgorithm[]): Uint8Array {
  const key = Buffer.from(text.trim());
  const leastBytes = Math.max(...algorithms.map((algorithm) => Number(algorithm.slice(2)) / 8));
  if (key.length < leastBytes) throw new Error(`the key has ${key.length} bytes, expected at least ${leastBytes} bytes`);
  return key;
}
