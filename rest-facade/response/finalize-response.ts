import type { Coding, Codings } from '../../gateway/platform/http/response/compress.ts';
import type { NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { RequestHeaders } from '../../gateway/platform/request-headers.ts';
import { inCoding, parseTag } from '../request/conditional/entity-tag.ts';
import { readHttpDate } from '../request/conditional/http-date.ts';
import type { Preconditions } from '../request/conditional/preconditions.ts';
import { type CurrentState, isNotModified } from './evaluate-preconditions.ts';

/** The part of a request that determines the bytes of its response. */
export interface FinalizeOptions {
  readonly headers: RequestHeaders;
  /** Preconditions of GET and HEAD. Those of writes are already evaluated. */
  readonly preconditions: Preconditions | undefined;
}

/**
 * Last stage of a response: chooses the content coding and evaluates preconditions. Returns a promise only if the body must be compressed.
 */
export type FinalizeResponse = (
  httpResponse: NamedHttpResponse,
  request: FinalizeOptions,
) => NamedHttpResponse | Promise<NamedHttpResponse>;

/** Headers of the content. A 304 has no content, so it omits them (RFC 9110, section 15.4.5). */
const OF_CONTENT: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'last-modified']);

/**
 * Creates the last stage. Preconditions apply to the encoded representation, so the coding is chosen first. Compression is last, because a
 * 304 does not need it.
 */
export function createResponseFinalizer(codings: Codings, now: () => number): FinalizeResponse {
  return (httpResponse, { headers, preconditions }) => {
    const { status, body } = httpResponse;
    if (typeof body !== 'string') return httpResponse;
    const coding = body === '' ? undefined : codings.choose(singleHeader(headers['accept-encoding']), body);
    const coded = coding === undefined ? httpResponse : withCoding(httpResponse, coding);
    if (status === 200 && preconditions !== undefined && isNotModified(preconditions, stateOf(coded))) return toNotModified(coded);
    const response = withoutFutureDate(coded, now);
    return coding === undefined ? response : encode(response, codings.encode(coding, body));
  };
}

/**
 * Removes a `Last-Modified` in the future. It must not be later than `Date`, and identifies one state only after the second of the change
 * is over (RFC 9110, section 8.8.2.1).
 */
function withoutFutureDate(httpResponse: NamedHttpResponse, now: () => number): NamedHttpResponse {
  const modified = httpResponse.headers['last-modified'];
  if (modified === undefined || (readHttpDate(modified) ?? 0) <= now()) return httpResponse;
  const { 'last-modified': _future, ...headers } = httpResponse.headers;
  return { ...httpResponse, headers };
}

export function singleHeader(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(',');
}

export function withCoding(httpResponse: NamedHttpResponse, coding: Coding): NamedHttpResponse {
  const { etag } = httpResponse.headers;
  const headers = { ...httpResponse.headers, 'content-encoding': coding };
  return { ...httpResponse, headers: typeof etag === 'string' ? { ...headers, etag: inCoding(etag, coding) } : headers };
}

export function stateOf({ headers: { etag, 'last-modified': modified } }: NamedHttpResponse): CurrentState {
  const lastModified = readHttpDate(modified);
  return {
    ...(typeof etag === 'string' ? { tag: parseTag(etag) } : {}),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
}

/** Converts a response to 304, for a client that has the current representation. */
export function toNotModified({ headers }: Pick<NamedHttpResponse, 'headers'>): NamedHttpResponse {
  return { status: 304, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONTENT.has(name))), body: '' };
}

async function encode(httpResponse: NamedHttpResponse, encoded: Promise<Uint8Array>): Promise<NamedHttpResponse> {
  return { ...httpResponse, body: await encoded };
}
