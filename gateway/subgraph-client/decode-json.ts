import secureJson from 'secure-json-parse';
import { type ForbiddenKeys, parseInSlices } from '../platform/parse-in-slices.ts';

/** A parsed value and a property of its text. */
export interface ParsedJson {
  readonly value: unknown;
  /** Whether no string in the value contains a character that JSON must escape. */
  readonly needsNoEscape: boolean;
}

/**
 * Parses JSON and removes keys named `__proto__`, which can occur in stored data. The search for them is skipped when a plain text search
 * finds none.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseSubgraphJson(text: string): ParsedJson {
  const { needsNoEscape, forbidden } = inspectText(text);
  const value: unknown = forbidden === undefined ? JSON.parse(text) : secureJson.parse(text, null, forbidden);
  return { value, needsNoEscape };
}

/** Parses a long text like `parseSubgraphJson`, in steps of a few milliseconds. @throws SyntaxError when the text is not JSON */
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

/** Prefix of every escape sequence that could spell a character of the key. */
const ESCAPED_ASCII = '\\u00';
