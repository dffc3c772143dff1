import type { CachedResponse, WireResponse } from '../../cache/cached-response.ts';
import { varyText } from '../../cache/varying-headers.ts';
import type { CachedResult } from '../../pipeline/operation-result.ts';
import type { Clock } from '../../platform/clock.ts';
import { toSharedBody } from '../../platform/http/limits/waiting-body.ts';
import { CORRELATION_ID_HEADER, type RequestHeaders } from '../../platform/request-headers.ts';
import type { Coding, Codings } from '../../platform/http/response/compress.ts';
import type { HttpResponse } from '../../platform/http/response/send-response.ts';
import { CONTENT_TYPES, VARY, VARY_BY_CALLER } from './http-response.ts';
import type { GraphqlMediaType } from './negotiate-response.ts';

export interface CachedHttpResponseOptions {
  readonly codings: Codings;
  /** Time for which an expired response may be served while a new one is fetched. @unit seconds */
  readonly staleWhileRevalidateSeconds: number;
  /** Request headers that select different responses. */
  readonly varyingHeaders: readonly string[];
  readonly clock: Clock;
}

/** A request that is served with a cached response. */
export interface CachedHttpResponseRequest {
  readonly headers: RequestHeaders;
  readonly mediaType: GraphqlMediaType;
  readonly requestId: string;
}

/**
 * Makes the HTTP response: the cached response, or 304 when the client has it already (RFC 9110, section 15.4.5). Returns a promise only
 * when the response must be compressed first.
 */
export type ToCachedHttpResponse = (result: CachedResult, request: CachedHttpResponseRequest) => HttpResponse | Promise<HttpResponse>;

const NOTHING = Buffer.alloc(0);

/**
 * Creates the function that makes responses that clients and caches may store (RFC 9111). Each content coding has a separate entity tag.
 */
export function createCachedHttpResponse({
  codings,
  staleWhileRevalidateSeconds,
  varyingHeaders,
  clock,
}: CachedHttpResponseOptions): ToCachedHttpResponse {
  const vary = varyText([VARY], varyingHeaders);
  const varyByCaller = varyText([VARY_BY_CALLER], varyingHeaders);
  const stale = staleWhileRevalidateSeconds === 0 ? '' : `, stale-while-revalidate=${staleWhileRevalidateSeconds}`;

  /** Makes the headers of one content coding. `content` may be empty when only the entity tag is needed. */
  function toWire({ policy, tag }: CachedResponse, coding: Coding | undefined, content: string | Uint8Array): WireResponse {
    const isPublic = policy.scope === 'PUBLIC';
    return {
      etag: coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`,
      cacheControl: `${isPublic ? 'public' : 'private'}, max-age=${policy.maxAgeSeconds}${stale}`,
      vary: isPublic ? vary() : varyByCaller(),
      content,
      contentLength: String(content.length),
    };
  }

  async function encode(cached: CachedResponse, coding: Coding): Promise<WireResponse> {
    const wire = toWire(cached, coding, await codings.encode(coding, cached.body));
    cached.wire.set(coding, wire);
    return wire;
  }

  function asIs(cached: CachedResponse): WireResponse {
    const wire = toWire(cached, undefined, toSharedBody(cached.body));
    cached.wire.set('identity', wire);
    return wire;
  }

  /** Makes the headers. Building them from smaller arrays would cost as much as all other work for a cached response. */
  function toHead({ etag, cacheControl, vary: varies }: WireResponse, { cached, executed }: CachedResult, requestId: string): string[] {
    const head = [
      'x-content-type-options',
      'nosniff',
      CORRELATION_ID_HEADER,
      requestId,
      'cache-control',
      cacheControl,
      'vary',
      varies,
      'etag',
      etag,
    ];
    if (executed === undefined) head.push('age', String(Math.floor((clock.monotonic() - cached.madeAt) / 1_000)));
    return head;
  }

  function toHttpResponse(
    wire: WireResponse,
    result: CachedResult,
    { mediaType, requestId }: CachedHttpResponseRequest,
    coding?: Coding,
  ): HttpResponse {
    const head = toHead(wire, result, requestId);
    head.push('content-type', CONTENT_TYPES[mediaType], 'content-length', wire.contentLength);
    if (coding !== undefined) head.push('content-encoding', coding);
    return { status: 200, headers: head, body: wire.content };
  }

  return (result, request) => {
    const { cached } = result;
    const condition = request.headers['if-none-match'];
    const coding = codings.choose(request.headers['accept-encoding'], cached.body);
    const wire = cached.wire.get(coding ?? 'identity');
    if (condition !== undefined) {
      const known = wire ?? toWire(cached, coding, NOTHING);
      if (isKnown(condition, known.etag)) return { status: 304, headers: toHead(known, result, request.requestId), body: NOTHING };
    }
    if (wire !== undefined) return toHttpResponse(wire, result, request, coding);
    if (coding === undefined) return toHttpResponse(asIs(cached), result, request);
    return encode(cached, coding).then((encoded) => toHttpResponse(encoded, result, request, coding));
  };
}

/** Compares the entity tags weakly, as required for `If-None-Match` (RFC 9110, section 13.1.2). */
function isKnown(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
