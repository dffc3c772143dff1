import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createDeadlineWatcher, type Pending } from '../../../../gateway/platform/deadline-watcher.ts';
import { eventually } from '../../../support/time/eventually.ts';

/** Creates a pending entry and records how it ends. */
function waiting(dueInMs: number, signal = new AbortController().signal) {
  const ends: unknown[] = [];
  const one: Pending = {
    dueAt: performance.now() + dueInMs,
    signal,
    index: undefined,
    expire: () => void ends.push('late'),
    abort: (reason) => void ends.push(reason),
  };
  return { one, ends };
}

describe('createDeadlineWatcher', () => {
  it('expires late entries once and continues to wait for the others', async () => {
    using list = createDeadlineWatcher();
    const all = [0, 60_000, 0, 60_000, 0].map((dueInMs) => waiting(dueInMs));
    for (const { one } of all) list.watch(one);
    await eventually(() => all[0]?.ends.length === 1 && all[2]?.ends.length === 1 && all[4]?.ends.length === 1);
    await setTimeout(60); // Two more checks of the list.
    expect(all.map(({ ends }) => ends)).toEqual([['late'], [], ['late'], [], ['late']]);
    expect(all.map(({ one }) => list.release(one))).toEqual([false, true, false, true, false]);
  });

  it('does not expire an entry that is released before its deadline is confirmed', async () => {
    using list = createDeadlineWatcher();
    const { one, ends } = waiting(1);
    list.watch(one);
    // Runs in the same turn as the check that finds the entry late, but after it. A response that arrives then is in time.
    const released = setTimeout(25).then(() => list.release(one));
    const end = performance.now() + 80;
    while (performance.now() < end); // A stall that exceeds the deadline and the check.
    expect(await released).toBe(true);
    await setTimeout(60);
    expect(ends).toEqual([]);
  });

  it('ends only the entries of an aborted signal, with its reason', async () => {
    using list = createDeadlineWatcher();
    const leaving = new AbortController();
    const all = [leaving.signal, undefined, leaving.signal].map((signal) => waiting(60_000, signal));
    for (const { one } of all) list.watch(one);
    const reason = new Error('left');
    leaving.abort(reason);
    await eventually(() => all[2]?.ends.length === 1 && all[0]?.ends.length === 1);
    expect(all.map(({ ends }) => ends)).toEqual([[reason], [], [reason]]);
  });

  it('releases each of 1,000 entries once, in any order', () => {
    using list = createDeadlineWatcher();
    const all = Array.from({ length: 1_000 }, () => waiting(60_000).one);
    for (const one of all) list.watch(one);
    const order = all.map((one, index) => ({ one, key: (index * 7_919) % 1_009 })).toSorted((a, b) => a.key - b.key);
    for (const { one } of order) expect(list.release(one)).toBe(true);
    for (const { one } of order) expect(list.release(one)).toBe(false);
  });

  it('expires all pending entries on disposal', () => {
    const list = createDeadlineWatcher();
    const all = [waiting(60_000), waiting(Infinity)];
    for (const { one } of all) list.watch(one);
    list[Symbol.dispose]();
    expect(all.map(({ ends }) => ends)).toEqual([['late'], ['late']]);
  });
});
