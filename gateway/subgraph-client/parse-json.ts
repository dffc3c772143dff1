import secureJson from 'secure-json-parse';

/** A value, and what its text says of its strings. */
export interface ParsedJson {
  readonly value: unknown;
  /** No string in it has a character that JSON must escape. */
  readonly needsNoEscape: boolean;
}

/**
 * JSON text to a value in which no object has a key `__proto__`: such keys, which can be data that somebody once stored,
 * are left out. The search for them is skipped where plain text search shows that there can be none.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): ParsedJson {
  const needsNoEscape = !text.includes('\\');
  const isPlain = !text.includes('__proto__') && (needsNoEscape || !text.includes(ESCAPED_ASCII));
  const value: unknown = isPlain ? JSON.parse(text) : secureJson.parse(text, null, { protoAction: 'remove', constructorAction: 'ignore' });
  return { value, needsNoEscape };
}

/** Begins the escape of every character that the key could be spelled with. */
const ESCAPED_ASCII = '\\u00';
