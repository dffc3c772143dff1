import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  /** Pause between two looks. @defaultValue 2 @unit milliseconds */
  readonly everyMs?: number;
  /** Fails after so long. @defaultValue as long as a test may take @unit milliseconds */
  readonly withinMs?: number;
  /** Condition that is waited for, as the error names it. @defaultValue its source */
  readonly what?: string;
}

const LONGEST_TEST_MS = 60_000;

/** Looks again and again until a condition holds. @throws Error where it does not hold in time */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  { everyMs = 2, withinMs = LONGEST_TEST_MS, what = String(holds) }: Patience = {},
): Promise<void> {
  const endsAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error(`This did not hold within ${withinMs} ms: ${what}`);
    // A pause, because what is waited for may need the processor that looking takes.
    await sleep(everyMs);
  }
}
