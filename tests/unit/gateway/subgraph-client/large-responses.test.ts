import { describe, expect, it } from '@jest/globals';
import type { LargeResponse } from '../../../../gateway/subgraph-client/large-responses.ts';
import { BOUND, type Coming, setUp } from './coming-responses.ts';

describe('createLargeResponses, when a caller has no room for more', () => {
  it('given a query, when its turn comes, then it is refused and takes no memory', () => {
    const { come, look } = setUp({ hasRoom: ({ remoteAddress }) => remoteAddress !== 'full' });
    come('1', { caller: 'full', bytes: BOUND });
    come('2', { caller: 'a', bytes: BOUND });
    expect(look()).toEqual(['1 refused', '2']);
  });

  it.each(['mutation', 'subscription'] as const)('given a %s, when its turn comes, then it begins', (kind) => {
    const { come, look } = setUp({ hasRoom: () => false });
    come('1', { kind });
    expect(look()).toEqual(['1']);
  });

  it('given a query that waits, when room is lost meanwhile, then it is refused at its turn and not before', () => {
    const asked: unknown[] = [];
    let isFull = false;
    const { large, come, look } = setUp({
      hasRoom(context, bytes) {
        asked.push([context.remoteAddress, bytes]);
        return !isFull;
      },
    });
    const first = come('1');
    come('2', { caller: 'b', bytes: 70 });
    expect(asked).toEqual([['a', 60]]);
    isFull = true;
    expect(look()).toEqual(['1']);
    large.leave(first);
    expect(look()).toEqual(['2 refused']);
    expect(asked).toEqual([
      ['a', 60],
      ['b', 70],
    ]);
  });

  it('given a caller without room and many queries, when one is refused, then it was a turn: another caller has the next one', () => {
    const { large, come, look } = setUp({ hasRoom: ({ remoteAddress }) => remoteAddress !== 'full' });
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

describe('createLargeResponses, when too many responses keep connections', () => {
  const kept = { maxWaiting: 2 };

  it('given one more than may wait, then the latest query of the caller with most is refused, whoever came last', () => {
    const { large, come, look } = setUp();
    const first = come('first');
    come('a1', kept);
    come('a2', kept);
    come('b1', { ...kept, caller: 'b' });
    expect(look()).toEqual(['first', 'a2 refused']);
    large.leave(first);
    expect(look()).toHaveLength(1); // one of those that wait
  });

  it('given a caller who has most, when it comes itself, then its own latest is refused', () => {
    const { come, look } = setUp();
    come('first', { caller: 'c' });
    come('b1', { ...kept, caller: 'b' });
    come('a1', kept);
    come('a2', kept);
    expect(look()).toEqual(['first', 'a2 refused']);
  });

  it('given mutations alone, when there are too many, then none is refused', () => {
    const { come, look } = setUp();
    come('first');
    for (const name of ['m1', 'm2', 'm3', 'm4']) come(name, { ...kept, kind: 'mutation' });
    expect(look()).toEqual(['first']);
  });

  it('given mutations of a caller and a query of another, when there are too many, then the query is refused', () => {
    const { come, look } = setUp();
    come('first');
    come('b1', { ...kept, caller: 'b' });
    for (const name of ['m1', 'm2']) come(name, { ...kept, kind: 'mutation' });
    expect(look()).toEqual(['first', 'b1 refused']);
  });

  it('given the one that is next in turn, when it is refused for its connection, then the one after it has its turn', () => {
    const { large, come, look } = setUp();
    const first = come('first', { caller: 'c' });
    come('a1', { maxWaiting: 1 });
    come('a2', { bytes: 10, maxWaiting: 0, onTurn: large.leave });
    expect(look()).toEqual(['first', 'a2 refused']);
    come('b1', { caller: 'b', maxWaiting: 0, onTurn: large.leave }); // of two callers with one each, the one that came last
    expect(look()).toEqual(['b1 refused']);
    large.leave(first);
    expect(look()).toEqual(['a1']);
  });

  it.each<[string, order: readonly string[], refused: string]>([
    ['one each', ['a1', 'b1', 'c1'], 'c1'],
    ['two each', ['a1', 'b1', 'a2', 'b2'], 'b2'],
    ['two each, and the other came with both', ['b1', 'b2', 'a1', 'a2'], 'a2'],
    ['two each, and the one that came first also comes last', ['a1', 'b1', 'b2', 'a2'], 'b2'],
  ])('given callers with %s, when that is one too many, then the caller that came last loses its latest', (_what, order, refused) => {
    const { come, look } = setUp();
    come('first', { caller: 'first' });
    for (const name of order) come(name, { caller: name.slice(0, 1), maxWaiting: order.length - 1 });
    expect(look()).toEqual(['first', `${refused} refused`]);
  });

  it('given a caller whose first response left, when callers have as many, then only what waits tells who came last', () => {
    const { large, come, look } = setUp();
    come('first', { caller: 'first' });
    const gone = come('a0', { maxWaiting: 3 });
    come('b1', { maxWaiting: 3, caller: 'b' });
    come('a1', { maxWaiting: 3 });
    large.leave(gone);
    expect(look()).toEqual(['first']);
    come('m', { ...kept, caller: 'c', kind: 'mutation' });
    expect(look()).toEqual(['a1 refused']);
  });

  it.each([
    ['wait for other subgraphs', (name: string): Coming => ({ ...kept, subgraph: name })],
    ['keep no connection', (): Coming => ({})],
  ])('given others that %s, when counted, then they do not count', (_what, coming) => {
    const { come, look } = setUp();
    come('first');
    for (const name of ['o1', 'o2', 'o3']) come(name, coming(name));
    come('a1', kept);
    come('a2', kept);
    expect(look()).toEqual(['first']);
  });

  it('given some that began or left, when further ones come, then those do not count', () => {
    const { large, come, look } = setUp();
    const first = come('first');
    const a1 = come('a1', kept);
    come('a2', kept);
    large.leave(a1);
    come('a3', kept);
    large.leave(first); // the next begins
    expect(look()).toEqual(['first', 'a2']);
    come('a4', kept);
    expect(look()).toEqual([]);
    come('a5', kept);
    expect(look()).toEqual(['a5 refused']);
  });

  it('given one that begins at once, when none may wait, then it is not refused', () => {
    const { come, look } = setUp();
    come('1', { maxWaiting: 0 });
    expect(look()).toEqual(['1']);
  });
});

describe('createLargeResponses, when responses leave', () => {
  it('given one that waits, when it leaves, then it never begins, and those behind it do', () => {
    const { large, come, look } = setUp();
    const first = come('1');
    const second = come('2');
    come('3');
    large.leave(second);
    large.leave(first);
    expect(look()).toEqual(['1', '3']);
  });

  it('given a long one in front of a short one, when it leaves, then the short one begins at once', () => {
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
  ])('given one %s, when it leaves twice, then its memory is given back once at most', (_what, coming, hasCome) => {
    const { large, make, come, look } = setUp({ hasRoom: ({ remoteAddress }) => remoteAddress !== 'full' });
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

describe('createLargeResponses, when a response calls back within a call', () => {
  it('given many that leave while they begin, then all begin in their order, one after another', () => {
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

  it('given many that leave while they are refused, then the one behind them begins', () => {
    const { large, come, look } = setUp({ hasRoom: ({ remoteAddress }) => remoteAddress !== 'full' });
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

  it('given one that leaves while it is refused for its connection, then another begins in its place', () => {
    const { large, come, look } = setUp();
    come('first', { bytes: 50, caller: 'c' });
    come('a1', { maxWaiting: 1, onTurn: large.leave }); // in front, and longer than what is free
    come('m1', { caller: 'b', bytes: 20, kind: 'mutation', maxWaiting: 1 });
    expect(look()).toEqual(['first', 'a1 refused', 'm1']);
  });

  it('given one that makes others come and leave while it begins, then each has its turn once', () => {
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

  it('given one whose begin throws, then the error is thrown on, and those that come later still have turns', () => {
    const { large, make, come, look } = setUp();
    const thrown = new Error('a defect');
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

describe('createLargeResponses, when memory is short', () => {
  it('given a response longer than the bound, when something is received, then it waits; when nothing is, then it begins', () => {
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

  it('given responses of just the bound together, when they come, then all begin; one byte more waits', () => {
    const { large, come, look } = setUp();
    come('1', { bytes: 60 });
    const second = come('2', { bytes: 40 });
    come('3', { bytes: 1 });
    expect(look()).toEqual(['1', '2']);
    large.leave(second);
    expect(look()).toEqual(['3']);
  });

  it('given a long response that waits, when short ones come that would fit, then they wait behind it', () => {
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

  it('given responses of several subgraphs, when they come, then they share the bound', () => {
    const { large, come, look } = setUp();
    const first = come('1', { subgraph: 'accounts' });
    come('2', { subgraph: 'books' });
    expect(look()).toEqual(['1']);
    large.leave(first);
    expect(look()).toEqual(['2']);
  });

  it('given a caller with many that wait, when another comes, then it is delayed by two at most, and both take turns', () => {
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

  it('given callers with long and with short responses, when they take turns, then they get about as many bytes each', () => {
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
