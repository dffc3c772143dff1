/**
 * Restricts the stored data that a request may receive. Data that is older than the caller's last write, or than the caller accepts, must
 * not be used.
 */
export interface OwnWrites {
  /** Requests share an execution in progress only if this is equal. */
  readonly flight: string;
  /**
   * Whether stored data must not be used.
   *
   * @param labels labels of the data: types and tags
   * @param madeAt time at which its execution began. @unit milliseconds of the monotonic clock
   */
  isOutdated(labels: readonly string[], madeAt: number): boolean;
}

/** Lifetime of a response, and the callers that may receive it. */
export interface CachePolicy {
  /** Maximum age, greater than 0. Responses that must not be cached have no policy. @unit seconds */
  readonly maxAgeSeconds: number;
  /** `PUBLIC` if one response may be sent to all callers. */
  readonly scope: 'PUBLIC' | 'PRIVATE';
}
