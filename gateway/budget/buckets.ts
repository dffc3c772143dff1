/** How large a bucket is, and how fast it fills. */
export interface BucketRate {
  /** @unit points */
  readonly capacity: number;
  /** @unit points per second */
  readonly refillPerSecond: number;
}

/** What became of an attempt to take points. */
export interface Withdrawal {
  /** Whether all points were there; otherwise none was taken. */
  readonly isGranted: boolean;
  /** What is left now. @unit points, whole ones */
  readonly remaining: number;
  /** Until as many as were asked for are there; 0 where they were. @unit milliseconds */
  readonly retryAfterMs: number;
}

/** Buckets of points by key: each is full at first, and refills steadily. */
export interface Buckets {
  /**
   * Takes all of the points, or none.
   *
   * @param points whole; below 0 they are given back, up to the capacity
   * @returns a promise only where the buckets are not in this process. It is never rejected
   */
  take(key: string, rate: BucketRate, points: number): Withdrawal | Promise<Withdrawal>;
}

/**
 * Buckets are kept as what is missing from a full one, in thousandths of a point: so many come back each millisecond as points do each
 * second, and all numbers stay whole.
 */
export const THOUSANDTHS = 1_000;

/** @param missing what is missing from the bucket now, after points were taken or not. @unit thousandths of a point */
export function toWithdrawal({ capacity, refillPerSecond }: BucketRate, points: number, isGranted: boolean, missing: number): Withdrawal {
  const remaining = Math.floor(capacity - missing / THOUSANDTHS);
  const lacking = missing - (capacity - points) * THOUSANDTHS;
  return { isGranted, remaining, retryAfterMs: isGranted ? 0 : Math.ceil(lacking / refillPerSecond) };
}
