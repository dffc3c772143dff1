/**
 * Copies a text so that V8 stores it with one byte per character when all characters are ASCII. A substring of a longer text uses two bytes
 * per character when that text does. An example is a name from a schema with a dash in a description. Every text that includes the name
 * then uses two bytes as well. One such name in a response of 47 KB doubled its memory and cost 100 µs.
 */
export function compactText(text: string): string {
  return Buffer.from(text).toString();
}

/** Above this length the regular expression is faster than a loop over the characters. @unit characters */
const SHORT_LENGTH = 40;

/** Matches quotes, backslashes, control characters and surrogates. A lone surrogate must be escaped. */
const MUST_BE_ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** Prints a string as JSON text. Most strings need no escaping, and checking that is cheaper than calling `JSON.stringify`. */
export function printText(text: string): string {
  return mustBeEscaped(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Whether a string must be escaped in JSON. */
export function mustBeEscaped(text: string): boolean {
  if (text.length > SHORT_LENGTH) return MUST_BE_ESCAPED.test(text);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) return true;
  }
  return false;
}

/**
 * Maximum nesting of custom scalar values. It equals the limit for client input, and common JSON parsers support it. All other values are
 * nested no deeper than the operation, so responses need no depth check on arrival.
 *
 * @unit levels
 */
const MAX_DEPTH = 64;

/**
 * Prints any value as JSON text.
 *
 * @throws RangeError when the value is nested too deeply
 */
export function printFreeForm(value: unknown): string {
  if (isDeeperThan(value, MAX_DEPTH)) throw new RangeError('A value is nested too deeply.');
  return JSON.stringify(value);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isDeeperThan(item, levels - 1)) return true;
  return false;
}

/**
 * Flattens a concatenated string. V8 stores it as its pieces until a character is read. Reading one here copies the pieces once, instead of
 * once for each use, or all at once at the end.
 */
export function inOnePiece(text: string): string {
  return text.charCodeAt(0) === 0 ? '' : text;
}
