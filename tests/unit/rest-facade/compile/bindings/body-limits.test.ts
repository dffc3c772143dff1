import { describe, expect, it } from '@jest/globals';
import { type BodyLimit, withLimits } from '../../../../../rest-facade/compile/bindings/body-limits.ts';

const LIMITS: readonly Partial<BodyLimit>[] = [
  { field: 'title', notBlank: true, maxLength: 5 },
  { field: 'code', minLength: 2 },
  { field: 'pages', notNull: true, minimum: 1, maximum: 10 },
  { field: 'price', minimum: 0, decimals: 2 },
  { field: 'size', values: ['S', 'M'] },
  { field: 'tags', notBlank: true, maxLength: 3, minItems: 1, maxItems: 2, uniqueItems: true },
];

const read = withLimits(
  (body) => ({ read: body }),
  LIMITS.map((limit) => Object.assign({ field: '', notNull: false, notBlank: false, uniqueItems: false }, limit)),
  new Map([['pages', 'leaves']]),
);

function errorsOf(body: unknown): readonly string[] {
  const issues: string[] = [];
  read(body, '', (field, issue) => issues.push(`${field} ${issue}`));
  return issues;
}

describe('limits of a request body', () => {
  it.each<[unknown, string]>([
    [{ title: '' }, 'title must contain a character other than white space and must not contain NUL'],
    [{ title: ' \t\u00a0' }, 'title must contain a character other than white space and must not contain NUL'],
    [{ title: 'a\u0000' }, 'title must contain a character other than white space and must not contain NUL'],
    [{ title: 'abcdef' }, 'title must have at most 5 characters'],
    [{ title: '\u{1f4a9}'.repeat(6) }, 'title must have at most 5 characters'],
    [{ code: '\u{1f4a9}' }, 'code must have at least 2 characters'],
    [{ leaves: 0 }, 'leaves must be 1 to 10'],
    [{ leaves: 11 }, 'leaves must be 1 to 10'],
    [{ leaves: null }, 'leaves must not be null'],
    [{ price: -0.01 }, 'price must be at least 0'],
    [{ price: 1.005 }, 'price must have at most 2 decimal places'],
    [{ price: 1e-7 }, 'price must have at most 2 decimal places'],
    [{ size: 'L' }, 'size must be one of S, M'],
    [{ tags: [] }, 'tags must have 1 to 2 values'],
    [{ tags: ['a', 'b', 'c'] }, 'tags must have 1 to 2 values'],
    [{ tags: ['a', 'a'] }, 'tags must not contain a value twice'],
    [{ tags: ['a', 'abcd'] }, 'tags.1 must have at most 3 characters'],
  ])('%j is rejected with: %s', (body, issue) => {
    expect(errorsOf(body)).toEqual([issue]);
  });

  it.each([
    [{}],
    [{ title: ' a ' }],
    [{ title: '\u{1f4a9}'.repeat(5) }],
    [{ code: 'ab', leaves: 1, price: 35 * 0.01, size: 'M' }],
    [{ price: 99_999.99 }],
    [{ price: null, size: null, tags: null }],
    [{ tags: ['a', 'b'] }],
    // The JSON reader itself reports a wrong type or a missing body.
    [{ title: 1, leaves: 'x', tags: 'x' }],
    [[{ title: '' }]],
    [null],
  ])('%j is within the limits', (body) => {
    expect(errorsOf(body)).toEqual([]);
  });

  it('reports each of several errors, and returns the value of the inner reader', () => {
    expect(errorsOf({ title: '', leaves: null, size: 'L' })).toHaveLength(3);
    expect(read({ title: 'x' }, '', () => undefined)).toEqual({ read: { title: 'x' } });
  });

  it('reads 200,000 spaces in linear time, without backtracking for minutes', () => {
    expect(errorsOf({ tags: [`${' '.repeat(200_000)}\u0000`] })).toHaveLength(1);
  });
});
