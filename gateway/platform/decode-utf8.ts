import { isAscii, isUtf8 } from 'node:buffer';

/** Decodes UTF-8; returns undefined when the bytes are not valid. Most texts are ASCII, which Node.js decodes several times faster. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
