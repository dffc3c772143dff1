/** One attempt at the request of an idempotency key. */
export interface Claim {
  /** Owner of the key. Callers never access the keys of other owners. Bounded length; letters, digits, `-` and `_`. */
  readonly owner: string;
  /** Hash of the key. Bounded length; letters, digits, `-` and `_`. */
  readonly key: string;
  /** Fingerprint of the request. Equal requests have equal fingerprints. */
  readonly fingerprint: string;
  /** Identifies this attempt. Only the attempt that began last can complete or release the key. */
  readonly token: string;
}

/** State of a key when an attempt begins. */
export type KeyState =
  /** The key is unknown. It is locked for this attempt until the lease ends. */
  | { readonly state: 'new' }
  /** An earlier attempt did not end within its lease. The key is locked for this attempt until the lease ends. */
  | { readonly state: 'abandoned' }
  /** Another attempt is in progress. @unit milliseconds */
  | { readonly state: 'busy'; readonly retryAfterMs: number }
  /** The key was used for another request. */
  | { readonly state: 'reused' }
  /** The request was completed, and this record was stored. */
  | { readonly state: 'done'; readonly record: string }
  /** The owner has reached the maximum number of keys. @unit milliseconds */
  | { readonly state: 'full'; readonly retryAfterMs: number };

/**
 * Store of idempotency keys. It is a fast path and a cache of responses, not the authority. The authority is the service that applies the
 * effect in its own transaction. Promises never reject.
 */
export interface IdempotencyStore {
  /** Begins an attempt atomically. Of several concurrent attempts, exactly one gets `new`. Undefined if the store is unavailable. */
  begin(claim: Claim): KeyState | undefined | Promise<KeyState | undefined>;
  /**
   * Stores the record for later requests with the same key.
   *
   * @returns whether the record was stored; false if another attempt has taken over the key, or the store is unavailable
   */
  complete(claim: Claim, record: string): boolean | Promise<boolean>;
  /** Removes the key, so that the next attempt is treated as the first. @returns as `complete` */
  release(claim: Claim): boolean | Promise<boolean>;
}

export interface IdempotencyLimits {
  /** How long an attempt locks its key. @unit milliseconds */
  readonly leaseMs: number;
  /** How long a key is stored after it was locked, and again after it was completed. @unit milliseconds */
  readonly timeToLiveMs: number;
  /** Maximum number of keys of one owner. @unit keys */
  readonly maxKeys: number;
}
