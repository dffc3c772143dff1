import type { Coding, Codings } from '../../gateway/platform/http/response/compress.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import type { RequestHeaders } from '../../gateway/platform/request-headers.ts';
import { readHttpDate } from '../request/read-http-date.ts';
import type { Preconditions } from '../request/read-preconditions.ts';
import { type CurrentState, isNotModified } from './conditional.ts';
import { inCoding, parseTag } from './entity-tag.ts';

/** What of a request decides in which bytes it is answered. */
export interface Delivered {
  readonly headers: RequestHeaders;
  /** Of GET and HEAD; those of writes have been seen to. */
  readonly preconditions: Preconditions | undefined;
}

/** The last stage of an answer: which coding, and whether the client has it already. A promise only where it has to be compressed. */
export type DeliverAnswer = (reply: NamedReply, request: Delivered) => NamedReply | Promise<NamedReply>;

/** What says something of content, and not of the resource: 304 has none (RFC 9110, section 15.4.5). */
const OF_CONTENT: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'last-modified']);

/**
 * Preconditions are for the representation that would be sent, so its coding is chosen first; and what the client has already need
 * not be compressed, so that comes last.
 */
export function createDelivery(codings: Codings, now: () => number): DeliverAnswer {
  return (reply, { headers, preconditions }) => {
    const { status, body } = reply;
    if (typeof body !== 'string') return reply;
    const coding = body === '' ? undefined : codings.choose(oneOf(headers['accept-encoding']), body);
    const coded = coding === undefined ? reply : withCoding(reply, coding);
    if (status === 200 && preconditions !== undefined && isNotModified(preconditions, stateOf(coded))) return toNotModified(coded);
    const answer = withoutFutureDate(coded, now);
    return coding === undefined ? answer : encode(answer, codings.encode(coding, body));
  };
}

/** The second of the change must be over before a date can stand for one state, and `Last-Modified` is never later than `Date` (RFC 9110, section 8.8.2.1). */
function withoutFutureDate(reply: NamedReply, now: () => number): NamedReply {
  const { 'last-modified': modified, ...headers } = reply.headers;
  if (modified === undefined || (readHttpDate(modified) ?? 0) <= now()) return reply;
  return { ...reply, headers };
}

function oneOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(',');
}

function withCoding(reply: NamedReply, coding: Coding): NamedReply {
  const { etag } = reply.headers;
  const headers = { ...reply.headers, 'content-encoding': coding };
  return { ...reply, headers: typeof etag === 'string' ? { ...headers, etag: inCoding(etag, coding) } : headers };
}

function stateOf({ headers: { etag, 'last-modified': modified } }: NamedReply): CurrentState {
  const lastModified = readHttpDate(modified);
  return {
    ...(typeof etag === 'string' ? { tag: parseTag(etag) } : {}),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
}

/** To a client that has already what the answer would show. */
export function toNotModified({ headers }: Pick<NamedReply, 'headers'>): NamedReply {
  return { status: 304, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONTENT.has(name))), body: '' };
}

async function encode(reply: NamedReply, encoded: Promise<Uint8Array>): Promise<NamedReply> {
  return { ...reply, body: await encoded };
}
