import { describe, expect, it } from '@jest/globals';
import { type Waiting, createFairQueue } from '../../../../gateway/platform/fair-queue.ts';

interface Item extends Waiting {
  readonly name: string;
}

function item(name: string, ...callers: readonly string[]): Item {
  return { name, callers: new Set(callers) };
}

describe('createFairQueue', () => {
  it('alternates between a caller with many items and another one', () => {
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

  it('prefers a fast caller over a slow one until their shares are equal', () => {
    const queue = createFairQueue<Item>();
    const slow = item('slow', 'a');
    queue.push(slow);
    queue.shift();
    queue.charge(slow, 2_000);
    queue.push(item('a', 'a'));
    for (const name of ['b1', 'b2', 'b3']) queue.push(item(name, 'b'));
    expect([queue.shift()?.name, queue.shift()?.name, queue.shift()?.name, queue.shift()?.name]).toEqual(['b1', 'b2', 'b3', 'a']);
  });

  it('gives an item the priority of a second caller that joins it', () => {
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

  it('displaces the latest item of the caller with the most items when it is full', () => {
    const queue = createFairQueue<Item>();
    for (const name of ['a1', 'a2', 'a3']) queue.push(item(name, 'a'));
    expect(queue.displaceFor('a')).toBeUndefined();
    expect(queue.displaceFor('b')?.name).toBe('a3');
    expect(queue.size).toBe(2);
  });

  it('returns only items that other callers wait for while a caller is served', () => {
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
