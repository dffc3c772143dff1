/**
 * Length from which texts are encoded before they are written. For a string that the kernel does not accept immediately, Node.js retains
 * the string and a buffer of three bytes per character. For a buffer, it retains only that buffer.
 *
 * @unit characters
 */
const ENCODED_LENGTH = 65_536;

/** Memory that Node.js retains per character of a pending string: the character and the buffer. @unit bytes */
const BYTES_PER_CHARACTER = 4;

/** Encodes a long text. An ASCII text has as many bytes as characters, so it is copied without a conversion. */
export function encodeLong(body: string | Uint8Array): string | Uint8Array {
  if (typeof body !== 'string' || !isLong(body)) return body;
  return Buffer.byteLength(body) === body.length ? Buffer.from(body, 'latin1') : Buffer.from(body);
}

/**
 * Returns a text in the form in which it is sent at the lowest cost several times. A short ASCII text and its head are one write. Other
 * texts are encoded once.
 */
export function toSharedBody(text: string): string | Uint8Array {
  return isLong(text) || Buffer.byteLength(text) !== text.length ? Buffer.from(text) : text;
}

/** Computes the memory of a body while it is unread, encoded if it is long. @unit bytes */
export function bytesWhileWaiting(body: string | Pick<Uint8Array, 'byteLength'>): number {
  if (typeof body !== 'string') return body.byteLength;
  return isLong(body) ? Buffer.byteLength(body) : body.length * BYTES_PER_CHARACTER;
}

function isLong(text: string): boolean {
  return text.length > ENCODED_LENGTH;
}
