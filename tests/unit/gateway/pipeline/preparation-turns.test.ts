import { setImmediate as iteration } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createPreparationTurns } from '../../../../gateway/pipeline/preparation-turns.ts';

describe('createPreparationTurns', () => {
  it('given nobody before, then the turn is now, and so it is again once the event loop has gone on', async () => {
    const turns = createPreparationTurns();
    expect(turns.take('a')).toBeUndefined();
    await iteration();
    await iteration();
    expect(turns.take('a')).toBeUndefined();
  });

  it('given 20 documents of one caller at once, when another caller sends one, then it is next, and each iteration has one turn', async () => {
    const turns = createPreparationTurns();
    const order: string[] = [];
    const take = (caller: string): void => {
      const turn = turns.take(caller);
      if (turn === undefined) order.push(caller);
      else void turn.then(() => order.push(caller));
    };
    for (let count = 0; count < 20; count += 1) take('a');
    expect(order).toEqual(['a']);
    await iteration();
    take('b');
    const before = order.length;
    await iteration();
    await iteration();
    expect(order.length).toBe(before + 2);
    expect(order.slice(before)).toContain('b');
    for (let count = 0; count < 20; count += 1) await iteration();
    expect(order.filter((caller) => caller === 'a')).toHaveLength(20);
  });
});
