import { type PlainHead, readPlainHead } from './read-plain-head.ts';

/** A complete plain request. */
export interface PlainMessage {
  readonly head: PlainHead;
  readonly body: Buffer;
}

/** Finds the end of requests and parses their heads. */
export interface PlainReader {
  /**
   * Reads one request.
   *
   * @returns the request if the bytes are exactly one plain request; `incomplete` if they may become one; `other` if they cannot
   */
  read(bytes: Buffer): PlainMessage | 'incomplete' | 'other';
}

/** Maximum length of a head. The parser of Node.js accepts more. @unit bytes */
const MAX_HEAD_BYTES = 8_192;

/** Number of stored heads, a power of two. */
const KNOWN_HEADS = 64;

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';

/** Head that was parsed earlier, with its bytes. */
interface KnownHead {
  readonly bytes: Buffer;
  readonly head: PlainHead;
}

/**
 * Creates a reader for the connections of one listener. It stores a few heads by their length, because clients send most of their requests
 * with equal heads, and comparing a head is faster than parsing it.
 */
export function createPlainReader(): PlainReader {
  const known: (KnownHead | undefined)[] = Array.from({ length: KNOWN_HEADS }, () => undefined);

  function headOf(bytes: Buffer, length: number): PlainHead | undefined {
    const slot = length & (KNOWN_HEADS - 1);
    const stored = known[slot];
    if (stored?.bytes.length === length && stored.bytes.compare(bytes, 0, length) === 0) return stored.head;
    const head = readPlainHead(bytes.toString('latin1', 0, length - LINE_END.length));
    // The bytes are copied, because a slice would retain the whole buffer of the socket.
    if (head !== undefined) known[slot] = { bytes: Buffer.from(bytes.subarray(0, length)), head };
    return head;
  }

  return {
    read(bytes) {
      const end = bytes.indexOf(HEAD_END, 0, 'latin1');
      const length = end + HEAD_END.length;
      if (end < 0) return bytes.length < MAX_HEAD_BYTES ? 'incomplete' : 'other';
      const head = length > MAX_HEAD_BYTES ? undefined : headOf(bytes, length);
      if (head === undefined) return 'other';
      const missing = length + head.bodyBytes - bytes.length;
      if (missing > 0) return 'incomplete';
      return missing === 0 ? { head, body: bytes.subarray(length) } : 'other';
    },
  };
}
