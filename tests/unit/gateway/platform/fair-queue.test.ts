import { describe, expect, it } from '@jest/globals';
import { type Waiting, createFairQueue } from '../../../../gateway/platform/fair-queue.ts';

interface Item extends Waiting {
  readonly name: string;
}

function item(name: string, ...callers: readonly string[]): Item {
  return { name, callers: new Set(callers) };
}

describe('createFairQueue', () => {
  it('given a caller with many items, when another comes, then they take turns', () => {
    const queue = createFairQueue<Item>();
    for (const name of ['a1', 'a2', 'a3']) queue.push(item(name, 'a'));
    queue.push(item('b1', 'b'));
    queue.push(item('b2', 'b'));
    const order: string[] = [];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      order.push(next.name);
      queue.charge(next, 10);
    }
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('given a caller that took long, when a quick one asks often, then the quick one goes first until shares are equal', () => {
    const queue = createFairQueue<Item>();
    const slow = item('slow', 'a');
    queue.push(slow);
    queue.shift();
    queue.charge(slow, 2_000);
    queue.push(item('a', 'a'));
    for (const name of ['b1', 'b2', 'b3']) queue.push(item(name, 'b'));
    expect([queue.shift()?.name, queue.shift()?.name, queue.shift()?.name, queue.shift()?.name]).toEqual(['b1', 'b2', 'b3', 'a']);
  });

  it('given an item of a busy caller, when a second caller joins it, then it has the turn of the second', () => {
    const queue = createFairQueue<Item>();
    const busy = item('busy', 'a');
    queue.push(busy);
    queue.shift();
    queue.charge(busy, 2_000);
    const callers = new Set(['a']);
    queue.push({ name: 'first', callers: new Set(['a']) });
    queue.push({ name: 'shared', callers });
    callers.add('b');
    expect(queue.shift()?.name).toBe('shared');
  });

  it('given a full queue, when a caller with less comes, then the latest item of the caller with most makes room', () => {
    const queue = createFairQueue<Item>();
    for (const name of ['a1', 'a2', 'a3']) queue.push(item(name, 'a'));
    expect(queue.displaceFor('a')).toBeUndefined();
    expect(queue.displaceFor('b')?.name).toBe('a3');
    expect(queue.size).toBe(2);
  });

  it('given a caller that is being served, then only what others wait for too is taken', () => {
    const queue = createFairQueue<Item>();
    const busy = new Set(['a']);
    queue.push(item('a1', 'a'));
    expect([queue.hasOther(busy), queue.shift(busy)]).toEqual([false, undefined]);
    queue.push(item('both', 'a', 'b'));
    expect([queue.hasOther(busy), queue.shift(busy)?.name, queue.shift(busy), queue.shift()?.name]).toEqual([
      true,
      'both',
      undefined,
      'a1',
    ]);
  });
});
