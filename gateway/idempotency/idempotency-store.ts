/** One attempt at the request that a key stands for. */
export interface Claim {
  /** Whose key it is: no caller ever meets the key of another. Bounded, of letters, digits, `-` and `_`. */
  readonly owner: string;
  /** The key, hashed: bounded, of letters, digits, `-` and `_`. */
  readonly key: string;
  /** Equal for equal requests. */
  readonly fingerprint: string;
  /** Of this attempt alone: who is not the last to have begun neither completes nor releases. */
  readonly token: string;
}

/** Where a request stands that is about to be made. */
export type Standing =
  /** Nobody has tried before: the key is taken for as long as the lease. */
  | { readonly state: 'new' }
  /** Somebody has tried and was not heard of again: the key is taken over, for as long as a lease. */
  | { readonly state: 'abandoned' }
  /** Somebody is at it. @unit milliseconds */
  | { readonly state: 'busy'; readonly retryAfterMs: number }
  /** The key stands for another request. */
  | { readonly state: 'reused' }
  /** It is done, and this was kept of it. */
  | { readonly state: 'done'; readonly record: string }
  /** The caller has as many keys as it may. @unit milliseconds */
  | { readonly state: 'full'; readonly retryAfterMs: number };

/**
 * What is known of keys. It is the fast path and the memory of answers, never the authority: that is whoever has the effect in a
 * transaction of its own. Never rejects.
 */
export interface IdempotencyStore {
  /** In one step for all who ask at once: one of them gets `new`. Undefined where nobody can tell at the moment. */
  begin(claim: Claim): Standing | undefined | Promise<Standing | undefined>;
  /**
   * Keeps what is to be said to whoever comes with the same key.
   *
   * @returns whether it was kept: false where another attempt has taken the key over, or nobody can tell
   */
  complete(claim: Claim, record: string): boolean | Promise<boolean>;
  /** Forgets the key: the next attempt is the first. @returns as `complete` */
  release(claim: Claim): boolean | Promise<boolean>;
}

export interface IdempotencyLimits {
  /** How long an attempt keeps its key without a word. @unit milliseconds */
  readonly leaseMs: number;
  /** How long a key is known after it was taken, and again after it was completed. @unit milliseconds */
  readonly timeToLiveMs: number;
  /** Of one owner. @unit keys */
  readonly maxKeys: number;
}
