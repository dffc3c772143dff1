import { describe, expect, it } from '@jest/globals';
import { readPreconditions } from '../../../../rest-facade/request/conditional/preconditions.ts';
import { isNotModified } from '../../../../rest-facade/response/evaluate-preconditions.ts';
import { parseTag } from '../../../../rest-facade/request/conditional/entity-tag.ts';

const CHANGED = Date.UTC(2026, 0, 2, 3, 4, 5);
const at = (ms: number) => new Date(ms).toUTCString();
const decide = (
  headers: Readonly<Record<string, string>>,
  etag: string | undefined = '"7-abcdef"',
  lastModified: number | undefined = CHANGED,
) =>
  isNotModified(readPreconditions(headers, true) ?? {}, {
    ...(etag === '' ? {} : { tag: parseTag(etag) }),
    ...(lastModified === 0 ? {} : { lastModified }),
  });
const failed = expect.objectContaining({ code: 'PRECONDITION_FAILED', status: 412 });

describe('preconditions of a read (RFC 9110, section 13)', () => {
  it.each([
    ['another tag', { 'if-match': '"8-abcdef"' }],
    ['the same version in another representation (8.8.3.2)', { 'if-match': '"7-000000"' }],
    ['the same version in another coding (8.8.3.3)', { 'if-match': '"7-abcdef-br"' }],
    ['a weak tag (13.1.1)', { 'if-match': 'W/"7-abcdef"' }],
    ['several other tags', { 'if-match': '"a", "b", W/"7-abcdef"' }],
    ['a date before the change (13.1.4)', { 'if-unmodified-since': at(CHANGED - 1_000) }],
    ['a failed If-Match with a matching If-None-Match (13.2.2)', { 'if-match': '"a"', 'if-none-match': '"7-abcdef"' }],
  ])('fails for %s and returns the current tag', (_title, headers) => {
    expect(() => decide(headers)).toThrow(failed);
    expect(() => decide(headers)).toThrow(expect.objectContaining({ headers: { etag: '"7-abcdef"' } }));
  });

  it('`If-Match` fails for a weak current tag', () => {
    expect(() => decide({ 'if-match': 'W/"7-abcdef"' }, 'W/"7-abcdef"')).toThrow(failed);
  });

  it.each([
    ['the tag', { 'if-none-match': '"7-abcdef"' }, true],
    ['the tag, weakly (13.1.2)', { 'if-none-match': 'W/"7-abcdef"' }, true],
    ['any tag', { 'if-none-match': '*' }, true],
    ['the same version in another representation', { 'if-none-match': '"7-000000"' }, false],
    ['the same version in another coding', { 'if-none-match': '"7-abcdef-br"' }, false],
    ['another tag with a matching date (13.1.3)', { 'if-none-match': '"a"', 'if-modified-since': at(CHANGED) }, false],
    ['the date of the change', { 'if-modified-since': at(CHANGED) }, true],
    ['a date before the change', { 'if-modified-since': at(CHANGED - 1_000) }, false],
    ['a matching If-Match and a matching If-None-Match', { 'if-match': '*', 'if-none-match': '"7-abcdef"' }, true],
    ['a matching If-Match with a failing date (13.1.4)', { 'if-match': '"7-abcdef"', 'if-unmodified-since': at(0) }, false],
    ['an invalid date', { 'if-modified-since': 'tomorrow' }, false],
    ['no condition', {}, false],
  ])('decides for %s whether the response is 304', (_title, headers, expected) => {
    expect(decide(headers)).toBe(expected);
  });

  it('a resource without validators ignores dates, and tags do not match', () => {
    expect(decide({ 'if-modified-since': at(CHANGED) }, '', 0)).toBe(false);
    expect(decide({ 'if-unmodified-since': at(0) }, '', 0)).toBe(false);
    expect(decide({ 'if-none-match': '"a"' }, '', 0)).toBe(false);
    expect(() => decide({ 'if-match': '"a"' }, '', 0)).toThrow(failed);
  });
});
