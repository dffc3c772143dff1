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
