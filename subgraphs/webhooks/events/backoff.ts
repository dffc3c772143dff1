/** @unit milliseconds */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/**
 * Returns the delay before a retry. It is random in the upper half of the range, so that clients do not all retry at the same time.
 *
 * @unit milliseconds
 */
export function backoff(failures: number, random: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
  return longest * (0.5 + 0.5 * random);
}
