import { describe, expect, it } from '@jest/globals';
import { GraphQLInt, GraphQLString } from 'graphql';
import type { RestRoute } from '../../../../../rest-facade/compile/rest-route.ts';
import { readWriteCondition } from '../../../../../rest-facade/request/conditional/write-condition.ts';
import { readPreconditions } from '../../../../../rest-facade/request/conditional/preconditions.ts';
import { compileTextReader } from '../../../../../rest-facade/compile/bindings/text-reader.ts';

const NUMBER = { variable: 'v', isRequired: false, isInteger: true, read: compileTextReader(GraphQLInt, false) };
const TEXT = { variable: 'v', isRequired: false, isInteger: false, read: compileTextReader(GraphQLString, false) };

const expected = (headers: Readonly<Record<string, string>>, ifMatch: object | undefined = NUMBER) =>
  readWriteCondition({ bindings: { ifMatch } } as unknown as RestRoute, readPreconditions(headers, false));
const error = (code: string) => expect.objectContaining({ code });

describe('versions that a conditional write may replace', () => {
  it('a missing required condition returns 428 (RFC 6585, section 3), any is enough', () => {
    const required = { ...NUMBER, isRequired: true };
    expect(() => expected({}, required)).toThrow(expect.objectContaining({ code: 'PRECONDITION_REQUIRED', status: 428 }));
    expect(() => expected({ 'if-modified-since': new Date(0).toUTCString() }, required)).toThrow(error('PRECONDITION_REQUIRED'));
    expect(expected({ 'if-match': '*' }, required)).toBeUndefined();
    expect(expected({ 'if-match': '"7-abcdef"' }, required)).toEqual({ versions: [7] });
  });

  it('tags on a resource without a version return 412', () => {
    for (const headers of [{ 'if-match': '"7-abcdef"' }, { 'if-none-match': '*' }, { 'if-match': '*', 'if-none-match': '*' }]) {
      expect(() => readWriteCondition({ bindings: {} } as unknown as RestRoute, readPreconditions(headers, false))).toThrow(
        expect.objectContaining({ code: 'PRECONDITION_FAILED', status: 412 }),
      );
    }
    const noDate = { 'if-unmodified-since': new Date(0).toUTCString() };
    expect(readWriteCondition({ bindings: {} } as unknown as RestRoute, readPreconditions(noDate, false))).toBeUndefined();
  });

  it('a resource without a version ignores a list in `If-None-Match`', () => {
    const others = { 'if-none-match': '"a", "7-abcdef"' };
    expect(readWriteCondition({ bindings: {} } as unknown as RestRoute, readPreconditions(others, false))).toBeUndefined();
  });

  it('`If-None-Match: *` on a write can never match (RFC 9110, section 13.1.2)', () => {
    for (const more of [{}, { 'if-match': '*' }, { 'if-match': '"7-abcdef"' }, { 'if-unmodified-since': new Date(0).toUTCString() }]) {
      expect(expected({ ...more, 'if-none-match': '*' })).toEqual({ versions: [-1], hopelessBy: 'If-None-Match' });
    }
  });

  it('`If-None-Match` excludes its versions, and weak tags count', () => {
    const list = { 'if-none-match': 'W/"7-abcdef", "7-000000-br", "x", "8-abcdef"' };
    expect(expected(list)).toEqual({ excluded: [7, 8] });
    expect(expected({ ...list, 'if-match': '*' })).toEqual({ excluded: [7, 8] });
    expect(expected({ ...list, 'if-unmodified-since': new Date(0).toUTCString() })).toEqual({ excluded: [7, 8], unmodifiedSince: 0 });
    expect(expected({ 'if-none-match': '"x", "a-abcdef"' })).toBeUndefined();
  });

  it('`If-Match` versions remain except those in `If-None-Match`', () => {
    expect(expected({ 'if-match': '"7-abcdef", "8-abcdef"', 'if-none-match': '"8-000000"' })).toEqual({ versions: [7] });
    const same = { 'if-match': '"7-abcdef"', 'if-none-match': '"7-abcdef"' };
    expect(expected(same)).toEqual({ versions: [-1], hopelessBy: 'If-None-Match' });
  });

  it.each([
    ['tags of one version in several representations and codings', '"7-abcdef", "7-000000-br", "7-0123456789abcdef012345"', [7]],
    ['several versions', '"7-abcdef", "8-abcdef"', [7, 8]],
    ['a valid tag among foreign ones', '"x", W/"8-abcdef", "7-abcdef"', [7]],
  ])('reads the versions of %s', (_title, header, versions) => {
    expect(expected({ 'if-match': header })).toEqual({ versions });
  });

  it.each([
    ['a list of weak tags (RFC 9110, section 13.1.1)', 'W/"7-abcdef"'],
    ['a list of foreign tags', '"x", "7", "a-abcdef", "99999999999-abcdef"'],
  ])('%s can never match, and the graph still validates the write', (_title, header) => {
    expect(expected({ 'if-match': header })).toEqual({ versions: [-1], hopelessBy: 'If-Match' });
  });

  it('reads versions that are text', () => {
    expect(expected({ 'if-match': '"a%2Fb%20%22-abcdef"' }, TEXT)).toEqual({ versions: ['a/b "'] });
    expect(expected({ 'if-match': '"x"' }, TEXT)).toEqual({ versions: [expect.any(String)], hopelessBy: 'If-Match' });
  });

  it('rejects more than five versions, because each one is a separate write', () => {
    const header = Array.from({ length: 6 }, (_, index) => `"${index}-abcdef"`).join();
    expect(() => expected({ 'if-match': header })).toThrow(error('BAD_REQUEST'));
  });
});
