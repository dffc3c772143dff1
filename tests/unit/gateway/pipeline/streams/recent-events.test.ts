import { describe, expect, it } from '@jest/globals';
import { createRecentEvents } from '../../../../../gateway/pipeline/streams/recent-events.ts';

describe('the latest events of a stream', () => {
  function filled(maxBytes: number, sizes: readonly number[]) {
    const recent = createRecentEvents({ maxEvents: 3, maxBytes });
    sizes.forEach((size, index) => recent.add({ eventId: String(index + 1), outcome: { data: 'x'.repeat(size), errors: [] } }));
    return (eventId: string) => recent.after(eventId)?.map((published) => published.eventId);
  }

  it('given more events than are kept, when asked for what came after one that is gone, then it is not known', () => {
    const after = filled(1_000_000, [1, 1, 1, 1]);
    expect([after('1'), after('2'), after('4')]).toEqual([undefined, ['3', '4'], []]);
  });

  it('given events that take more than is allowed, then the oldest ones are gone', () => {
    // Two bytes for each character, and what the objects of an event take.
    const after = filled(20_000, [4_000, 4_000, 4_000]);
    expect([after('1'), after('2')]).toEqual([undefined, ['3']]);
  });

  it('given one event that is larger than all that is allowed, then it is kept until the next', () => {
    expect(filled(10_000, [20_000])('1')).toEqual([]);
    expect(filled(10_000, [20_000, 1])('1')).toBeUndefined();
  });
});
