/** Matches lines of valid bytes that end with CRLF. A lone CR or LF is rejected, because parsers interpret it differently. */
const LINES = /^(?:[\t\x20-\x7e\x80-\xff]*\r\n)*$/;

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const LINE_END = '\r\n';

/** Common spellings of field names. With this table, most heads need no name check and no case conversion. */
const COMMON_NAMES = new Map(
  [
    'Accept',
    'Accept-Encoding',
    'Authorization',
    'Cache-Control',
    'Connection',
    'Content-Length',
    'Content-Type',
    'Cookie',
    'Date',
    'ETag',
    'Host',
    'Keep-Alive',
    'Server',
    'Transfer-Encoding',
    'User-Agent',
    'Vary',
  ]
    .flatMap((name) => [name, name.toLowerCase()])
    .map((name) => [name, name.toLowerCase()]),
);

/** Why a text is no list of field lines. */
export type FieldLineDefect = 'character' | 'colon' | 'name';

/**
 * Parses header or trailer fields of a message strictly according to RFC 9112, section 5: no folded lines, no whitespace before a colon, no
 * control characters, and CRLF as the only line break.
 *
 * @param text Lines in Latin-1, each with its line break.
 * @returns alternating names as they are written and values without surrounding whitespace, in the order of the lines
 */
export function readFieldLines(text: string): string[] | FieldLineDefect {
  if (!LINES.test(text)) return 'character';
  const lines: string[] = [];
  for (let begin = 0, end = 0; begin < text.length; begin = end + LINE_END.length) {
    end = text.indexOf(LINE_END, begin);
    const colon = text.indexOf(':', begin);
    if (colon < 0 || colon > end) return 'colon';
    const name = text.slice(begin, colon);
    if (!COMMON_NAMES.has(name) && !FIELD_NAME.test(name)) return 'name';
    lines.push(name, trimmed(text, colon + 1, end));
  }
  return lines;
}

/** Returns a field name in lower case. */
export function lowerCaseName(written: string): string {
  return COMMON_NAMES.get(written) ?? written.toLowerCase();
}

/** Removes whitespace around a value (RFC 9110, section 5.5). Usually there is one space before the value. */
function trimmed(text: string, from: number, to: number): string {
  let [begin, end] = [from, to];
  while (begin < end && isBlank(text.charCodeAt(begin))) begin += 1;
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}

const SPACE = 0x20;
const TAB = 0x09;

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}
