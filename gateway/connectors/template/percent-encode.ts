import { SURROGATE } from '../../platform/surrogates.ts';

const UNRESERVED = /^[\w.~-]*$/;

/** Characters that `encodeURIComponent` does not encode although they are reserved. */
const NOT_ENCODED = /[!'()*]/;

/** Characters of a path segment that URLs do not encode (RFC 3986, section 3.3), without those of `UNRESERVED`. */
const NOT_IN_SEGMENT = /%(?![\da-fA-F]{2})|[^\w.~!$&'()*+,;=:@%-]+/gu;

/** Characters of a query that URLs do not encode (RFC 3986, section 3.4). */
const NOT_IN_QUERY = /%(?![\da-fA-F]{2})|[^\w.~!$&()*+,;=:@%/?-]+/gu;

/**
 * Encodes a value as UTF-8 with percent signs. Only unreserved characters remain (RFC 3986, section 2.3), so the value adds no delimiter.
 * Surrogates without their counterpart become U+FFFD.
 */
export function percentEncode(value: string): string {
  if (UNRESERVED.test(value)) return value;
  const text = encodeURIComponent(SURROGATE.test(value) ? value.replaceAll(/\p{Surrogate}/gu, '\uFFFD') : value);
  return NOT_ENCODED.test(text) ? text.replaceAll(/[!'()*]/g, toPercent) : text;
}

/** Encodes what a URL cannot contain in text that the author of the schema wrote. Delimiters and encoded characters remain. */
export function encodeWrittenText(text: string, position: 'segment' | 'query'): string {
  return text.replaceAll(position === 'segment' ? NOT_IN_SEGMENT : NOT_IN_QUERY, percentEncode);
}

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
