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

  it('runs short concurrent preparations immediately', () => {
    for (let count = 0; count < 10; count += 1) expect(prepare('a', 0.09)).toBeUndefined();
    expect(order).toHaveLength(10);
  });

  it('runs one long preparation per iteration and alternates between callers', async () => {
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

  it('runs short preparations that wait for a long one in one iteration', async () => {
    void prepare('a', 3);
    for (let count = 0; count < 10; count += 1) void prepare('b', 0.1);
    expect(order).toEqual(['a']);
    await iteration();
    expect(order).toHaveLength(11);
  });

  it('passes errors to the caller and runs the next preparation', async () => {
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
