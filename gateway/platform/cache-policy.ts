/** What of the stored data a request must not be answered with: it is older than the caller's own last write, or than the caller accepts. */
export interface OwnWrites {
  /** Requests share an execution that is under way only where this is equal. */
  readonly flight: string;
  /**
   * Whether stored data must not be used.
   *
   * @param labels of the data: types and tags
   * @param madeAt when its execution began. @unit milliseconds of the monotonic clock
   */
  isOutdated(labels: readonly string[], madeAt: number): boolean;
}

/** How long an answer stays fresh, and for whom. */
export interface CachePolicy {
  /** @unit seconds; more than 0, for what may not be kept at all has no policy */
  readonly maxAgeSeconds: number;
  /** `PUBLIC` where one answer may serve all callers. */
  readonly scope: 'PUBLIC' | 'PRIVATE';
}
