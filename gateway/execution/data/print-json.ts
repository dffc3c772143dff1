/**
 * The same text, with one byte for each character where all of them are ASCII. Names that were cut out of a longer text, a
 * schema with a dash in a description, have two, as that has; and so has each text that such a name is put into. One name in
 * an answer of 47 KB doubled its memory and cost 100 µs.
 */
export function compactText(text: string): string {
  return Buffer.from(text).toString();
}

/** Above this length the regular expression is faster than looking at each character. */
const SHORT_LENGTH = 40;

/** Quote, backslash, control characters; surrogates too, because a lone one must be escaped. */
const MUST_BE_ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** A string as JSON text. Most strings need no escaping, and finding that out is cheaper than a call of `JSON.stringify`. */
export function printText(text: string): string {
  return mustBeEscaped(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Whether a string cannot stand between quotes as it is. */
export function mustBeEscaped(text: string): boolean {
  if (text.length > SHORT_LENGTH) return MUST_BE_ESCAPED.test(text);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) return true;
  }
  return false;
}

/**
 * Deepest nesting in a value of a scalar that may have any form: as deep as clients may nest theirs, and what readers of JSON are known to
 * take. Nothing else of an answer is nested deeper than its operation, so that answers need not be searched for it when they come.
 *
 * @unit levels
 */
const MAX_DEPTH = 64;

/**
 * A value of any form as JSON text.
 *
 * @throws RangeError when it is nested too deeply
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
