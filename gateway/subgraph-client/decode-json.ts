import { isAscii, isUtf8 } from 'node:buffer';
import secureJson from 'secure-json-parse';
import { JsonBytes, JsonText } from '../platform/json-source.ts';
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

/** Returns the bytes of a long body, whose text is decoded slice by slice; undefined when the bytes are not UTF-8. */
export function readJsonBytes(body: Buffer): JsonBytes | undefined {
  if (isAscii(body)) return new JsonBytes(body, true);
  return isUtf8(body) ? new JsonBytes(body, false) : undefined;
}

/** Parses a long body like `parseSubgraphJson`, in steps of a few milliseconds. @throws SyntaxError when the body is not JSON */
export function* parseLongJson(body: string | JsonBytes): Generator<undefined, ParsedJson, undefined> {
  const { needsNoEscape, forbidden } = typeof body === 'string' ? inspectText(body) : yield* inspectBytes(body);
  const value = yield* parseInSlices(typeof body === 'string' ? new JsonText(body) : body, { forbidden });
  return { value, needsNoEscape };
}

interface Inspected {
  readonly needsNoEscape: boolean;
  readonly forbidden: ForbiddenKeys | undefined;
}

function inspectText(text: string): Inspected {
  const needsNoEscape = !text.includes('\\');
  const isPlain = !text.includes(PROTOTYPE) && (needsNoEscape || !text.includes(ESCAPED_ASCII));
  return { needsNoEscape, forbidden: isPlain ? undefined : FORBIDDEN };
}

/** Searches the bytes in steps, for the same texts. */
function* inspectBytes(body: JsonBytes): Generator<undefined, Inspected, undefined> {
  let needsNoEscape = true;
  let isPlain = true;
  for (let from = 0; from < body.length; from += SEARCHED_BYTES) {
    const to = from + SEARCHED_BYTES + OVERLAP_BYTES;
    needsNoEscape &&= !body.includesAny(BACKSLASHES, from, to);
    isPlain &&= !body.includesAny(needsNoEscape ? PROTOTYPES : PROTOTYPES_AND_ESCAPES, from, to);
    if (!needsNoEscape && !isPlain) break;
    yield;
  }
  return { needsNoEscape, forbidden: isPlain ? undefined : FORBIDDEN };
}

/** Number of bytes that are searched in one step: about a millisecond of work. */
const SEARCHED_BYTES = 1_048_576;

/** Number of bytes that two steps search: one less than the longest searched text has. */
const OVERLAP_BYTES = 8;

const FORBIDDEN: ForbiddenKeys = { protoAction: 'remove', constructorAction: 'ignore' };

/** Prefix of every escape sequence that could spell a character of the key. */
const ESCAPED_ASCII = '\\u00';

const PROTOTYPE = '__proto__';

const BACKSLASHES = ['\\'] as const;
const PROTOTYPES = [PROTOTYPE] as const;
const PROTOTYPES_AND_ESCAPES = [PROTOTYPE, ESCAPED_ASCII] as const;
