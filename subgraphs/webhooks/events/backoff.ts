/** @unit milliseconds */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/** The wait before it is tried again, drawn from the upper half so that nobody comes back with all others. @unit milliseconds */
export function backoff(failures: number, random: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
  return longest * (0.5 + 0.5 * random);
}
