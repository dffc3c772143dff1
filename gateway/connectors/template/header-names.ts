/** Name of a header (RFC 9110, section 5.1). */
const TOKEN = /^[!#$%&'*+.^_`|~\da-z-]+$/i;

/** Headers that the connection determines (RFC 9110, section 7.6.1), and those that the gateway computes for each request. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that describe the request of the connector, which is not that of the client. */
const NOT_COPIED: ReadonlySet<string> = new Set(['accept', 'content-type']);

/** Control characters of ASCII except the tab: one of them could end the header. Those of Latin-1 are bytes of UTF-8 characters. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\u0080-\u009F]/u;

/** Explains why a connector cannot send a header of this name, or returns undefined. */
export function issueOfHeaderName(name: string, isCopied: boolean): string | undefined {
  if (!TOKEN.test(name)) return `"${name}" is not a valid name of a header`;
  const lowerCase = name.toLowerCase();
  if (RESERVED.has(lowerCase)) return `the header "${lowerCase}" is reserved for the connection, so a connector cannot set it`;
  if (isCopied && NOT_COPIED.has(lowerCase)) return `the header "${lowerCase}" cannot be set with "from"; use "value"`;
  return undefined;
}

/** Whether a value contains CR, LF, NUL or another control character. */
export function hasControlCharacters(value: string): boolean {
  return CONTROL_CHARACTERS.test(value);
}
