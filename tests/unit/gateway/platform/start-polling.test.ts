import { describe, expect, it } from '@jest/globals';
import { startPolling } from '../../../../gateway/platform/start-polling.ts';
import { Unreachable } from '../../../../gateway/platform/start-polling.ts';

/** Returns the pauses between polls with the given results. The last pause lasts until disposal. */
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
      const result = looks[turn];
      turn += 1;
      if (result instanceof Error) throw result;
      return result ?? 0;
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
  it('retries failed first polls soon and increases the pauses', async () => {
    expect(await pausesAfter([FAILURE, FAILURE, FAILURE, FAILURE, FAILURE])).toEqual([500, 1_000, 2_000, 3_000, 3_000]);
  });

  it('waits for the interval after a failure that follows a success', async () => {
    expect(await pausesAfter([0, FAILURE, FAILURE])).toEqual([3_000, 3_000, 3_000]);
  });

  it('honors longer pauses that the source requests, up to a day', async () => {
    const busy = new Unreachable('busy', { retryAfterMs: 20_000 });
    expect(await pausesAfter([10_000, 1, 1e12, busy])).toEqual([10_000, 3_000, 86_400_000, 20_000]);
  });

  it('adds up to a fifth of random jitter', async () => {
    expect(await pausesAfter([0], 1)).toEqual([3_600]);
  });
});
