import { beforeAll, it } from '@jest/globals';

/** Title of a case, and what it does. */
export type WaitingCase = readonly [title: string, run: () => Promise<void>];

/**
 * Defines cases that wait most of their time. All of them begin before the first, so that together they take as long as the longest.
 * `beforeEach` and `afterEach` are not called around each of them: a case prepares what it needs, and puts it away.
 */
export function itAtTheSameTime(cases: readonly WaitingCase[]): void {
  const begun = new Map<string, Promise<void>>();
  beforeAll(() => {
    for (const [title, run] of cases) {
      const running = run();
      running.catch(() => undefined); // its own case tells it
      begun.set(title, running);
    }
  });
  for (const [title] of cases) it(title, async () => begun.get(title));
}
