import type { OutgoingResponse } from './outgoing-response.ts';

/** Length from which a text is encoded and written in pieces. @unit characters */
const LONG_TEXT = 1_048_576;

/** Length of a piece. @unit characters */
const PIECE = 262_144;

/** Whether a body is sent by `sendLongText`. */
export function isLongText(body: string | Uint8Array): body is string {
  return typeof body === 'string' && body.length >= LONG_TEXT;
}

/**
 * Sends a long text as the body of a response, and ends the response. A piece is encoded when the client has received the one before, so that
 * the memory of few pieces is needed in addition to the text. The event loop serves other requests between two pieces.
 */
export function sendLongText(response: OutgoingResponse, text: string): void {
  let position = 0;

  function sendNext(): void {
    if (response.destroyed) return;
    const end = endOfPiece(text, position + PIECE);
    const piece = Buffer.from(text.slice(position, end));
    position = end;
    if (position >= text.length) response.end(piece);
    else if (response.write(piece)) setImmediate(sendNext);
    else response.once('drain', () => setImmediate(sendNext));
  }

  sendNext();
}

/** Returns the end of a piece that does not separate the two code units of a character. */
function endOfPiece(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd8_00 && last <= 0xdb_ff ? end + 1 : end;
}
