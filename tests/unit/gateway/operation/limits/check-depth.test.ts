import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { checkDepth } from '../../../../../gateway/operation/limits/check-depth.ts';
import { catchRejection } from '../../../../support/gateway/catch-rejection.ts';

describe('checkDepth', () => {
  it.each([
    ['of direct fields', '{ a { b { c } } }'],
    ['in fragments', '{ ...A } fragment A on Query { a { ... { ...B } } } fragment B on A { b { c } }'],
    ['in one of two operations', 'query Q { a } query R { a { b { c } } }'],
  ])('rejects three levels %s when two are allowed, and accepts them when three are', (_how, text) => {
    expect(catchRejection(() => checkDepth(parse(text), 2)).code).toBe('DEPTH_LIMIT_EXCEEDED');
    checkDepth(parse(text), 3);
  });

  it('locates the error of a document without locations', () => {
    const text = '{\n  a { b { c } }\n}';
    const located = catchRejection(() => checkDepth(parse(text), 2)).errors;
    const light = parse(text, { noLocation: true });
    expect(located[0]?.locations?.[0]?.line).toBe(2);
    expect(catchRejection(() => checkDepth(light, 2, () => parse(text))).errors).toEqual(located);
  });

  it('does not count introspection', () => {
    checkDepth(parse('{ __schema { types { fields { name } } } a }'), 1);
  });
});
