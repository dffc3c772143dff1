import { LongText } from '../../long-text.ts';
import type { OutgoingResponse } from './outgoing-response.ts';

/** Length from which a text is encoded and written in pieces. @unit characters */
const LONG_TEXT = 1_048_576;

/** Minimum length of a piece that is written, except for the last one. @unit characters */
const PIECE = 262_144;

/** Whether a body is sent by `sendLongText`. */
export function isLongText(body: string | Uint8Array | LongText): body is string | LongText {
  return typeof body === 'string' ? body.length >= LONG_TEXT : body instanceof LongText;
}

/**
 * Sends a long text as the body of a response, and ends the response. A piece is encoded when the client has received the one before, so that
 * the memory of few pieces is needed in addition to the text. The event loop serves other requests between two pieces.
 */
export function sendLongText(response: OutgoingResponse, text: string | LongText): void {
  const pieces = typeof text === 'string' ? piecesOf(text) : joinShort(text.pieces);

  function sendNext(): void {
    if (response.destroyed) return;
    const { value, done } = pieces.next();
    if (done === true) response.end();
    else if (response.write(Buffer.from(value))) setImmediate(sendNext);
    else response.once('drain', () => setImmediate(sendNext));
  }

  sendNext();
}

function* piecesOf(text: string): Generator<string, void, undefined> {
  for (let position = 0; position < text.length; ) {
    const end = endOfPiece(text, position + PIECE);
    yield text.slice(position, end);
    position = end;
  }
}

/** Joins short pieces, so that fewer are written. */
function* joinShort(pieces: readonly string[]): Generator<string, void, undefined> {
  let joined = '';
  for (const piece of pieces) {
    joined += piece;
    if (joined.length < PIECE) continue;
    yield joined;
    joined = '';
  }
  if (joined !== '') yield joined;
}

/** Returns the end of a piece that does not separate the two code units of a character. */
function endOfPiece(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd8_00 && last <= 0xdb_ff ? end + 1 : end;
}
