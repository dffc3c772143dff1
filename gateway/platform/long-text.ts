/**
 * Text in pieces that are not joined. Joining a long text blocks the event loop, because it needs new memory of the same size: 200 ms for 50
 * MB.
 */
export class LongText {
  readonly pieces: readonly string[];
  /** Length in UTF-8. @unit bytes */
  readonly byteLength: number;

  private constructor(pieces: readonly string[], byteLength: number) {
    this.pieces = pieces;
    this.byteLength = byteLength;
  }

  /** Reads the pieces in steps, one for each piece. A piece must not separate the two code units of a character. */
  static *inSteps(texts: Iterable<string>): Generator<undefined, LongText, undefined> {
    const pieces: string[] = [];
    let byteLength = 0;
    for (const text of texts) {
      pieces.push(text);
      byteLength += Buffer.byteLength(text);
      yield;
    }
    return new LongText(pieces, byteLength);
  }

  /** Returns the text with other texts before and after it. */
  enclosed(before: string, after: string): LongText {
    const byteLength = Buffer.byteLength(before) + this.byteLength + Buffer.byteLength(after);
    return new LongText([before, ...this.pieces, after], byteLength);
  }

  /** Joins the pieces. V8 copies them only when a character of the result is read. */
  toString(): string {
    let text = '';
    for (const piece of this.pieces) text += piece;
    return text;
  }
}
