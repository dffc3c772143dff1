/** How long an answer stays fresh, and for whom. */
export interface CachePolicy {
  /** @unit seconds; more than 0, for what may not be kept at all has no policy */
  readonly maxAgeSeconds: number;
  /** `PUBLIC` where one answer may serve all callers. */
  readonly scope: 'PUBLIC' | 'PRIVATE';
}
