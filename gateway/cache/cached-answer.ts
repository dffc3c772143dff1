import { createHash } from 'node:crypto';
import type { CachePolicy } from '../platform/cache-policy.ts';
import { CODINGS, type Coding } from '../platform/http/compress.ts';

/** An answer without errors that may be kept. */
export interface CachedAnswer {
  /** The whole response as JSON text. */
  readonly body: string;
  readonly policy: CachePolicy;
  /** An entity tag of the body as it is, without quotes. */
  readonly tag: string;
  /** By the monotonic clock. @unit milliseconds */
  readonly madeAt: number;
  /** The body in other codings, each compressed when it is first asked for. */
  readonly encoded: Map<Coding, Uint8Array>;
}

export interface NewAnswer extends Pick<CachedAnswer, 'body' | 'policy' | 'madeAt'> {
  /** Whom it is for. */
  readonly partition: string;
}

/**
 * The tag is one of the partition too: what one caller was sent never vouches for what another would be sent, not even
 * where both are equal.
 */
export function createCachedAnswer({ body, policy, madeAt, partition }: NewAnswer): CachedAnswer {
  const tag = createHash('sha256').update(partition).update('\n').update(body).digest('base64url');
  return { body, policy, tag, madeAt, encoded: new Map() };
}

/** What is kept of it at most, once it was asked for in every coding: compressed it is no longer than plain. @unit bytes */
export function bytesOfAnswer({ body }: CachedAnswer): number {
  return FIXED_BYTES + (2 + CODINGS.length) * body.length;
}

/** Its objects, tag and place in the cache. @unit bytes */
const FIXED_BYTES = 500;
