import type { CachedAnswer, WireAnswer } from '../cache/cached-response.ts';
import type { CachedOutcome } from '../pipeline/operation-request.ts';
import type { Clock } from '../platform/clock.ts';
import { CORRELATION_ID_HEADER } from '../platform/request-headers.ts';
import type { Coding, Codings } from '../platform/http/response/compress.ts';
import type { Reply } from '../platform/http/response/send-response.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { CONTENT_TYPES, VARY, VARY_BY_CALLER } from './graphql-reply.ts';
import type { GraphqlMediaType } from './media-types.ts';

export interface CachedReplyOptions {
  readonly codings: Codings;
  /** How much longer an answer may be served while it is made anew. @unit seconds */
  readonly staleWhileRevalidateSeconds: number;
  /** Headers of clients by which answers differ. */
  readonly varyingHeaders: readonly string[];
  readonly clock: Clock;
}

/** The request that is answered. */
export interface CachedReplyRequest {
  readonly headers: RequestHeaders;
  readonly mediaType: GraphqlMediaType;
  readonly requestId: string;
}

/** Writes the answer, or that the client has it already (RFC 9110, section 15.4.5). A promise only where it has to be compressed first. */
export type ToCachedReply = (outcome: CachedOutcome, request: CachedReplyRequest) => Reply | Promise<Reply>;

const NOTHING = Buffer.alloc(0);

/** Answers that clients and caches may keep (RFC 9111), each coding with an entity tag of its own. */
export function createCachedReply({ codings, staleWhileRevalidateSeconds, varyingHeaders, clock }: CachedReplyOptions): ToCachedReply {
  const vary = [VARY, ...varyingHeaders].join(', ');
  const varyByCaller = [VARY_BY_CALLER, ...varyingHeaders].join(', ');
  const stale = staleWhileRevalidateSeconds === 0 ? '' : `, stale-while-revalidate=${staleWhileRevalidateSeconds}`;

  /** The bytes are there once somebody needs them. */
  function toWire({ policy, tag }: CachedAnswer, coding: Coding | undefined, bytes: Uint8Array): WireAnswer {
    const isPublic = policy.scope === 'PUBLIC';
    return {
      etag: coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`,
      cacheControl: `${isPublic ? 'public' : 'private'}, max-age=${policy.maxAgeSeconds}${stale}`,
      vary: isPublic ? vary : varyByCaller,
      bytes,
      contentLength: String(bytes.byteLength),
    };
  }

  async function encode(cached: CachedAnswer, coding: Coding): Promise<WireAnswer> {
    const wire = toWire(cached, coding, await codings.encode(coding, cached.body));
    cached.wire.set(coding, wire);
    return wire;
  }

  function asIs(cached: CachedAnswer): WireAnswer {
    const wire = toWire(cached, undefined, Buffer.from(cached.body));
    cached.wire.set('identity', wire);
    return wire;
  }

  /** Written out: put together from parts it costs as much as all else that is done for an answer. */
  function toHead({ etag, cacheControl, vary: varies }: WireAnswer, { cached, executed }: CachedOutcome, requestId: string): string[] {
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

  function toReply(wire: WireAnswer, outcome: CachedOutcome, { mediaType, requestId }: CachedReplyRequest, coding?: Coding): Reply {
    const head = toHead(wire, outcome, requestId);
    head.push('content-type', CONTENT_TYPES[mediaType], 'content-length', wire.contentLength);
    if (coding !== undefined) head.push('content-encoding', coding);
    return { status: 200, headers: head, body: wire.bytes };
  }

  return (outcome, request) => {
    const { cached } = outcome;
    const condition = request.headers['if-none-match'];
    const coding = codings.choose(request.headers['accept-encoding'], cached.body);
    const wire = cached.wire.get(coding ?? 'identity');
    if (condition !== undefined) {
      const known = wire ?? toWire(cached, coding, NOTHING);
      if (isKnown(condition, known.etag)) return { status: 304, headers: toHead(known, outcome, request.requestId), body: NOTHING };
    }
    if (wire !== undefined) return toReply(wire, outcome, request, coding);
    if (coding === undefined) return toReply(asIs(cached), outcome, request);
    return encode(cached, coding).then((encoded) => toReply(encoded, outcome, request, coding));
  };
}

/** Compares weakly, as `If-None-Match` does (RFC 9110, section 13.1.2). */
function isKnown(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
