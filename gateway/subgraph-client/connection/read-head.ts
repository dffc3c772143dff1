import { MalformedResponse } from './errors.ts';

/** Where the body of an answer ends, and what becomes of its connection. */
export interface Framing {
  readonly body: 'sized' | 'chunked' | 'until the end';
  /** Of a sized body. @unit bytes */
  readonly length: number;
  /** Whether another request may be sent after the answer. */
  readonly keepsConnection: boolean;
  /** The `timeout` of its `Keep-Alive`, if it has one. @unit seconds */
  readonly keptSeconds: number | undefined;
}

const LENGTH = /^[0-9]{1,15}$/;
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const KEEP_ALIVE = /(?:^|,)[\t ]*keep-alive[\t ]*(?:,|$)/i;
const TIMEOUT = /\btimeout=([0-9]{1,6})\b/i;

/**
 * Reads by the head of an answer where its body ends (RFC 9112, section 6.3). Where that could be read in two ways it is
 * refused.
 *
 * @throws MalformedResponse
 */
export function readFraming({ statusCode, headers, isOld }: ResponseHead): Framing {
  const { 'transfer-encoding': coding, 'content-length': length, connection = '', 'keep-alive': kept } = headers;
  const [, seconds] = kept === undefined ? [] : (TIMEOUT.exec(kept) ?? []);
  const keptSeconds = seconds === undefined ? undefined : Number(seconds);
  const keepsConnection = !CLOSE.test(connection) && (!isOld || KEEP_ALIVE.test(connection));
  if (statusCode === 204 || statusCode === 304) {
    // It has no body; where it announces one all the same, nobody knows whether that comes.
    return { body: 'sized', length: 0, keepsConnection: keepsConnection && coding === undefined && length === undefined, keptSeconds };
  }
  if (coding !== undefined) {
    if (length !== undefined || isOld || coding.toLowerCase() !== 'chunked') {
      throw new MalformedResponse('The transfer coding is not plainly chunked.');
    }
    return { body: 'chunked', length: 0, keepsConnection, keptSeconds };
  }
  if (length === undefined) return { body: 'until the end', length: 0, keepsConnection: false, keptSeconds };
  if (!LENGTH.test(length)) throw new MalformedResponse('The length is not one number.');
  return { body: 'sized', length: Number(length), keepsConnection, keptSeconds };
}

/** The head of an answer. */
export interface ResponseHead {
  readonly statusCode: number;
  /** By names in lower case; several fields of one name are one value, with commas (RFC 9110, section 5.3). */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Whether it was sent by HTTP/1.0. */
  readonly isOld: boolean;
}

/** Version, status and reason; the blank before a reason that is empty is often left out (RFC 9112, section 4). */
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5][0-9]{2})(?: [\t\x20-\x7e\x80-\xff]*)?$/;

/** Lines of bytes that may stand in one, each with its whole line break: a lone CR or LF is read differently by different readers. */
const LINES = /^(?:[\t\x20-\x7e\x80-\xff]*\r\n)*$/;

/** The same without its end. */
const BEGINNING_OF_LINES = /^(?:[\t\x20-\x7e\x80-\xff]*\r\n)*[\t\x20-\x7e\x80-\xff]*\r?$/;

const PROTOCOL = 'HTTP/1.';

const LINE_END = '\r\n';

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** How names are written most of the time: most heads then cost no check and no change of case. */
const COMMON_NAMES = new Map(
  ['Content-Type', 'Content-Length', 'Date', 'Connection', 'Keep-Alive', 'Transfer-Encoding', 'Cache-Control', 'ETag', 'Vary', 'Server']
    .flatMap((name) => [name, name.toLowerCase()])
    .map((name) => [name, name.toLowerCase()]),
);

/**
 * Reads the head of an answer by the letter of RFC 9112: no lines that are folded, no blank before a colon, no control
 * characters, no line break but CRLF.
 *
 * @param text in Latin-1, every line with its line break, without the empty one at the end
 * @throws MalformedResponse
 */
export function readHead(text: string): ResponseHead {
  const end = text.indexOf(LINE_END);
  const [, minor, status] = STATUS_LINE.exec(text.slice(0, end)) ?? [];
  if (status === undefined) throw new MalformedResponse('The status line is not one of HTTP/1.');
  return { statusCode: Number(status), headers: readFields(text.slice(end + LINE_END.length)), isOld: minor === '0' };
}

/** Whether this can become a head at all, so that nobody waits for the end of something else. @param text as for `readHead` */
export function isBeginningOfHead(text: string): boolean {
  return PROTOCOL.startsWith(text.slice(0, PROTOCOL.length)) && BEGINNING_OF_LINES.test(text);
}

/**
 * Reads header or trailer fields.
 *
 * @param text as for `readHead`
 * @throws MalformedResponse
 */
export function readFields(text: string): ResponseHead['headers'] {
  if (!LINES.test(text)) throw new MalformedResponse('There are characters that must not stand in a header field.');
  const headers: Record<string, string | undefined> = Object.create(null);
  for (let begin = 0, end = 0; begin < text.length; begin = end + LINE_END.length) {
    end = text.indexOf(LINE_END, begin);
    const colon = text.indexOf(':', begin);
    if (colon < 0 || colon > end) throw new MalformedResponse('A header field has no colon.');
    const name = nameOf(text.slice(begin, colon));
    const value = trimmed(text, colon + 1, end);
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

function nameOf(written: string): string {
  const common = COMMON_NAMES.get(written);
  if (common !== undefined) return common;
  if (!FIELD_NAME.test(written)) throw new MalformedResponse('The name of a header field is not one.');
  return written.toLowerCase();
}

/** Without the blanks around it (RFC 9110, section 5.5), of which there is one in front most of the time. */
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
