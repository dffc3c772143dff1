import { beforeAll, it } from '@jest/globals';

/** Title of a case, and its function. */
export type WaitingCase = readonly [title: string, run: () => Promise<void>];

/** Maximum number of concurrent cases: each may start a gateway, and a worker has only a few planner threads. */
const MOST_AT_ONCE = 4;

/**
 * Defines cases that wait most of their time. They start before the first test and run concurrently, so that together they take less time.
 * `beforeEach` and `afterEach` do not run around each case: a case sets up and cleans up itself.
 */
export function itAtTheSameTime(cases: readonly WaitingCase[]): void {
  const begun = new Map<string, Promise<void>>();
  beforeAll(() => {
    const positions: Promise<unknown>[] = Array.from({ length: MOST_AT_ONCE }, async () => undefined);
    for (const [index, [title, run]] of cases.entries()) {
      const position = index % MOST_AT_ONCE;
      const running = (positions[position] ?? Promise.resolve()).then(run);
      begun.set(title, running);
      positions[position] = running.catch(() => undefined); // The test of the case reports the error.
    }
  });
  for (const [title] of cases) it(title, async () => begun.get(title));
}
