import { advance, type TokenCursor, TokenCode } from './token-cursor.ts';

/** What is noted of a whole document while it is read. */
export interface DocumentNotes {
  /** Names of root fields to look out for. */
  readonly watched: readonly string[];
  /** As they are written; expanding a fragment adds none. */
  directives: number;
  /** In one place. */
  mostDirectives: number;
  /** Where the first place with the most of them begins. @unit UTF-16 code units */
  fullestPlace: number;
}

/** Counts the directives from the current token on, if there are any. False where they are not written as directives are. */
export function readDirectives(cursor: TokenCursor, notes: DocumentNotes, place: number): boolean {
  if (cursor.code !== AT) return cursor.code !== TokenCode.WRONG;
  let count = 0;
  do {
    count += 1;
    if (advance(cursor) !== TokenCode.NAME) return false;
    if (advance(cursor) === PARENTHESIS && !skipArguments(cursor)) return false;
  } while (cursor.code === AT);
  notes.directives += count;
  if (count > notes.mostDirectives) {
    notes.mostDirectives = count;
    notes.fullestPlace = place;
  }
  return true;
}

/** Passes over arguments: there are no parentheses in values. The current token is the one behind them then. */
export function skipArguments(cursor: TokenCursor): boolean {
  for (let code = advance(cursor); code !== CLOSING_PARENTHESIS; code = advance(cursor)) {
    if (code === TokenCode.END || code === TokenCode.WRONG || code === PARENTHESIS || code === AT) return false;
  }
  advance(cursor);
  return true;
}

const [PARENTHESIS, CLOSING_PARENTHESIS, AT] = [0x28, 0x29, 0x40];
