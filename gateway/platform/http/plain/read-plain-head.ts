import type { IncomingHttpHeaders } from 'node:http';
import { CORRELATION_ID_HEADER, REQUEST_RECORD } from '../../request-headers.ts';
import { lowerCaseName, readFieldLines } from '../read-field-lines.ts';

/** Methods of plain requests. */
export type PlainMethod = 'GET' | 'HEAD' | 'POST';

/** Head of a request that every HTTP parser understands alike. */
export interface PlainHead {
  readonly method: PlainMethod;
  /** Request target in origin form, not yet checked. */
  readonly target: string;
  /** Values by lower-case name. No name occurs twice. */
  readonly headers: IncomingHttpHeaders;
  /** Alternating names as they were written, and values. */
  readonly rawHeaders: string[];
  /** @unit bytes */
  readonly bodyBytes: number;
  /** Whether the client sends no further request on the connection. */
  readonly isLast: boolean;
}

/** Maximum length of the body of a plain request, so that the whole request arrives at once. @unit bytes */
const MAX_BODY_BYTES = 65_536;

/** Matches a request line. Other targets and methods are read by Node.js. */
const REQUEST_LINE = /^(GET|HEAD|POST) (\/[!-"$-~]*) HTTP\/1\.1$/;

/** Matches field lines of visible ASCII characters and spaces. */
const PLAIN_LINES = /^(?:[ -~]*\r\n)*$/;

/** Matches a host name or an address, with an optional port. */
const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/** Matches a length without sign, list or leading zero. */
const LENGTH = /^(?:0|[1-9][0-9]{0,5})$/;

/** Headers that change the framing, the coding or the protocol of a message, or that could be confused with a property of every object. */
const FOREIGN: ReadonlySet<string> = new Set([
  '__proto__',
  'content-encoding',
  'expect',
  'http2-settings',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const LINE_END = '\r\n';

/**
 * Parses the head of a request if it is plain: strictly formed, with one valid host, at most one length, no repeated header, and no header
 * that changes the framing.
 *
 * @param text Head in Latin-1, each line with its line break, without the empty line at the end.
 * @returns undefined for all other heads, valid or not
 */
export function readPlainHead(text: string): PlainHead | undefined {
  const end = text.indexOf(LINE_END);
  const [, name, target] = REQUEST_LINE.exec(text.slice(0, end)) ?? [];
  const method = methodOf(name);
  const fields = text.slice(end + LINE_END.length);
  if (target === undefined || method === undefined || !PLAIN_LINES.test(fields)) return undefined;
  const rawHeaders = readFieldLines(fields);
  const headers = typeof rawHeaders === 'string' ? undefined : toHeaders(rawHeaders);
  if (headers === undefined || typeof rawHeaders === 'string') return undefined;
  const bodyBytes = bodyBytesOf(method, headers);
  const isLast = isLastRequest(headers.connection);
  if (bodyBytes === undefined || isLast === undefined || !HOST.test(headers.host ?? '')) return undefined;
  addLaterMembers(headers);
  return { method, target, headers, rawHeaders, bodyBytes, isLast };
}

/** Returns the method as a constant, which V8 compares by its address. A part of the head would be compared by its characters. */
function methodOf(name: string | undefined): PlainMethod | undefined {
  if (name === 'POST') return 'POST';
  if (name === 'GET') return 'GET';
  return name === 'HEAD' ? 'HEAD' : undefined;
}

/** Returns the headers by name; undefined if a name is repeated or foreign. */
function toHeaders(lines: readonly string[]): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = {};
  for (let index = 0; index < lines.length; index += 2) {
    const name = lowerCaseName(lines[index] ?? '');
    if (Object.hasOwn(headers, name) || FOREIGN.has(name)) return undefined;
    // Node.js reads this header as a list.
    if (name === 'set-cookie') return undefined;
    headers[name] = lines[index + 1];
  }
  return headers;
}

/**
 * Adds the members that each request gets later. V8 creates a new shape for each copy of an object to which a member is added, and then
 * searches every member that is read from it, which took a tenth of the time of a small request.
 */
function addLaterMembers(headers: IncomingHttpHeaders & { [REQUEST_RECORD]?: undefined }): void {
  if (headers[CORRELATION_ID_HEADER] === undefined) headers[CORRELATION_ID_HEADER] = undefined;
  headers[REQUEST_RECORD] = undefined;
}

/** Returns the length of the body; undefined if a request with this method and these headers is not plain. @unit bytes */
function bodyBytesOf(method: PlainMethod, headers: IncomingHttpHeaders): number | undefined {
  const length = headers['content-length'];
  if (method !== 'POST') return length === undefined ? 0 : undefined;
  if (length === undefined || !LENGTH.test(length) || headers['content-type']?.toLowerCase().includes('multipart') === true)
    return undefined;
  return Number(length) <= MAX_BODY_BYTES ? Number(length) : undefined;
}

function isLastRequest(connection: string | undefined): boolean | undefined {
  if (connection === undefined) return false;
  const option = connection.toLowerCase();
  return option === 'close' || (option === 'keep-alive' ? false : undefined);
}
