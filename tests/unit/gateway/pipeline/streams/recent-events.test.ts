import { describe, expect, it } from '@jest/globals';
import { createRecentEvents } from '../../../../../gateway/pipeline/streams/recent-events.ts';

describe('the recent events of a stream', () => {
  function filled(maxBytes: number, sizes: readonly number[]) {
    const recent = createRecentEvents({ maxEvents: 3, maxBytes });
    sizes.forEach((size, index) => recent.add({ eventId: String(index + 1), result: { data: 'x'.repeat(size), errors: [] } }));
    return (eventId: string) => recent.after(eventId)?.map((published) => published.eventId);
  }

  it('returns undefined for an event that has been evicted', () => {
    const after = filled(1_000_000, [1, 1, 1, 1]);
    expect([after('1'), after('2'), after('4')]).toEqual([undefined, ['3', '4'], []]);
  });

  it('evicts the oldest events when the size limit is exceeded', () => {
    // Each character takes two bytes, in addition to the objects of an event.
    const after = filled(20_000, [4_000, 4_000, 4_000]);
    expect([after('1'), after('2')]).toEqual([undefined, ['3']]);
  });

  it('retains a single event that exceeds the size limit until the next event', () => {
    expect(filled(10_000, [20_000])('1')).toEqual([]);
    expect(filled(10_000, [20_000, 1])('1')).toBeUndefined();
  });
});
