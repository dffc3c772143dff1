import { describe, expect, it } from '@jest/globals';
import { createRecentWrites, EVERYTHING } from '../../../../gateway/cache/recent-writes.ts';

describe('createRecentWrites', () => {
  it('has no writes at first', () => {
    using writes = createRecentWrites({ maxCallers: 2, clock: { monotonic: () => 1 } });
    expect([writes.isEmpty, writes.of('ada'), writes.ofAll()]).toEqual([true, undefined, undefined]);
  });

  it('separates the writes of a caller from those of all callers', () => {
    let now = 10;
    using writes = createRecentWrites({ maxCallers: 2, clock: { monotonic: () => now } });
    writes.note('ada', ['Book']);
    now = 20;
    writes.note('bob', ['User']);
    const outdated = (labels: readonly string[], madeAt: number) => [
      writes.of('ada')?.isOutdated(labels, madeAt),
      writes.of('bob')?.isOutdated(labels, madeAt),
      writes.ofAll()?.isOutdated(labels, madeAt),
    ];
    expect(outdated(['Book'], 9)).toEqual([true, false, true]);
    expect(outdated(['User'], 15)).toEqual([false, true, true]);
    expect(outdated(['Book', 'User'], 21)).toEqual([false, false, false]);
  });

  it('counts a write of everything for all labels', () => {
    using writes = createRecentWrites({ maxCallers: 2, clock: { monotonic: () => 10 } });
    writes.note('ada', [EVERYTHING]);
    expect([writes.of('ada')?.isOutdated(['Book'], 9), writes.ofAll()?.isOutdated(['Book'], 10)]).toEqual([true, true]);
    expect(writes.ofAll()?.isOutdated(['Book'], 11)).toBe(false);
  });

  it('remembers the writes of callers beyond the maximum, and of all callers with many labels', () => {
    let now = 0;
    using writes = createRecentWrites({ maxCallers: 1, clock: { monotonic: () => now } });
    for (now = 1; now <= 2_000; now += 1) writes.note(`caller ${now}`, [`Type${now}`]);
    for (const at of [1, 1_000, 2_000]) {
      expect([writes.of(`caller ${at}`)?.isOutdated([`Type${at}`], at - 1), writes.ofAll()?.isOutdated([`Type${at}`], at - 1)]).toEqual([
        true,
        true,
      ]);
    }
  });
});
