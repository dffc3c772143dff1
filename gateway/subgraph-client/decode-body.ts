import { isAscii, isUtf8 } from 'node:buffer';

/**
 * The text of a body that came in one or more pieces, or undefined when it is not UTF-8 (RFC 8259, section 8.1). Most bodies
 * come in one piece and in ASCII, of which Node makes a string several times faster.
 */
export function decodeBody(first: Buffer | undefined, rest: readonly Buffer[] | undefined): string | undefined {
  if (first === undefined) return '';
  const bytes = rest === undefined ? first : Buffer.concat([first, ...rest]);
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
