import { describe, expect, it } from '@jest/globals';
import { createAbortControllerPool } from '../../../../gateway/platform/abort-controller-pool.ts';

describe('createAbortControllerPool', () => {
  it('does not reuse an aborted signal', () => {
    const pool = createAbortControllerPool();
    const stop = pool.take();
    stop.controller.abort();
    pool.release(stop);
    expect(pool.take().controller.signal.aborted).toBe(false);
  });

  it('does not reuse a signal that still has listeners', () => {
    const pool = createAbortControllerPool();
    const stop = pool.take();
    stop.controller.signal.addEventListener('abort', () => undefined);
    pool.release(stop);
    expect(pool.take()).not.toBe(stop);
  });

  it('replaces a signal after a number of uses', () => {
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

  it('does not return a signal that is in use', () => {
    const pool = createAbortControllerPool();
    expect(pool.take()).not.toBe(pool.take());
  });
});
