/** Maximum delay that a receiver can request: the longest delay of the retry schedule. @unit milliseconds */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

/**
 * Reads the delay of `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3).
 *
 * @param now current time. @unit milliseconds since the epoch
 * @returns undefined for an invalid value
 */
export function readRetryAfter(value: unknown, now: number): number | undefined {
  if (typeof value !== 'string') return undefined;
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), MAX_WAIT_MS) : undefined;
}
