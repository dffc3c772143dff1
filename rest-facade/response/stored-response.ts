import type { OutgoingHttpHeaders } from 'node:http';
import type { CallerBudget } from '../../gateway/budget/caller-budget.ts';
import type { Rendition, RenditionWire } from '../../gateway/index.ts';
import type { Coding, Codings } from '../../gateway/platform/http/response/compress.ts';
import type { HttpResponse, NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import { CORRELATION_ID_HEADER, type RequestHeaders } from '../../gateway/platform/request-headers.ts';
import { readHttpDate } from '../request/conditional/http-date.ts';
import type { Preconditions } from '../request/conditional/preconditions.ts';
import { isNotModified } from './evaluate-preconditions.ts';
import { singleHeader, stateOf, toNotModified, withCoding } from './finalize-response.ts';
import { isForSharedCaches, mergeHeaders } from './merge-headers.ts';

/** A read that is served with a stored response. */
export interface StoredRead {
  readonly headers: RequestHeaders;
  readonly preconditions: Preconditions | undefined;
  readonly correlationId: string;
  /** Age of the cached response. @unit seconds */
  readonly ageSeconds: number;
  /** Budget of the caller. A shared cache does not receive its state. */
  readonly budget: CallerBudget | undefined;
}

export interface StoredResponses {
  /**
   * Makes the rendition of a response for later requests. Undefined if such requests can have other responses.
   *
   * @param more headers of the response from the processing of its request
   */
  make(httpResponse: NamedHttpResponse, more: OutgoingHttpHeaders): Rendition | undefined;
  /**
   * Makes the response from a rendition, or 304. Returns a promise only if the body must be compressed first.
   *
   * @throws GatewayError `PRECONDITION_FAILED`
   */
  respond(rendition: Rendition, read: StoredRead): HttpResponse | Promise<HttpResponse>;
}

/** Headers that belong to one response. */
const OF_ONE_RESPONSE: ReadonlySet<string> = new Set([CORRELATION_ID_HEADER, 'age', 'ratelimit', 'ratelimit-policy']);

const NOTHING = Buffer.alloc(0);

export function createStoredResponses(codings: Codings, now: () => number): StoredResponses {
  async function encode(rendition: Rendition, wire: RenditionWire, coding: Coding): Promise<Uint8Array> {
    wire.bytes = await codings.encode(coding, rendition.body);
    return wire.bytes;
  }

  function bytesOf(rendition: Rendition, wire: RenditionWire, coding: Coding | undefined): Uint8Array | Promise<Uint8Array> {
    if (coding !== undefined) return encode(rendition, wire, coding);
    wire.bytes = Buffer.from(rendition.body);
    return wire.bytes;
  }

  return {
    make({ status, headers, body }, more) {
      const modified = readHttpDate(headers['last-modified']);
      if (status !== 200 || typeof body !== 'string' || (modified !== undefined && modified > now())) return undefined;
      const merged = mergeHeaders(headers, more);
      const constant = Object.fromEntries(Object.entries(merged).filter(([name]) => !OF_ONE_RESPONSE.has(name)));
      return { body, headers: constant, wire: new Map() };
    },
    respond(rendition, read) {
      const coding = codings.choose(singleHeader(read.headers['accept-encoding']), rendition.body);
      const wire = rendition.wire.get(coding ?? 'identity') ?? addWire(rendition, coding);
      const { preconditions } = read;
      if (preconditions !== undefined && isNotModified(preconditions, wire.state))
        return { status: 304, headers: toHead(wire.unchangedHead, read, rendition), body: NOTHING };
      const bytes = wire.bytes ?? bytesOf(rendition, wire, coding);
      return bytes instanceof Promise
        ? bytes.then((encoded) => toWhole(encoded, wire, read, rendition))
        : toWhole(bytes, wire, read, rendition);
    },
  };
}

function toWhole(bytes: Uint8Array, wire: RenditionWire, read: StoredRead, rendition: Rendition): HttpResponse {
  const head = toHead(wire.head, read, rendition);
  head.push('content-length', String(bytes.byteLength));
  return { status: 200, headers: head, body: bytes };
}

/** Adds the headers of one response. */
function toHead(constant: readonly string[], { correlationId, ageSeconds, budget }: StoredRead, { headers }: Rendition): string[] {
  const head = constant.slice();
  head.push(CORRELATION_ID_HEADER, correlationId, 'age', String(ageSeconds));
  if (!isForSharedCaches(headers)) budget?.writeRateLimitHeaders(head);
  return head;
}

function addWire(rendition: Rendition, coding: Coding | undefined): RenditionWire {
  const plain = { status: 200, headers: rendition.headers, body: rendition.body };
  const coded = coding === undefined ? plain : withCoding(plain, coding);
  const wire: RenditionWire = {
    head: toConstantHead(coded.headers),
    unchangedHead: toConstantHead(toNotModified(coded).headers),
    state: stateOf(coded),
    bytes: undefined,
  };
  rendition.wire.set(coding ?? 'identity', wire);
  return wire;
}

function toConstantHead(headers: OutgoingHttpHeaders): readonly string[] {
  const head = ['x-content-type-options', 'nosniff'];
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) head.push(name, String(value));
  return head;
}
