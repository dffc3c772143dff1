import { describe, expect, it } from '@jest/globals';
import type { LargeResponse } from '../../../../gateway/subgraph-client/large-responses.ts';
import { BOUND, type Coming, setUp } from './coming-responses.ts';

describe('createLargeResponses, for a caller without capacity', () => {
  it('rejects a query in its turn and reserves no memory', () => {
    const { come, look } = setUp({ hasCapacity: ({ remoteAddress }) => remoteAddress !== 'full' });
    come('1', { caller: 'full', bytes: BOUND });
    come('2', { caller: 'a', bytes: BOUND });
    expect(look()).toEqual(['1 refused', '2']);
  });

  it.each(['mutation', 'subscription'] as const)('begins a %s in its turn', (kind) => {
    const { come, look } = setUp({ hasCapacity: () => false });
    come('1', { kind });
    expect(look()).toEqual(['1']);
  });

  it('rejects a waiting query that loses its capacity only in its turn', () => {
    const requested: unknown[] = [];
    let isFull = false;
    const { large, come, look } = setUp({
      hasCapacity(context, bytes) {
        requested.push([context.remoteAddress, bytes]);
        return !isFull;
      },
    });
    const first = come('1');
    come('2', { caller: 'b', bytes: 70 });
    expect(requested).toEqual([['a', 60]]);
    isFull = true;
    expect(look()).toEqual(['1']);
    large.leave(first);
    expect(look()).toEqual(['2 refused']);
    expect(requested).toEqual([
      ['a', 60],
      ['b', 70],
    ]);
  });

  it('counts a rejection as a turn, so that another caller is next', () => {
    const { large, come, look } = setUp({ hasCapacity: ({ remoteAddress }) => remoteAddress !== 'full' });
    const first = come('first');
    for (let index = 0; index < 100; index += 1) come('1', { caller: 'full' });
    const last = come('last', { caller: 'b' });
    look();
    large.leave(first);
    expect(look()).toEqual(['1 refused', 'last']);
    large.leave(last);
    expect(look()).toEqual(Array.from({ length: 99 }, () => '1 refused'));
  });
});

describe('createLargeResponses, if too many responses hold connections', () => {
  const stored = { maxWaiting: 2 };

  it('rejects the latest query of the caller with the most waiting queries', () => {
    const { large, come, look } = setUp();
    const first = come('first');
    come('a1', stored);
    come('a2', stored);
    come('b1', { ...stored, caller: 'b' });
    expect(look()).toEqual(['first', 'a2 refused']);
    large.leave(first);
    expect(look()).toHaveLength(1); // One of the waiting responses.
  });

  it('rejects the new query of a caller that has the most waiting queries', () => {
    const { come, look } = setUp();
    come('first', { caller: 'c' });
    come('b1', { ...stored, caller: 'b' });
    come('a1', stored);
    come('a2', stored);
    expect(look()).toEqual(['first', 'a2 refused']);
  });

  it('never rejects mutations', () => {
    const { come, look } = setUp();
    come('first');
    for (const name of ['m1', 'm2', 'm3', 'm4']) come(name, { ...stored, kind: 'mutation' });
    expect(look()).toEqual(['first']);
  });

  it('rejects a query of another caller instead of mutations', () => {
    const { come, look } = setUp();
    come('first');
    come('b1', { ...stored, caller: 'b' });
    for (const name of ['m1', 'm2']) come(name, { ...stored, kind: 'mutation' });
    expect(look()).toEqual(['first', 'b1 refused']);
  });

  it('gives the turn of a rejected query to the next one', () => {
    const { large, come, look } = setUp();
    const first = come('first', { caller: 'c' });
    come('a1', { maxWaiting: 1 });
    come('a2', { bytes: 10, maxWaiting: 0, onTurn: large.leave });
    expect(look()).toEqual(['first', 'a2 refused']);
    // Of two callers with one response each, the one that came last is rejected.
    come('b1', { caller: 'b', maxWaiting: 0, onTurn: large.leave });
    expect(look()).toEqual(['b1 refused']);
    large.leave(first);
    expect(look()).toEqual(['a1']);
  });

  it.each<[string, order: readonly string[], rejected: string]>([
    ['one each', ['a1', 'b1', 'c1'], 'c1'],
    ['two each', ['a1', 'b1', 'a2', 'b2'], 'b2'],
    ['two each, where one caller came with both last', ['b1', 'b2', 'a1', 'a2'], 'a2'],
    ['two each, where the first caller also comes last', ['a1', 'b1', 'b2', 'a2'], 'b2'],
  ])('rejects the latest query of the caller that came last, for callers with %s', (_what, order, rejected) => {
    const { come, look } = setUp();
    come('first', { caller: 'first' });
    for (const name of order) come(name, { caller: name.slice(0, 1), maxWaiting: order.length - 1 });
    expect(look()).toEqual(['first', `${rejected} refused`]);
  });

  it('ignores responses that have left when it decides which caller came last', () => {
    const { large, come, look } = setUp();
    come('first', { caller: 'first' });
    const gone = come('a0', { maxWaiting: 3 });
    come('b1', { maxWaiting: 3, caller: 'b' });
    come('a1', { maxWaiting: 3 });
    large.leave(gone);
    expect(look()).toEqual(['first']);
    come('m', { ...stored, caller: 'c', kind: 'mutation' });
    expect(look()).toEqual(['a1 refused']);
  });

  it.each([
    ['wait for other subgraphs', (name: string): Coming => ({ ...stored, subgraph: name })],
    ['hold no connection', (): Coming => ({})],
  ])('does not count responses that %s', (_what, coming) => {
    const { come, look } = setUp();
    come('first');
    for (const name of ['o1', 'o2', 'o3']) come(name, coming(name));
    come('a1', stored);
    come('a2', stored);
    expect(look()).toEqual(['first']);
  });

  it('does not count responses that have begun or left', () => {
    const { large, come, look } = setUp();
    const first = come('first');
    const a1 = come('a1', stored);
    come('a2', stored);
    large.leave(a1);
    come('a3', stored);
    large.leave(first); // The next response begins.
    expect(look()).toEqual(['first', 'a2']);
    come('a4', stored);
    expect(look()).toEqual([]);
    come('a5', stored);
    expect(look()).toEqual(['a5 refused']);
  });

  it('does not reject a response that begins at once', () => {
    const { come, look } = setUp();
    come('1', { maxWaiting: 0 });
    expect(look()).toEqual(['1']);
  });
});

describe('createLargeResponses, when responses leave', () => {
  it('never begins a waiting response that leaves, but begins the following ones', () => {
    const { large, come, look } = setUp();
    const first = come('1');
    const second = come('2');
    come('3');
    large.leave(second);
    large.leave(first);
    expect(look()).toEqual(['1', '3']);
  });

  it('begins a short response at once when a long one before it leaves', () => {
    const { large, come, look } = setUp();
    come('1');
    const long = come('2', { bytes: BOUND });
    come('3', { bytes: 40 });
    expect(look()).toEqual(['1']);
    large.leave(long);
    expect(look()).toEqual(['3']);
  });

  it.each<[string, Coming, hasCome: boolean]>([
    ['that has begun', { bytes: 50 }, true],
    ['that waits', { bytes: 70 }, true],
    ['that was refused', { bytes: 50, caller: 'full' }, true],
    ['that never came', {}, false],
  ])('releases the memory of a response %s at most once if it leaves twice', (_what, coming, hasCome) => {
    const { large, make, come, look } = setUp({ hasCapacity: ({ remoteAddress }) => remoteAddress !== 'full' });
    come('held', { bytes: 40 });
    const one = make('one', coming);
    if (hasCome) large.enter(one);
    for (let time = 0; time < 2; time += 1) large.leave(one);
    look();
    come('fits', { bytes: 60, caller: 'b' });
    come('does not', { bytes: 1, caller: 'b' });
    expect(look()).toEqual(['fits']);
  });
});

describe('createLargeResponses, with reentrant calls', () => {
  it('begins responses in order and not recursively if each leaves while it begins', () => {
    const { large, come, look } = setUp();
    const first = come('first');
    let depth = 0;
    let deepest = 0;
    const names = Array.from({ length: 5_000 }, (_, index) => `${index}`);
    for (const name of names) {
      come(name, {
        onTurn(response) {
          deepest = Math.max(deepest, (depth += 1));
          large.leave(response);
          depth -= 1;
        },
      });
    }
    large.leave(first);
    expect(look()).toEqual(['first', ...names]);
    expect(deepest).toBe(1);
  });

  it('begins the response after many that leave while they are rejected', () => {
    const { large, come, look } = setUp({ hasCapacity: ({ remoteAddress }) => remoteAddress !== 'full' });
    const first = come('first');
    for (let index = 0; index < 1_000; index += 1) come('1', { caller: 'full', onTurn: large.leave });
    const last = come('last', { caller: 'b' });
    look();
    large.leave(first);
    expect(look().filter((one) => one !== '1 refused')).toEqual(['last']);
    large.leave(last);
    come('next', { bytes: BOUND });
    expect(look().at(-1)).toBe('next');
  });

  it('begins another response if one leaves while it is rejected for its connection', () => {
    const { large, come, look } = setUp();
    come('first', { bytes: 50, caller: 'c' });
    come('a1', { maxWaiting: 1, onTurn: large.leave }); // First in the queue, and longer than the free memory.
    come('m1', { caller: 'b', bytes: 20, kind: 'mutation', maxWaiting: 1 });
    expect(look()).toEqual(['first', 'a1 refused', 'm1']);
  });

  it('begins each response once if one adds and removes others while it begins', () => {
    const { large, come, look } = setUp();
    const first = come('first');
    come('1', {
      onTurn(response) {
        come('2', { bytes: BOUND, onTurn: large.leave });
        large.leave(response);
      },
    });
    large.leave(first);
    expect(look()).toEqual(['first', '1', '2']);
    come('3', { bytes: BOUND });
    expect(look()).toEqual(['3']);
  });

  it('throws the error of a callback and continues with later responses', () => {
    const { large, make, come, look } = setUp();
    const thrown = new Error('Simulated defect.');
    const failing = make('1', {
      onTurn() {
        throw thrown;
      },
    });
    expect(() => large.enter(failing)).toThrow(thrown);
    large.leave(failing);
    come('2', { bytes: BOUND });
    expect(look()).toEqual(['1', '2']);
  });
});

describe('createLargeResponses, with limited memory', () => {
  it('begins a response above the limit only if no other is being received', () => {
    const { large, come, look } = setUp();
    const first = come('1', { bytes: 1 });
    const long = come('2', { bytes: 10 * BOUND });
    expect(look()).toEqual(['1']);
    large.leave(first);
    expect(look()).toEqual(['2']);
    come('3', { bytes: 1 });
    expect(look()).toEqual([]);
    large.leave(long);
    expect(look()).toEqual(['3']);
  });

  it('begins responses up to exactly the limit and delays one byte more', () => {
    const { large, come, look } = setUp();
    come('1', { bytes: 60 });
    const second = come('2', { bytes: 40 });
    come('3', { bytes: 1 });
    expect(look()).toEqual(['1', '2']);
    large.leave(second);
    expect(look()).toEqual(['3']);
  });

  it('does not let short responses overtake a long one that waits', () => {
    const { large, come, look } = setUp();
    const first = come('1', { bytes: 90 });
    const long = come('2', { bytes: BOUND });
    for (const name of ['3', '4']) come(name, { bytes: 10 });
    expect(look()).toEqual(['1']);
    large.leave(first);
    expect(look()).toEqual(['2']);
    large.leave(long);
    expect(look()).toEqual(['3', '4']);
  });

  it('shares the limit between subgraphs', () => {
    const { large, come, look } = setUp();
    const first = come('1', { subgraph: 'accounts' });
    come('2', { subgraph: 'books' });
    expect(look()).toEqual(['1']);
    large.leave(first);
    expect(look()).toEqual(['2']);
  });

  it('alternates between a caller with many waiting responses and another one', () => {
    const { large, come, look } = setUp();
    const order: string[] = [];
    let current = come('a0');
    const waiting = new Map<string, LargeResponse>();
    for (let index = 1; index <= 20; index += 1) waiting.set(`a${index}`, come(`a${index}`));
    for (let index = 1; index <= 3; index += 1) waiting.set(`b${index}`, come(`b${index}`, { caller: 'b' }));
    look();
    for (let turn = 0; turn < 8; turn += 1) {
      large.leave(current);
      const [name = ''] = look();
      order.push(name);
      current = waiting.get(name) ?? current;
    }
    expect(order.indexOf('b1')).toBeLessThanOrEqual(1);
    expect(order.filter((name) => name.startsWith('b'))).toEqual(['b1', 'b2', 'b3']);
    expect(order.indexOf('b3')).toBeLessThanOrEqual(5);
  });

  it('gives callers with long and short responses about the same number of bytes', () => {
    const { large, make, look } = setUp({ maxBytes: 1 });
    const received = { long: 0, short: 0 };
    const begun: LargeResponse[] = [];
    const first = make('first', { caller: 'c' });
    large.enter(first);
    for (let index = 0; index < 100; index += 1) {
      for (const [caller, bytes] of [
        ['long', 40],
        ['short', 10],
      ] as const) {
        const onTurn = (response: LargeResponse): void => {
          received[caller] += bytes;
          begun.push(response);
        };
        large.enter(make(caller, { caller, bytes, onTurn }));
      }
    }
    large.leave(first);
    for (let turn = 0; turn < 50; turn += 1) {
      const next = begun.shift();
      if (next !== undefined) large.leave(next);
    }
    look();
    expect(Math.abs(received.long - received.short)).toBeLessThanOrEqual(40);
  });
});
