import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isWorkLimited, limitWorkPerIteration, runWithinLimit, waitOfWork } from '../../../../gateway/platform/work-per-iteration.ts';

/** Limit that each piece of `occupy` exceeds. @unit milliseconds */
const LIMIT_MS = 1;

function occupy(): void {
  const until = performance.now() + 2 * LIMIT_MS;
  while (performance.now() < until);
}

/** Runs pieces of work, and returns the number of the iteration of the event loop in which each ran. */
async function iterationsOf(count: number, work: (piece: number) => void): Promise<readonly number[]> {
  let iteration = 0;
  const iterations: number[] = [];
  for (let piece = 0; piece < count; piece += 1) {
    runWithinLimit(() => {
      work(piece);
      iterations.push(iteration);
    });
  }
  while (iterations.length < count) {
    await nextIteration();
    iteration += 1;
  }
  return iterations;
}

describe('work that is limited', () => {
  afterEach(() => limitWorkPerIteration(undefined));

  it('runs in as many iterations as its duration requires, in order of arrival', async () => {
    limitWorkPerIteration(LIMIT_MS);
    const order: number[] = [];
    const iterations = await iterationsOf(5, (piece) => {
      order.push(piece);
      occupy();
    });
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(new Set(iterations).size).toBe(5);
  });

  it('runs urgent work before work that has waited longer, each in order of arrival', async () => {
    limitWorkPerIteration(LIMIT_MS);
    const order: string[] = [];
    for (const piece of ['a', 'b']) runWithinLimit(() => void order.push(piece));
    for (const piece of ['urgent a', 'urgent b']) runWithinLimit(() => void order.push(piece), true);
    expect(waitOfWork(performance.now() + 10_000)).toBeGreaterThan(5_000);
    while (order.length < 4) await nextIteration();
    expect(order).toEqual(['urgent a', 'urgent b', 'a', 'b']);
    expect(waitOfWork(performance.now())).toBe(0);
  });

  it('runs in one iteration if it is short', async () => {
    limitWorkPerIteration(60_000);
    expect(new Set(await iterationsOf(10, () => undefined)).size).toBe(1);
  });

  it('completes the promise callbacks of a piece before the next piece', async () => {
    limitWorkPerIteration(60_000);
    const order: string[] = [];
    await iterationsOf(2, (piece) => {
      order.push(`piece ${piece}`);
      void Promise.resolve().then(() => order.push(`callback of ${piece}`));
    });
    expect(order).toEqual(['piece 0', 'callback of 0', 'piece 1', 'callback of 1']);
  });

  it('reports for how long new work would have to wait', async () => {
    limitWorkPerIteration(60_000);
    await iterationsOf(20, occupy);
    limitWorkPerIteration(LIMIT_MS);
    const running = iterationsOf(50, occupy);
    expect(waitOfWork(performance.now())).toBeGreaterThan(50 * LIMIT_MS);
    limitWorkPerIteration(undefined);
    await running;
    expect(waitOfWork(performance.now())).toBe(0);
  });

  it('reports for how long the first piece has waited', async () => {
    limitWorkPerIteration(60_000);
    expect(waitOfWork(performance.now())).toBe(0);
    const before = performance.now();
    const running = iterationsOf(2, () => undefined);
    expect(waitOfWork(before + 10_000)).toBeGreaterThan(5_000);
    expect(waitOfWork(before + 10_000)).toBeLessThanOrEqual(10_000);
    await running;
    expect(waitOfWork(performance.now())).toBe(0);
  });

  it('still runs if the limit is removed', async () => {
    limitWorkPerIteration(LIMIT_MS);
    expect(isWorkLimited()).toBe(true);
    const running = iterationsOf(3, occupy);
    limitWorkPerIteration(undefined);
    expect(isWorkLimited()).toBe(false);
    expect(await running).toHaveLength(3);
  });
});
