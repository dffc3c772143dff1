import { beforeAll, it } from '@jest/globals';

/** Title of a case, and what it does. */
export type WaitingCase = readonly [title: string, run: () => Promise<void>];

/** Cases that run at once: each may start a gateway, and a worker keeps the planner threads of a few only. */
const MOST_AT_ONCE = 4;

/**
 * Defines cases that wait most of their time. They begin before the first of them, some at once, so that together they take less time.
 * `beforeEach` and `afterEach` are not called around each of them: a case prepares what it needs, and puts it away.
 */
export function itAtTheSameTime(cases: readonly WaitingCase[]): void {
  const begun = new Map<string, Promise<void>>();
  beforeAll(() => {
    const places: Promise<unknown>[] = Array.from({ length: MOST_AT_ONCE }, async () => undefined);
    for (const [index, [title, run]] of cases.entries()) {
      const place = index % MOST_AT_ONCE;
      const running = (places[place] ?? Promise.resolve()).then(run);
      begun.set(title, running);
      places[place] = running.catch(() => undefined); // its own case tells it
    }
  });
  for (const [title] of cases) it(title, async () => begun.get(title));
}
