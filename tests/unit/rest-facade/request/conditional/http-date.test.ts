import { describe, expect, it } from '@jest/globals';
import { readHttpDate } from '../../../../../rest-facade/request/conditional/http-date.ts';

describe('dates in headers', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT'],
    ['Sunday, 06-Nov-94 08:49:37 GMT'],
    ['Sun Nov  6 08:49:37 1994'],
    [' Sun, 06 Nov 1994 08:49:37 GMT\t'],
  ])('reads %j as a date (RFC 9110, section 5.6.7)', (text) => {
    expect(readHttpDate(text)).toBe(784_111_777_000);
  });

  it.each([
    [''],
    ['tomorrow'],
    ['1994-11-06T08:49:37Z'],
    ['Sun, 06 Nov 1994 08:49:37 +0000'],
    ['Sun, 6 Nov 1994 08:49:37 GMT'],
    ['Sun, 06 nov 1994 08:49:37 GMT'],
    ['Sun, 06 Nov 1994 24:49:37 GMT'],
    ['Mon, 31 Feb 2025 00:00:00 GMT'],
    ['Monday, 31-Feb-25 00:00:00 GMT'],
    ['Mon Feb 30 00:00:00 2025'],
    ['Mon, 00 Feb 2025 00:00:00 GMT'],
    ['Mon Feb   00:00:00 2025'],
  ])('does not read %j as a date', (text) => {
    expect(readHttpDate(text)).toBeUndefined();
  });

  it('does not read two dates, or a missing header, as a date', () => {
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
    expect([readHttpDate([date, date]), readHttpDate(undefined)]).toEqual([undefined, undefined]);
  });
});
