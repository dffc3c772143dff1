import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  /** Pause between two checks. @defaultValue 2 @unit milliseconds */
  readonly everyMs?: number;
  /** Time after which it fails. @defaultValue as long as a test may take @unit milliseconds */
  readonly withinMs?: number;
  /** Description of the condition for the error message. @defaultValue its source */
  readonly what?: string;
}

const LONGEST_TEST_MS = 60_000;

/** Checks a condition repeatedly until it holds. @throws Error when it does not hold in time */
export async function eventually(
  isHeld: () => boolean | Promise<boolean>,
  { everyMs = 2, withinMs = LONGEST_TEST_MS, what = String(isHeld) }: Patience = {},
): Promise<void> {
  const endsAt = performance.now() + withinMs;
  while (!(await isHeld())) {
    if (performance.now() > endsAt) throw new Error(`The condition did not hold within ${withinMs} ms: ${what}`);
    // The awaited work may need the processor time that checking takes.
    await sleep(everyMs);
  }
}
