import { type FieldLineDefect, lowerCaseName, readFieldLines } from '../../platform/http/read-field-lines.ts';
import { MalformedResponse } from './connection-errors.ts';

/** Framing of a response: where its body ends and whether the connection can be reused. */
export interface Framing {
  readonly body: 'sized' | 'chunked' | 'until the end';
  /** Length of a sized body. @unit bytes */
  readonly length: number;
  /** Whether another request can be sent on the connection after the response. */
  readonly keepsAlive: boolean;
  /** `timeout` parameter of the `Keep-Alive` header, if present. @unit seconds */
  readonly keepAliveSeconds: number | undefined;
}

const LENGTH = /^[0-9]{1,15}$/;
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const KEEP_ALIVE = /(?:^|,)[\t ]*keep-alive[\t ]*(?:,|$)/i;
const TIMEOUT = /\btimeout=([0-9]{1,6})\b/i;

/**
 * Determines from the head of a response where its body ends (RFC 9112, section 6.3). Ambiguous framing is rejected.
 *
 * @throws MalformedResponse when the framing is invalid or ambiguous
 */
export function readFraming({ statusCode, headers, isOld }: ResponseHead): Framing {
  const { 'transfer-encoding': coding, 'content-length': length, connection = '', 'keep-alive': stored } = headers;
  const [, seconds] = stored === undefined ? [] : (TIMEOUT.exec(stored) ?? []);
  const keepAliveSeconds = seconds === undefined ? undefined : Number(seconds);
  const keepsAlive = !CLOSE.test(connection) && (!isOld || KEEP_ALIVE.test(connection));
  if (statusCode === 204 || statusCode === 304) {
    // These responses have no body. When one announces a body nevertheless, it is unknown whether the body follows, so the connection is
    // not reused.
    return { body: 'sized', length: 0, keepsAlive: keepsAlive && coding === undefined && length === undefined, keepAliveSeconds };
  }
  if (coding !== undefined) {
    if (length !== undefined || isOld || coding.toLowerCase() !== 'chunked') {
      throw new MalformedResponse(
        'The Transfer-Encoding is invalid. Expected exactly "chunked" in an HTTP/1.1 response without Content-Length.',
      );
    }
    return { body: 'chunked', length: 0, keepsAlive, keepAliveSeconds };
  }
  if (length === undefined) return { body: 'until the end', length: 0, keepsAlive: false, keepAliveSeconds };
  if (!LENGTH.test(length)) throw new MalformedResponse('The Content-Length is not a single decimal number.');
  return { body: 'sized', length: Number(length), keepsAlive, keepAliveSeconds };
}

/** Head of a response. */
export interface ResponseHead {
  readonly statusCode: number;
  /** Values by lowercase name. Several fields with one name are joined by commas (RFC 9110, section 5.3). */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Whether the response uses HTTP/1.0. */
  readonly isOld: boolean;
}

/** Matches version, status and reason. The space before an empty reason is often missing (RFC 9112, section 4). */
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5][0-9]{2})(?: [\t\x20-\x7e\x80-\xff]*)?$/;

/** Matches a prefix of lines of valid bytes that end with CRLF. */
const BEGINNING_OF_LINES = /^(?:[\t\x20-\x7e\x80-\xff]*\r\n)*[\t\x20-\x7e\x80-\xff]*\r?$/;

const PROTOCOL = 'HTTP/1.';

const LINE_END = '\r\n';

/**
 * Parses the head of a response strictly according to RFC 9112: no folded lines, no whitespace before a colon, no control characters, and
 * CRLF as the only line break.
 *
 * @param text Head in Latin-1, each line with its line break, without the empty line at the end.
 * @throws MalformedResponse when the head is invalid
 */
export function readHead(text: string): ResponseHead {
  const end = text.indexOf(LINE_END);
  const [, minor, status] = STATUS_LINE.exec(text.slice(0, end)) ?? [];
  if (status === undefined) throw new MalformedResponse('The status line is not a valid HTTP/1.0 or HTTP/1.1 status line.');
  return { statusCode: Number(status), headers: readFields(text.slice(end + LINE_END.length)), isOld: minor === '0' };
}

/**
 * Whether a text can become a valid head. Otherwise, the connection need not wait for the end of the head.
 *
 * @param text Text in the format of `readHead`.
 */
export function isBeginningOfHead(text: string): boolean {
  return PROTOCOL.startsWith(text.slice(0, PROTOCOL.length)) && BEGINNING_OF_LINES.test(text);
}

/**
 * Parses header or trailer fields.
 *
 * @param text Text in the format of `readHead`.
 * @throws MalformedResponse when a field is invalid
 */
export function readFields(text: string): ResponseHead['headers'] {
  const lines = readFieldLines(text);
  if (typeof lines === 'string') throw new MalformedResponse(DEFECTS[lines]);
  const headers: Record<string, string | undefined> = Object.create(null);
  for (let index = 0; index < lines.length; index += 2) {
    const name = lowerCaseName(lines[index] ?? '');
    const value = lines[index + 1];
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

const DEFECTS: Readonly<Record<FieldLineDefect, string>> = {
  character: 'A header field contains characters that are not allowed.',
  colon: 'A header field has no colon.',
  name: 'A header field has an invalid name.',
};
