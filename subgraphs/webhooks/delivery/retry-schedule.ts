const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits before each attempt, counted from the one before; Standard Webhooks, "Retries". @unit milliseconds */
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

/** Part of a wait by which it may be longer: receivers that were away do not get all they missed in one moment. */
const JITTER = 0.1;

/**
 * The wait before the next attempt.
 *
 * @param attempts that were made
 * @param random between 0 and 1
 * @returns undefined where that was the last one
 */
export function waitAfter(attempts: number, random: number): number | undefined {
  const wait = RETRY_SCHEDULE_MS[attempts];
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * random));
}
