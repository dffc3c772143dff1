import { setImmediate as iteration } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createPreparationTurns, type PreparationTurns } from '../../../../../gateway/pipeline/stages/preparation-turns.ts';

describe('createPreparationTurns', () => {
  let now: number;
  let turns: PreparationTurns;
  let order: string[];

  beforeEach(() => {
    now = 0;
    turns = createPreparationTurns(() => now);
    order = [];
  });

  function prepare(caller: string, ms: number): Promise<void> | void {
    return turns.run(
      () => caller,
      () => {
        now += ms;
        order.push(caller);
      },
    );
  }

  it('given short preparations, when they come together, then all run at once', () => {
    for (let count = 0; count < 10; count += 1) expect(prepare('a', 0.09)).toBeUndefined();
    expect(order).toHaveLength(10);
  });

  it('given 20 long ones of one caller, when another caller sends one, then it is next, and each iteration has one', async () => {
    for (let count = 0; count < 20; count += 1) void prepare('a', 3);
    expect(order).toEqual(['a']);
    await iteration();
    void prepare('b', 3);
    const before = order.length;
    await iteration();
    await iteration();
    expect(order.length).toBe(before + 2);
    expect(order.slice(before)).toContain('b');
    for (let count = 0; count < 20; count += 1) await iteration();
    expect(order.filter((caller) => caller === 'a')).toHaveLength(20);
  });

  it('given short ones that wait for a long one, when the event loop goes on, then they run in one iteration', async () => {
    void prepare('a', 3);
    for (let count = 0; count < 10; count += 1) void prepare('b', 0.1);
    expect(order).toEqual(['a']);
    await iteration();
    expect(order).toHaveLength(11);
  });

  it('given one that throws, when it ran at once or waited, then its caller hears it and the next one runs', async () => {
    const fail = () => {
      now += 3;
      throw new Error('not valid');
    };
    expect(() => turns.run(() => 'a', fail)).toThrow('not valid');
    await expect(turns.run(() => 'a', fail)).rejects.toThrow('not valid');
    await prepare('a', 0);
    expect(order).toEqual(['a']);
  });
});
