import { MalformedResponse } from './errors.ts';
import type { ResponseHead } from './read-head.ts';

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
