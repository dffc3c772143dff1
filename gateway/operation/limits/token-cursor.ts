/** Position of a tokenizer in a text. No object is created per token, so memory use does not depend on the length of the document. */
export interface TokenCursor {
  readonly text: string;
  /** Current token: a `TokenCode`, or the character code of a punctuator. */
  code: number;
  /** Offset of the current token. */
  start: number;
  /** Offset of the end of the current token. */
  end: number;
  /** Number of tokens up to the current one, without comments. */
  tokens: number;
  comments: number;
  /** Line breaks in block strings. The parser processes each of these lines separately. */
  blockLines: number;
  /** Maximum number of tokens, of comments and of lines in block strings. If one of them is exceeded, the token is `WRONG`. */
  readonly maxTokens: number;
}

/** Codes of tokens that are not a single character. */
export const TokenCode = {
  /** Text that occurs in no valid document. */
  WRONG: -1,
  END: 0,
  NAME: 1,
  NUMBER: 2,
  STRING: 3,
  SPREAD: 4,
} as const;

export function createCursor(text: string, maxTokens: number): TokenCursor {
  return { text, code: TokenCode.END, start: 0, end: 0, tokens: 0, comments: 0, blockLines: 0, maxTokens };
}

/** Whether the cursor stopped because it exceeded `maxTokens`. */
export function isBeyond({ tokens, comments, blockLines, maxTokens }: TokenCursor): boolean {
  return tokens > maxTokens || comments > maxTokens || blockLines > maxTokens;
}

/**
 * Moves to the next token (GraphQL, section 2.1) and returns its code. Finds the same token boundaries as the parser in every valid
 * document. The parser checks the escapes in strings and the content of comments.
 */
export function advance(cursor: TokenCursor): number {
  const { text } = cursor;
  const { length } = text;
  let position = cursor.end;
  while (position < length) {
    const code = text.charCodeAt(position);
    const kind = code < 128 ? CHARACTERS[code] : code === BYTE_ORDER_MARK ? IGNORED : OTHER;
    if (kind === IGNORED) {
      position += 1;
      continue;
    }
    if (code === HASH) {
      cursor.comments += 1;
      if (cursor.comments > cursor.maxTokens) return moveTo(cursor, TokenCode.WRONG, length);
      position = endOfLine(text, position + 1);
      continue;
    }
    cursor.start = position;
    cursor.tokens += 1;
    if (cursor.tokens > cursor.maxTokens) return moveTo(cursor, TokenCode.WRONG, length);
    if (kind === LETTER) {
      position += 1;
      while (position < length && isNamePart(text.charCodeAt(position))) position += 1;
      return moveTo(cursor, TokenCode.NAME, position);
    }
    return kind === PUNCTUATOR ? moveTo(cursor, code, position + 1) : readOther(cursor, code);
  }
  cursor.start = length;
  return moveTo(cursor, TokenCode.END, length);
}

function moveTo(cursor: TokenCursor, code: number, end: number): number {
  cursor.code = code;
  cursor.end = end;
  return code;
}

/** Whether the current token, which is a name, equals `name`. */
export function isNamed({ text, start, end }: TokenCursor, name: string): boolean {
  return end - start === name.length && text.startsWith(name, start);
}

function readOther(cursor: TokenCursor, code: number): number {
  const { text, start } = cursor;
  if (code === DOT && text.startsWith('...', start)) return moveTo(cursor, TokenCode.SPREAD, start + 3);
  if (code === QUOTE && text.startsWith('"""', start)) return readBlock(cursor);
  let end = -1;
  if (code === QUOTE) end = endOfString(text, start + 1);
  else if (code === MINUS || isDigit(code)) end = endOfNumber(text, start);
  if (end === -1) return moveTo(cursor, TokenCode.WRONG, text.length);
  return moveTo(cursor, code === QUOTE ? TokenCode.STRING : TokenCode.NUMBER, end);
}

function readBlock(cursor: TokenCursor): number {
  const { text, start, maxTokens } = cursor;
  const end = endOfBlock(text, start + 3);
  for (let position = start + 3; position < end && cursor.blockLines <= maxTokens; position += 1) {
    const code = text.charCodeAt(position);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) cursor.blockLines += 1;
  }
  if (end === -1 || cursor.blockLines > maxTokens) return moveTo(cursor, TokenCode.WRONG, text.length);
  return moveTo(cursor, TokenCode.STRING, end);
}

function endOfLine(text: string, from: number): number {
  let position = from;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) break;
    position += 1;
  }
  return position;
}

function endOfString(text: string, from: number): number {
  let position = from;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position + 1;
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return -1;
    position += code === BACKSLASH ? 2 : 1;
  }
  return -1;
}

/** Finds the end of a block string: three quotes without a backslash before them. */
function endOfBlock(text: string, from: number): number {
  let position = text.indexOf('"""', from);
  while (position > from && text.charCodeAt(position - 1) === BACKSLASH) position = text.indexOf('"""', position + 3);
  return position === -1 ? -1 : position + 3;
}

/**
 * Finds the end of a number. A sign can appear only at the beginning and after the exponent's letter: `1-2` is two numbers. A name
 * character must not follow.
 */
function endOfNumber(text: string, from: number): number {
  let position = text.charCodeAt(from) === MINUS ? from + 1 : from;
  position = endOfDigits(text, position);
  if (text.charCodeAt(position) === DOT) position = endOfDigits(text, position + 1);
  const letter = text.charCodeAt(position);
  if (letter === CAPITAL_E || letter === SMALL_E) {
    const sign = text.charCodeAt(position + 1);
    position = endOfDigits(text, position + (sign === PLUS || sign === MINUS ? 2 : 1));
  }
  const next = text.charCodeAt(position);
  return next === DOT || (isNamePart(next) && !isDigit(next)) ? -1 : position;
}

function endOfDigits(text: string, from: number): number {
  let position = from;
  while (isDigit(text.charCodeAt(position))) position += 1;
  return position;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isNamePart(code: number): boolean {
  return code < 128 && (CHARACTERS[code] === LETTER || isDigit(code));
}

const [HASH, QUOTE, DOT, MINUS, PLUS, BACKSLASH] = [0x23, 0x22, 0x2e, 0x2d, 0x2b, 0x5c];
const [LINE_FEED, CARRIAGE_RETURN, BYTE_ORDER_MARK] = [0x0a, 0x0d, 0xfeff];
const [CAPITAL_E, SMALL_E] = [0x45, 0x65];

const [OTHER, IGNORED, LETTER, PUNCTUATOR] = [0, 1, 2, 3];

/** Token class that each ASCII character begins. */
const CHARACTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (' ,\t\n\r'.includes(character)) return IGNORED;
  if (/[A-Za-z_]/.test(character)) return LETTER;
  return '!$&():=@[]{|}'.includes(character) ? PUNCTUATOR : OTHER;
});
