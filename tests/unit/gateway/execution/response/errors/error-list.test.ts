import { describe, expect, it } from '@jest/globals';
import { createErrorList } from '../../../../../../gateway/execution/response/errors/error-list.ts';

const DENIED = { message: 'No.', code: 'FORBIDDEN' };

describe('a denied path', () => {
  it('has one error that replaces all errors at and below it', () => {
    const list = createErrorList(10, new Map([['b', 'mine']]));
    const others = [['a'], ['a', 'b2'], ['a', 'c'], ['d', 'b']].map((path) => ({ message: 'Other.', code: 'X', path }));
    for (const error of [...others, { message: 'Whole.', code: 'X' }]) list.add(error);
    list.add({ message: 'This.', code: 'FORBIDDEN', path: ['a', 'b'] });
    list.add({ message: 'Inside.', code: 'CONFLICT', path: ['a', 'b', 0, 'c'] });
    list.deny({ ...DENIED, path: ['a', 'b'] });
    expect(list.toArray().map(({ message, path }) => [message, path?.join('.')])).toEqual([
      ['Other.', 'a'],
      ['Other.', 'a.b2'],
      ['Other.', 'a.c'],
      ['Other.', 'd.mine'],
      ['Whole.', undefined],
      ['No.', 'a.mine'],
    ]);
  });

  it('includes the paths below it, and neither parents nor siblings', () => {
    const list = createErrorList(10, undefined);
    list.deny({ ...DENIED, path: ['a', 1] });
    expect([['a', 1], ['a', 1, 'b'], ['a'], ['a', 10], []].map((path) => list.isDenied(path))).toEqual([true, true, false, false, false]);
  });
});
