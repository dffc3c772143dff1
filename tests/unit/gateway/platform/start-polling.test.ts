import { describe, expect, it } from '@jest/globals';
import { startPolling } from '../../../../gateway/platform/start-polling.ts';
import { Unreachable } from '../../../../gateway/platform/start-polling.ts';

/** The pauses that polling makes when its looks end like this; the last one lasts. */
async function pausesAfter(looks: readonly (number | Error)[], random = 0): Promise<readonly number[]> {
  const pauses: number[] = [];
  let turn = 0;
  let isOver = (): void => {};
  const over = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  await using _polling = startPolling({
    intervalMs: 3_000,
    random: () => random,
    onFailure: () => undefined,
    async look() {
      const outcome = looks[turn];
      turn += 1;
      if (outcome instanceof Error) throw outcome;
      return outcome ?? 0;
    },
    sleep(ms, signal) {
      pauses.push(ms);
      if (turn < looks.length) return Promise.resolve();
      isOver();
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  });
  await over;
  return pauses;
}

const FAILURE = new Error('down');

describe('startPolling', () => {
  it('given first looks that fail, when polling, then it comes again soon, then less and less soon', async () => {
    expect(await pausesAfter([FAILURE, FAILURE, FAILURE, FAILURE, FAILURE])).toEqual([500, 1_000, 2_000, 3_000, 3_000]);
  });

  it('given a look that fails after one that did not, when polling, then it keeps to the interval', async () => {
    expect(await pausesAfter([0, FAILURE, FAILURE])).toEqual([3_000, 3_000, 3_000]);
  });

  it('given a source that wants to be left alone, when polling, then it is, but for no longer than a day', async () => {
    const busy = new Unreachable('busy', { retryAfterMs: 20_000 });
    expect(await pausesAfter([10_000, 1, 1e12, busy])).toEqual([10_000, 3_000, 86_400_000, 20_000]);
  });

  it('given chance, when polling, then up to a fifth is added', async () => {
    expect(await pausesAfter([0], 1)).toEqual([3_600]);
  });
});
