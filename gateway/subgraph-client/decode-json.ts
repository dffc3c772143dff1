import { isAscii, isUtf8 } from 'node:buffer';
import secureJson from 'secure-json-parse';
import { type ForbiddenKeys, parseInSlices } from '../platform/parse-in-slices.ts';

/**
 * The text of a body, or undefined when it is not UTF-8 (RFC 8259, section 8.1). Most bodies are in ASCII, of which Node makes
 * a string several times faster.
 */
export function decodeBody(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

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
  const { needsNoEscape, forbidden } = inspectText(text);
  const value: unknown = forbidden === undefined ? JSON.parse(text) : secureJson.parse(text, null, forbidden);
  return { value, needsNoEscape };
}

/** Does the same for a long text, in steps of a few milliseconds. @throws SyntaxError when the text is not JSON */
export function* parseLongJson(text: string): Generator<undefined, ParsedJson, undefined> {
  const { needsNoEscape, forbidden } = inspectText(text);
  const value = yield* parseInSlices(text, { forbidden });
  return { value, needsNoEscape };
}

function inspectText(text: string): { readonly needsNoEscape: boolean; readonly forbidden: ForbiddenKeys | undefined } {
  const needsNoEscape = !text.includes('\\');
  const isPlain = !text.includes('__proto__') && (needsNoEscape || !text.includes(ESCAPED_ASCII));
  return { needsNoEscape, forbidden: isPlain ? undefined : FORBIDDEN };
}

const FORBIDDEN: ForbiddenKeys = { protoAction: 'remove', constructorAction: 'ignore' };

/** Begins the escape of every character that the key could be spelled with. */
const ESCAPED_ASCII = '\\u00';
