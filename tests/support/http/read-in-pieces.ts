import { ConnectionClosed, MalformedResponse } from '../../../gateway/subgraph-client/connection/connection-errors.ts';
import type { ResponseHead } from '../../../gateway/subgraph-client/connection/read-head.ts';
import { ResponseReader } from '../../../gateway/subgraph-client/connection/response-reader.ts';

/** Result of reading the bytes of one response. */
export type Reading =
  | { readonly head: ResponseHead; readonly body: string; readonly keepsAlive: boolean }
  | 'malformed'
  | 'closed'
  | 'waiting';

export interface ReadingOptions {
  readonly maxBytes?: number;
  /** Whether the server closes the connection after the last byte. */
  readonly closes?: boolean;
  /** A reader that has already read on this connection. @defaultValue a new reader */
  readonly reader?: ResponseReader;
}

/** Reads one response like a connection does: chunk by chunk from one buffer that is overwritten each time. */
export function readInPieces(
  pieces: readonly Buffer[],
  { maxBytes = 100, closes = false, reader = new ResponseReader() }: ReadingOptions = {},
): Reading {
  const taken: { head: ResponseHead; body: string }[] = [];
  reader.begin({
    maxBytes,
    enter: () => true,
    check: () => undefined,
    hold: (_minimum, _bytes, proceed) => proceed(),
    complete: (head, body) => void taken.push({ head, body: body.toString('latin1') }),
    fail: (error) => {
      throw error;
    },
  });
  const shared = Buffer.alloc(Math.max(0, ...pieces.map(({ length }) => length)));
  try {
    const last = pieces.findIndex((piece) => {
      const isWhole = reader.read(shared.subarray(0, piece.copy(shared)));
      shared.fill('?');
      return isWhole;
    });
    if (last < 0 && closes) reader.end();
    const [response] = taken;
    // Bytes that arrive without a request end the connection.
    return response === undefined ? 'waiting' : { ...response, keepsAlive: reader.keepsAlive && (last < 0 || last === pieces.length - 1) };
  } catch (error) {
    if (error instanceof ConnectionClosed) return 'closed';
    if (error instanceof MalformedResponse) return 'malformed';
    throw error;
  }
}
