import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { checkDepth } from '../../../../../gateway/operation/limits/check-depth.ts';
import { refusalOf } from '../../../../support/gateway/refusal-of.ts';

describe('checkDepth', () => {
  it.each([
    ['direct', '{ a { b { c } } }'],
    ['in fragments', '{ ...A } fragment A on Query { a { ... { ...B } } } fragment B on A { b { c } }'],
    ['in one of two operations', 'query Q { a } query R { a { b { c } } }'],
  ])(
    'given a document that is %s three levels deep, when two are allowed, then it is refused, and three are not too many',
    (_how, text) => {
      expect(refusalOf(() => checkDepth(parse(text), 2)).code).toBe('DEPTH_LIMIT_EXCEEDED');
      checkDepth(parse(text), 3);
    },
  );

  it('given introspection, when checked, then it does not count', () => {
    checkDepth(parse('{ __schema { types { fields { name } } } a }'), 1);
  });
});
