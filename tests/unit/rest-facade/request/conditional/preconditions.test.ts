import { describe, expect, it } from '@jest/globals';
import { readHttpDate } from '../../../../../rest-facade/request/conditional/http-date.ts';
import { readPreconditions } from '../../../../../rest-facade/request/conditional/preconditions.ts';

const strong = (opaque: string) => ({ opaque, isWeak: false });
const weak = (opaque: string) => ({ opaque, isWeak: true });

describe('preconditions of a request (RFC 9110, section 13.1)', () => {
  it.each(['7', '"a', 'a"', '"a" "b"', '"a", b', "'a'", 'w/"a"', '', ',', '"a" *', '*, "a"', '"a b"'])(
    'rejects `If-Match: %s`, because ignoring it would allow the write',
    (header) => {
      expect(() => readPreconditions({ 'if-match': header }, false)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    },
  );

  it('a malformed `If-None-Match` is ignored for a read and rejected for a write', () => {
    expect(readPreconditions({ 'if-none-match': 'x' }, true)).toEqual({});
    expect(() => readPreconditions({ 'if-none-match': 'x' }, false)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
  });

  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', [strong('a')]],
    ['W/"a"', [weak('a')]],
    ['""', [strong('')]],
    ['"a","b"', [strong('a'), strong('b')]],
    ['"a"  ,\t W/"b" , , "c",', [strong('a'), weak('b'), strong('c')]],
    [',"a"', [strong('a')]],
    ['"a,b"', [strong('a,b')]],
  ])('reads the tag list %s', (header, tags) => {
    expect(readPreconditions({ 'if-match': header }, false)).toEqual({ ifMatch: tags });
    expect(readPreconditions({ 'if-none-match': header }, true)).toEqual({ ifNoneMatch: tags });
  });

  it('reads ten thousand tags quickly', () => {
    const header = Array.from({ length: 10_000 }, (_, index) => `"${index}"`).join(' , ');
    expect(readPreconditions({ 'if-none-match': header }, true)?.ifNoneMatch).toHaveLength(10_000);
  });

  it('returns undefined without a condition', () => {
    expect(readPreconditions({ accept: '*/*' }, true)).toBeUndefined();
  });

  it('ignores dates when tags are present', () => {
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
    const headers = { 'if-modified-since': date, 'if-unmodified-since': date };
    expect(readPreconditions({ ...headers, 'if-none-match': '"a"', 'if-match': '"b"' }, true)).toEqual({
      ifNoneMatch: [strong('a')],
      ifMatch: [strong('b')],
    });
    expect(readPreconditions(headers, true)).toEqual({ ifModifiedSince: 784_111_777_000, ifUnmodifiedSince: 784_111_777_000 });
    expect(readPreconditions(headers, false)).toEqual({ ifUnmodifiedSince: 784_111_777_000 });
  });
});

describe('dates in headers (RFC 9110, section 5.6.7)', () => {
  it.each([
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 +0100',
    '1994-11-06T08:49:37Z',
    '784111777',
    'yesterday',
    'Sun, 39 Nov 1994 08:49:37 GMT',
    '',
  ])('ignores the date "%s"', (header) => {
    expect(readHttpDate(header)).toBeUndefined();
  });

  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'reads the date format of %s',
    (header) => {
      expect(readHttpDate(header)).toBe(784_111_777_000);
    },
  );

  it('reads a two-digit year that is far in the future as the previous century', () => {
    expect(new Date(readHttpDate('Monday, 01-Jan-90 00:00:00 GMT') ?? 0).getUTCFullYear()).toBe(1990);
    expect(new Date(readHttpDate('Friday, 01-Jan-27 00:00:00 GMT') ?? 0).getUTCFullYear()).toBe(2027);
  });
});
