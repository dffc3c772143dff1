import { isAscii, isUtf8 } from 'node:buffer';

/**
 * The text of a body, or undefined when it is not UTF-8 (RFC 8259, section 8.1). Most bodies are in ASCII, of which Node makes
 * a string several times faster.
 */
export function decodeBody(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
