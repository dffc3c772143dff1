import type { OutgoingHttpHeader } from 'node:http';
import { STATUS_CODES } from '../node-http.ts';

/** Framing of a response that its headers do not determine. */
export interface HeadContext {
  /** Whether the response to this request and with this status has a body. */
  readonly hasBody: boolean;
  /** Length of the body, if it is known and no header states it. @unit bytes */
  readonly knownLength: number | undefined;
  /** Whether the connection is closed after the response, for reasons other than its headers. */
  readonly isLast: boolean;
}

/** Head as text. */
export interface PrintedHead {
  /** Head with the empty line at its end. Each character is one byte. */
  readonly text: string;
  /** Whether the body is sent in chunks. */
  readonly isChunked: boolean;
  /** Length of the body that a header states. @unit bytes */
  readonly statedLength: number | undefined;
  /** Whether the connection is closed after the response. */
  readonly isLast: boolean;
}

/**
 * Prints the head of a response like `ServerResponse` of Node.js: the given headers, then `Date`, `Connection`, `Keep-Alive` and the framing
 * where they are missing.
 *
 * @param fields alternating names and values
 * @throws TypeError for names and values that HTTP does not allow
 */
export type PrintHead = (status: number, fields: readonly HeaderField[], context: HeadContext) => PrintedHead;

/** Name or value of a header. */
export type HeaderField = OutgoingHttpHeader | readonly string[];

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const CLOSE = /(?:^|\W)close(?:$|\W)/i;
const CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;

/** Maximum number of names whose last line is stored. */
const MAX_KNOWN_LINES = 100;
/** Maximum length of a stored value. @unit characters */
const MAX_KNOWN_VALUE = 200;

const SECOND_MS = 1_000;

/** Number of changes after which the line of a name is no longer replaced. Ids have another value in each response. */
const MAX_CHANGES = 16;

/** Line that was printed for a name. Most headers have the same value in all responses. */
interface KnownLine {
  readonly value: string;
  readonly line: string;
  /** Number of lines that it has replaced. */
  readonly changes: number;
}

/** Properties of a message that its headers determine. */
interface Framing {
  hasConnection: boolean;
  closes: boolean;
  length: number | undefined;
  coding: string | undefined;
  hasDate: boolean;
  hasKeepAlive: boolean;
}

/** @param keepAliveTimeoutMs time that `Keep-Alive` announces. @unit milliseconds */
export function createHeadPrinter(keepAliveTimeoutMs: number): PrintHead {
  const known = new Map<string, KnownLine>();
  const statusLines = new Map<number, string>();
  const date = createDateLine();
  const keepAlive = 'Connection: keep-alive\r\n';
  const timeout = `Keep-Alive: timeout=${Math.floor(keepAliveTimeoutMs / SECOND_MS)}\r\n`;

  function lineOf(name: string, value: string): string {
    const stored = known.get(name);
    if (stored?.value === value) return stored.line;
    if (stored === undefined && !NAME.test(name)) throw new TypeError(`The header name "${name}" is not a valid token.`);
    if (FORBIDDEN_IN_VALUE.test(value)) throw new TypeError(`The value of the header "${name}" contains characters that are not allowed.`);
    const line = `${name}: ${value}\r\n`;
    const changes = stored === undefined ? 0 : stored.changes + 1;
    if (changes > MAX_CHANGES || value.length > MAX_KNOWN_VALUE) return line;
    if (stored !== undefined || known.size < MAX_KNOWN_LINES) known.set(name, { value, line, changes });
    return line;
  }

  function statusLine(status: number): string {
    let line = statusLines.get(status);
    if (line === undefined) {
      line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
      statusLines.set(status, line);
    }
    return line;
  }

  return (status, fields, { hasBody, knownLength, isLast }) => {
    const framing: Framing = {
      hasConnection: false,
      closes: false,
      length: undefined,
      coding: undefined,
      hasDate: false,
      hasKeepAlive: false,
    };
    let text = statusLine(status);
    for (let index = 0; index < fields.length; index += 2) {
      const name = String(fields[index]);
      const value = fields[index + 1];
      if (value === undefined) throw new TypeError(`The header "${name}" has no value.`);
      if (typeof value === 'object') for (const one of value) text += lineOf(name, one);
      else text += lineOf(name, typeof value === 'string' ? value : String(value));
      note(framing, name, value);
    }
    if (!framing.hasDate) text += date();
    const closes = framing.hasConnection ? framing.closes || isLast : isLast;
    if (!framing.hasConnection && closes) text += 'Connection: close\r\n';
    else if (!framing.hasConnection) text += framing.hasKeepAlive ? keepAlive : keepAlive + timeout;
    let isChunked = framing.coding !== undefined && CHUNKED.test(framing.coding);
    if (hasBody && framing.length === undefined && framing.coding === undefined) {
      if (knownLength === undefined) {
        isChunked = true;
        text += 'Transfer-Encoding: chunked\r\n';
      } else {
        text += `Content-Length: ${knownLength}\r\n`;
      }
    }
    return { text: `${text}\r\n`, isChunked: isChunked && hasBody, statedLength: framing.length, isLast: closes };
  };
}

/** Notes the property that a header determines. Only a few names have the length of such a header. */
function note(framing: Framing, name: string, value: HeaderField): void {
  if (name.length < 4 || name.length > 17) return;
  switch (name.toLowerCase()) {
    case 'connection':
      framing.hasConnection = true;
      framing.closes ||= CLOSE.test(String(value));
      return;
    case 'content-length':
      framing.length = Number(value);
      return;
    case 'transfer-encoding':
      framing.coding = String(value);
      return;
    case 'date':
      framing.hasDate = true;
      return;
    case 'keep-alive':
      framing.hasKeepAlive = true;
      return;
    default:
  }
}

/** Creates a function that returns the `Date` line, which is printed once per second. */
function createDateLine(now: () => number = Date.now): () => string {
  let second = Number.NaN;
  let line = '';
  return () => {
    const current = Math.floor(now() / SECOND_MS);
    if (current !== second) {
      second = current;
      line = `Date: ${new Date(current * SECOND_MS).toUTCString()}\r\n`;
    }
    return line;
  };
}
