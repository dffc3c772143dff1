import secureJson from 'secure-json-parse';

/**
 * JSON text to a value in which no object has a key `__proto__`: such keys, which can be data that somebody once stored,
 * are left out. The search for them is skipped where plain text search shows that there can be none.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): unknown {
  if (!text.includes('__proto__') && !text.includes(ESCAPED_ASCII)) return JSON.parse(text);
  return secureJson.parse(text, null, { protoAction: 'remove', constructorAction: 'ignore' });
}

/** Begins the escape of every character that the key could be spelled with. */
const ESCAPED_ASCII = '\\u00';
