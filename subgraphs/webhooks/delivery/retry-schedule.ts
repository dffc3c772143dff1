const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays before each attempt, relative to the previous one; Standard Webhooks, "Retries". @unit milliseconds */
export const RETRY_SCHEDULE_MS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Maximum random extension of a delay, as a fraction, so that a receiver that was unavailable does not get all messages at once. */
const JITTER = 0.1;

/**
 * Returns the delay before the next attempt.
 *
 * @param attempts number of completed attempts
 * @param random random number between 0 and 1
 * @returns undefined after the last attempt
 */
export function waitAfter(attempts: number, random: number): number | undefined {
  const wait = RETRY_SCHEDULE_MS[attempts];
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * random));
}
