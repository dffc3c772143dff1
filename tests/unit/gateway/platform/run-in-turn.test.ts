import { setImmediate as iteration } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { runInTurn } from '../../../../gateway/platform/run-in-turn.ts';

describe('work that runs in turn', () => {
  it('given several pieces at once, then each runs in an iteration of the event loop of its own, in their order', async () => {
    const done: number[] = [];
    for (const piece of [1, 2, 3]) runInTurn(() => done.push(piece));
    expect(done).toEqual([]);
    for (const expected of [[1], [1, 2], [1, 2, 3]]) {
      await iteration();
      expect(done).toEqual(expected);
    }
  });

  it('given a piece that adds another, then the other runs after those that wait', async () => {
    const done: string[] = [];
    runInTurn(() => {
      done.push('first');
      runInTurn(() => done.push('added'));
    });
    runInTurn(() => done.push('second'));
    for (let count = 0; count < 3; count += 1) await iteration();
    expect(done).toEqual(['first', 'second', 'added']);
  });
});
