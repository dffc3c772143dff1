import { createHash } from 'node:crypto';
import type { CachePolicy } from '../platform/cache-policy.ts';
import { CODINGS, type Coding } from '../platform/http/response/compress.ts';

/** An answer without errors that may be kept. */
export interface CachedAnswer {
  /** The whole response as JSON text. */
  readonly body: string;
  readonly policy: CachePolicy;
  /** What it is invalidated by. */
  readonly labels: readonly string[];
  /** An entity tag of the body as it is, without quotes. */
  readonly tag: string;
  /** By the monotonic clock. @unit milliseconds */
  readonly madeAt: number;
  /** What HTTP sends of it, by coding; each made when it is first asked for. */
  readonly wire: Map<Coding | 'identity', WireAnswer>;
}

/** An answer in one content coding, with the headers that are the same each time. */
export interface WireAnswer {
  readonly etag: string;
  readonly cacheControl: string;
  readonly vary: string;
  readonly bytes: Uint8Array;
  /** Of the bytes, in decimal digits. */
  readonly contentLength: string;
}

export interface NewAnswer extends Pick<CachedAnswer, 'body' | 'policy' | 'madeAt'> {
  /** Whom it is for. */
  readonly partition: string;
  /** @defaultValue none */
  readonly labels?: readonly string[];
}

/**
 * The tag is one of the partition too: what one caller was sent never vouches for what another would be sent, not even
 * where both are equal.
 */
export function createCachedAnswer({ body, policy, madeAt, partition, labels = [] }: NewAnswer): CachedAnswer {
  const tag = createHash('sha256').update(partition).update('\n').update(body).digest('base64url');
  return { body, policy, labels, tag, madeAt, wire: new Map() };
}

/** What is kept of it at most, once it was asked for in every coding: compressed it is no longer than plain. @unit bytes */
export function bytesOfAnswer({ body }: CachedAnswer): number {
  return FIXED_BYTES + 2 * body.length + (1 + CODINGS.length) * (WIRE_BYTES + Buffer.byteLength(body));
}

/** Its objects, tag and place in the cache. @unit bytes */
const FIXED_BYTES = 500;
/** What stands beside the bytes that are sent. @unit bytes */
const WIRE_BYTES = 300;
