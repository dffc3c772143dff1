import { describe, expect, it } from '@jest/globals';
import { createStops } from '../../../../gateway/pipeline/stops.ts';

describe('createStops', () => {
  it('given a signal that was aborted, when another is taken, then it is not that one', () => {
    const stops = createStops();
    const stop = stops.take();
    stop.controller.abort();
    stops.giveBack(stop);
    expect(stops.take().controller.signal.aborted).toBe(false);
  });

  it('given a signal that somebody listens to still, when another is taken, then it is not that one', () => {
    const stops = createStops();
    const stop = stops.take();
    stop.controller.signal.addEventListener('abort', () => undefined);
    stops.giveBack(stop);
    expect(stops.take()).not.toBe(stop);
  });

  it('given a signal that was used often, when given back, then it is not used for ever', () => {
    const stops = createStops();
    const [first, seen] = [stops.take(), new Set<unknown>()];
    stops.giveBack(first);
    for (let round = 0; round < 1_000; round += 1) {
      const stop = stops.take();
      seen.add(stop);
      stops.giveBack(stop);
    }
    expect(seen.size).toBe(3);
  });

  it('given a signal that is in use, when another is taken, then it is another', () => {
    const stops = createStops();
    expect(stops.take()).not.toBe(stops.take());
  });
});
