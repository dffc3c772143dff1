import type { HttpResult } from '../../supergraph/subgraph-executor.ts';
import type { ResponseHead } from '../connection/read-head.ts';
import { decodeUtf8 } from '../../platform/decode-utf8.ts';
import type { ParsedJson } from '../decode-json.ts';
import { SubgraphFailure } from '../failures.ts';
import { refuse } from '../read-response.ts';
import { SURROGATE } from '../../platform/surrogates.ts';

/** Matches the media types of JSON, such as `application/json` and `application/problem+json` (RFC 6839, section 3.1). */
const JSON_TYPE = /^(?:application|text)\/(?:[a-z0-9!#$&^_.-]+\+)?json\s*(?:;|$)/i;

const TEXT_TYPE = /^text\/plain\s*(?:;|$)/i;

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

const NO_CONTENT: ReadonlySet<number> = new Set([204, 205]);

/** Whether a status means success (RFC 9110, section 15.3). */
export function isSuccessful(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Checks the head of a response of a back end before the body is read. Redirects and bodies above the limit are rejected. A successful
 * response must be JSON or plain text without a content coding; the body of any other response is optional information.
 *
 * @returns failure `SUBGRAPH_INVALID_RESPONSE`, or `SUBGRAPH_UNAVAILABLE` for a 5xx or 429
 */
export function checkHttpHead(head: ResponseHead, maxBytes: number): SubgraphFailure | undefined {
  const { statusCode, headers } = head;
  if (statusCode >= 300 && statusCode < 400) return refuse(head, 'redirects are not followed');
  const { 'content-length': length } = headers;
  if (length !== undefined && Number(length) > maxBytes) return refuse(head, `the body is longer than ${maxBytes} bytes`);
  if (!isSuccessful(statusCode) || NO_CONTENT.has(statusCode) || length === '0') return undefined;
  if (isCoded(head)) return refuse(head, 'the body has a content coding');
  // Without a media type, the body is read as JSON.
  const { 'content-type': type } = headers;
  if (type !== undefined && !isReadable(type)) return refuse(head, 'the media type is neither JSON nor text/plain');
  return undefined;
}

/** Whether the body of a response is only used if it can be read: the response reports an error. */
export function isBodyOptional({ statusCode }: ResponseHead): boolean {
  return !isSuccessful(statusCode);
}

/**
 * Decodes plain text in the charset of its media type, if that is known, and every other body as UTF-8 (RFC 8259, section 8.1).
 *
 * @returns undefined when the bytes are not text in this charset
 */
export function decodeHttpBody(bytes: Buffer, { headers: { 'content-type': type = '' } }: ResponseHead): string | undefined {
  const charset = TEXT_TYPE.test(type) ? CHARSET.exec(type)?.[1] : undefined;
  if (charset === undefined || /^utf-?8$/i.test(charset)) return decodeUtf8(bytes);
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    // Without `stream`, Node.js 20 decodes windows-1252 as Latin-1.
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch (error) {
    // The label is unknown.
    return error instanceof RangeError ? decodeUtf8(bytes) : undefined;
  }
}

/**
 * Reads a response of a back end.
 *
 * @param parseBody Parses the body. It throws when the body is not JSON.
 * @throws SubgraphFailure `SUBGRAPH_INVALID_RESPONSE` when the body of a successful response is not JSON
 * @throws SubgraphFailure `SUBGRAPH_UNAVAILABLE`, with the response in its facts, for a 5xx or 429
 */
export function readHttpResult(head: ResponseHead, parseBody: () => ParsedJson, text: string): HttpResult {
  const { statusCode: status, headers } = head;
  if (isSuccessful(status)) return { status, headers, ...readBody(head, parseBody, text) };
  const received = { status, headers, ...readOptionalBody(head, parseBody, text) };
  if (status < 500 && status !== 429) return received;
  const { code, cause, facts } = refuse(head, 'the status reports a failure of the service');
  throw new SubgraphFailure(code as 'SUBGRAPH_UNAVAILABLE', cause, { ...facts, received });
}

type ReadBody = Pick<HttpResult, 'body' | 'needsNoEscape'>;

/** @returns a body that is undefined if there is none */
function readBody(head: ResponseHead, parseBody: () => ParsedJson, text: string): ReadBody {
  if (text === '') return { body: undefined };
  if (TEXT_TYPE.test(head.headers['content-type'] ?? '')) return { body: text };
  try {
    const { value, needsNoEscape } = parseBody();
    return { body: value, needsNoEscape: needsNoEscape && !SURROGATE.test(text) };
  } catch (cause) {
    throw refuse(head, 'the body is not JSON', cause);
  }
}

/** @returns a body that is undefined if there is none, and when it cannot be read */
function readOptionalBody(head: ResponseHead, parseBody: () => ParsedJson, text: string): ReadBody {
  const { 'content-type': type } = head.headers;
  if (text !== '' && (isCoded(head) || (type !== undefined && !isReadable(type)))) return { body: undefined };
  try {
    return readBody(head, parseBody, text);
  } catch (error) {
    if (error instanceof SubgraphFailure) return { body: undefined };
    throw error;
  }
}

function isReadable(type: string): boolean {
  return JSON_TYPE.test(type) || TEXT_TYPE.test(type);
}

function isCoded({ headers }: ResponseHead): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}
