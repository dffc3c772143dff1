import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createPendingList, type Pending } from '../../../../gateway/platform/deadline-watcher.ts';
import { eventually } from '../../../support/time/eventually.ts';

/** Something that is waited for, and what became of it. */
function waiting(dueInMs: number, signal = new AbortController().signal) {
  const ends: unknown[] = [];
  const one: Pending = {
    dueAt: performance.now() + dueInMs,
    signal,
    place: undefined,
    expire: () => void ends.push('late'),
    abort: (reason) => void ends.push(reason),
  };
  return { one, ends };
}

describe('createPendingList', () => {
  it('given some that are late, when time has passed, then they expire once, and the others wait on', async () => {
    using list = createPendingList();
    const all = [0, 60_000, 0, 60_000, 0].map((dueInMs) => waiting(dueInMs));
    for (const { one } of all) list.watch(one);
    await eventually(() => all[0]?.ends.length === 1 && all[2]?.ends.length === 1 && all[4]?.ends.length === 1);
    await setTimeout(60); // two looks more
    expect(all.map(({ ends }) => ends)).toEqual([['late'], [], ['late'], [], ['late']]);
    expect(all.map(({ one }) => list.release(one))).toEqual([false, true, false, true, false]);
  });

  it('given one that is released before the deadline is confirmed, when its time has passed, then it does not expire', async () => {
    using list = createPendingList();
    const { one, ends } = waiting(1);
    list.watch(one);
    // Runs in the same turn as the look that finds it late, after it: what arrives then is in time.
    const released = setTimeout(25).then(() => list.release(one));
    const end = performance.now() + 80;
    while (performance.now() < end); // a stall, beyond the deadline and the look
    expect(await released).toBe(true);
    await setTimeout(60);
    expect(ends).toEqual([]);
  });

  it('given a signal that is aborted, when looked at, then those of that signal end with its reason, and no others', async () => {
    using list = createPendingList();
    const leaving = new AbortController();
    const all = [leaving.signal, undefined, leaving.signal].map((signal) => waiting(60_000, signal));
    for (const { one } of all) list.watch(one);
    const reason = new Error('left');
    leaving.abort(reason);
    await eventually(() => all[2]?.ends.length === 1 && all[0]?.ends.length === 1);
    expect(all.map(({ ends }) => ends)).toEqual([[reason], [], [reason]]);
  });

  it('given 1,000 released in any order, when asked, then each was there once', () => {
    using list = createPendingList();
    const all = Array.from({ length: 1_000 }, () => waiting(60_000).one);
    for (const one of all) list.watch(one);
    const order = all.map((one, index) => ({ one, key: (index * 7_919) % 1_009 })).toSorted((a, b) => a.key - b.key);
    for (const { one } of order) expect(list.release(one)).toBe(true);
    for (const { one } of order) expect(list.release(one)).toBe(false);
  });

  it('given some that wait, when disposed of, then nobody waits any more', () => {
    const list = createPendingList();
    const all = [waiting(60_000), waiting(Infinity)];
    for (const { one } of all) list.watch(one);
    list[Symbol.dispose]();
    expect(all.map(({ ends }) => ends)).toEqual([['late'], ['late']]);
  });
});
