import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BusEvent } from '../../../../../subgraphs/kit/events/event-bus.ts';
import { type ReplayRing, createReplayRing } from '../../../../../subgraphs/kit/events/replay-ring.ts';

const event = (id: number): BusEvent => ({ id: String(id), topic: 'things', payload: {}, at: new Date(0) });

describe('the replay ring of a topic', () => {
  let now = 0;
  let ring: ReplayRing;
  const add = (...ids: number[]): void => ids.forEach((id) => ring.add(event(id)));
  const after = (id: string) => {
    const { events, ...start } = ring.after(id);
    return { ...start, ids: events.map((stored) => stored.id) };
  };

  beforeEach(() => {
    now = 0;
    ring = createReplayRing('start', () => now, { maxReplayEvents: 3, maxReplayAgeMs: 1_000 });
  });

  it('reports a gap and the latest position for an unknown ID', () => {
    add(1, 2);
    expect(after('0')).toEqual({ position: '2', isGap: true, ids: [] });
  });

  it('has no gap from the start when it is empty', () => {
    expect([ring.position(), after('start')]).toEqual(['start', { position: 'start', isGap: false, ids: [] }]);
  });

  it('returns the events after an ID or after the start without a gap', () => {
    add(1, 2, 3);
    expect([after('start').ids, after('1').ids, after('3').ids, ring.position()]).toEqual([['1', '2', '3'], ['2', '3'], [], '3']);
  });

  it('has no gap after the last evicted event, and a gap after an earlier one', () => {
    add(1, 2, 3, 4, 5);
    expect([after('2'), after('1'), after('start').isGap]).toEqual([
      { position: '2', isGap: false, ids: ['3', '4', '5'] },
      { position: '5', isGap: true, ids: [] },
      true,
    ]);
  });

  it('evicts events that are too old', () => {
    add(1);
    now = 600;
    add(2);
    now = 1_100;
    expect([after('start').isGap, after('1').ids]).toEqual([true, ['2']]);
    now = 5_000;
    expect([after('1').isGap, after('2'), ring.position()]).toEqual([true, { position: '2', isGap: false, ids: [] }, '2']);
  });

  it('evicts the oldest events beyond the byte limit, with no gap after the last one', () => {
    ring = createReplayRing('start', () => now, { maxReplayBytes: 50_000 });
    for (let id = 1; id <= 10; id += 1) ring.add({ ...event(id), payload: { text: 'x'.repeat(10_000) } });
    expect([after('8').ids, after('8').isGap, after('7').isGap]).toEqual([['9', '10'], false, true]);
  });

  it('finds each stored event after thousands of evictions', () => {
    for (let id = 1; id <= 10_000; id += 1) add(id);
    expect([after('9997').ids, after('9999').ids]).toEqual([['9998', '9999', '10000'], ['10000']]);
  });
});
