import { createHash } from 'node:crypto';
import type { CachePolicy } from '../platform/cache-policy.ts';
import { CODINGS, type Coding } from '../platform/http/response/compress.ts';
import { Renditions } from './renditions.ts';

/** Cacheable response without errors. */
export interface CachedResponse {
  /** Complete response as JSON text. */
  readonly body: string;
  readonly policy: CachePolicy;
  /** Labels by which the response is invalidated. */
  readonly labels: readonly string[];
  /** Entity tag of the uncompressed body, without quotes. */
  readonly tag: string;
  /** Time at which the response was created, by the monotonic clock. @unit milliseconds */
  readonly madeAt: number;
  /** HTTP representations by content coding. Each is created when it is first requested. */
  readonly wire: Map<Coding | 'identity', WireResponse>;
  /** Responses of other transports that were made from this one. */
  readonly renditions: Renditions;
}

/** Response in one content coding, with its constant headers. */
export interface WireResponse {
  readonly etag: string;
  readonly cacheControl: string;
  readonly vary: string;
  /** Body as it is sent: bytes, or an ASCII text. */
  readonly content: string | Uint8Array;
  /** Length of the content, as decimal digits. */
  readonly contentLength: string;
}

export interface NewResponse extends Pick<CachedResponse, 'body' | 'policy' | 'madeAt'> {
  /** Callers that the response may be sent to. */
  readonly partition: string;
  /** Labels by which the response is invalidated. @defaultValue none */
  readonly labels?: readonly string[];
}

/**
 * Creates a cached response. The entity tag includes the partition, so that an entity tag of one caller never validates the response of
 * another caller, even if both are equal.
 */
export function createCachedResponse({ body, policy, madeAt, partition, labels = [] }: NewResponse): CachedResponse {
  const tag = createHash('sha256').update(partition).update('\n').update(body).digest('base64url');
  return { body, policy, labels, tag, madeAt, wire: new Map(), renditions: new Renditions() };
}

/** Computes the maximum memory of a response with all content codings and renditions. A compressed body is never longer than the plain one. @unit bytes */
export function bytesOfResponse({ body, renditions }: CachedResponse): number {
  return renditions.bytes + FIXED_BYTES + 2 * body.length + (1 + CODINGS.length) * (WIRE_BYTES + Buffer.byteLength(body));
}

/** Size of the objects, the entity tag and the cache slot. @unit bytes */
const FIXED_BYTES = 500;
/** Size of a representation in addition to its bytes. @unit bytes */
const WIRE_BYTES = 300;
