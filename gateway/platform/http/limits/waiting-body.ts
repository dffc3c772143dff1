/**
 * Longer texts are encoded before they are written. For a string that the kernel does not take at once Node retains the string, and beside
 * it a buffer of three bytes for each character; for a buffer it retains that buffer alone. @unit characters
 */
const ENCODED_LENGTH = 65_536;

/** Bytes that Node retains for each character of a string that waits to be written: the character, and the buffer beside it. @unit bytes */
const BYTES_PER_CHARACTER = 4;

/** Encodes a long text. A text in ASCII has as many bytes as characters, and is copied as it is. */
export function encodeLong(body: string | Uint8Array): string | Uint8Array {
  if (typeof body !== 'string' || !isLong(body)) return body;
  return Buffer.byteLength(body) === body.length ? Buffer.from(body, 'latin1') : Buffer.from(body);
}

/** Counts what a body retains while it waits for its reader, encoded if it is long. @unit bytes */
export function bytesWhileWaiting(body: string | Uint8Array): number {
  if (typeof body !== 'string') return body.byteLength;
  return isLong(body) ? Buffer.byteLength(body) : body.length * BYTES_PER_CHARACTER;
}

function isLong(text: string): boolean {
  return text.length > ENCODED_LENGTH;
}
