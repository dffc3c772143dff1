import type { CachedAnswer } from '../cache/cached-answer.ts';
import type { CachedOutcome } from '../pipeline/operation-request.ts';
import type { Clock } from '../platform/clock.ts';
import { CORRELATION_ID_HEADER } from '../platform/correlation-id.ts';
import type { Coding, Codings } from '../platform/http/compress.ts';
import type { Reply } from '../platform/http/send-reply.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { CONTENT_TYPES, VARY } from './graphql-reply.ts';
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

/** Writes the answer, or that the client has it already (RFC 9110, section 15.4.5). */
export type ToCachedReply = (outcome: CachedOutcome, request: CachedReplyRequest) => Reply | Promise<Reply>;

/** Where credentials may stand. */
const CREDENTIALS = 'Authorization, X-API-Key';

/** Answers that clients and caches may keep (RFC 9111), each coding with an entity tag of its own. */
export function createCachedReply({ codings, staleWhileRevalidateSeconds, varyingHeaders, clock }: CachedReplyOptions): ToCachedReply {
  const vary = [VARY, ...varyingHeaders].join(', ');
  const varyByCaller = [VARY, CREDENTIALS, ...varyingHeaders].join(', ');
  const stale = staleWhileRevalidateSeconds === 0 ? '' : `, stale-while-revalidate=${staleWhileRevalidateSeconds}`;

  return ({ cached, executed }, { headers, mediaType, requestId }) => {
    const { body, policy, tag, madeAt } = cached;
    const coding = codings.choose(headers['accept-encoding'], body.length);
    const etag = coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`;
    const isPublic = policy.scope === 'PUBLIC';
    const validators = {
      [CORRELATION_ID_HEADER]: requestId,
      'cache-control': `${isPublic ? 'public' : 'private'}, max-age=${policy.maxAgeSeconds}${stale}`,
      vary: isPublic ? vary : varyByCaller,
      etag,
      age: executed === undefined ? String(Math.floor((clock.monotonic() - madeAt) / 1_000)) : undefined,
    };
    if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: validators, body: '' };
    const full = { ...validators, 'content-type': CONTENT_TYPES[mediaType] };
    if (coding === undefined) return { status: 200, headers: full, body };
    const encodedHeaders = { ...full, 'content-encoding': coding };
    const encoded = cached.encoded.get(coding);
    if (encoded !== undefined) return { status: 200, headers: encodedHeaders, body: encoded };
    return encode(cached, coding, codings).then((bytes) => ({ status: 200, headers: encodedHeaders, body: bytes }));
  };
}

async function encode({ body, encoded }: CachedAnswer, coding: Coding, codings: Codings): Promise<Uint8Array> {
  const bytes = await codings.encode(coding, body);
  encoded.set(coding, bytes);
  return bytes;
}

/** Compares weakly, as `If-None-Match` does (RFC 9110, section 13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
