import { describe, expect, it } from '@jest/globals';
import { createAbortControllerPool } from '../../../../gateway/platform/abort-controller-pool.ts';

describe('createAbortControllerPool', () => {
  it('given a signal that was aborted, when another is taken, then it is not that one', () => {
    const pool = createAbortControllerPool();
    const stop = pool.take();
    stop.controller.abort();
    pool.release(stop);
    expect(pool.take().controller.signal.aborted).toBe(false);
  });

  it('given a signal that somebody listens to still, when another is taken, then it is not that one', () => {
    const pool = createAbortControllerPool();
    const stop = pool.take();
    stop.controller.signal.addEventListener('abort', () => undefined);
    pool.release(stop);
    expect(pool.take()).not.toBe(stop);
  });

  it('given a signal that was used often, when given back, then it is not used for ever', () => {
    const pool = createAbortControllerPool();
    const [first, seen] = [pool.take(), new Set<unknown>()];
    pool.release(first);
    for (let round = 0; round < 1_000; round += 1) {
      const stop = pool.take();
      seen.add(stop);
      pool.release(stop);
    }
    expect(seen.size).toBe(3);
  });

  it('given a signal that is in use, when another is taken, then it is another', () => {
    const pool = createAbortControllerPool();
    expect(pool.take()).not.toBe(pool.take());
  });
});
