import { describe, expect, it } from '@jest/globals';
import { describeFileFailure } from '../../../gateway/platform/file-errors.ts';

describe('point 20: file system errors', () => {
  it.each([
    [{ name: 'ErrnoError', errno: 51 }, 'no space is left'],
    [{ code: '53100' }, 'no space is left'],
    [{ code: 'EROFS' }, 'the file system is read-only'],
    [new Error('x', { cause: { code: 'EACCES' } }), 'this user has no permission'],
  ])('describes the error %j in words', (error, words) => {
    expect(describeFileFailure(error)).toContain(words);
  });

  it('has no description for other errors', () => {
    expect(describeFileFailure(new Error('x'))).toBeUndefined();
    expect(describeFileFailure(undefined)).toBeUndefined();
  });
});
