/** Longest wait that a receiver may ask for: the longest of our own. @unit milliseconds */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

/**
 * The wait that `Retry-After` asks for, in seconds or until a date (RFC 9110, section 10.2.3).
 *
 * @param now @unit milliseconds since the epoch
 * @returns undefined for what is neither
 */
export function readRetryAfter(value: unknown, now: number): number | undefined {
  if (typeof value !== 'string') return undefined;
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), MAX_WAIT_MS) : undefined;
}
