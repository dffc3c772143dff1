import { createHash } from 'node:crypto';

const HEX = /^[\da-f]{64}$/i;

/** SHA-256 of the UTF-8 of a text, in lower-case hexadecimal digits. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** In lower case, as it is compared and kept; undefined for what is none. */
export function readSha256(value: unknown): string | undefined {
  return typeof value === 'string' && HEX.test(value) ? value.toLowerCase() : undefined;
}
