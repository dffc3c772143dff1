import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findDuplicateKey } from '../../../../rest-facade/request/find-duplicate-key.ts';

describe('findDuplicateKey', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1 , "b":{"a":1,"c":2,\n"c" :3}}', 'c'],
    ['[{"a":1},{"a":1,"\\u0061":2}]', 'a'],
    ['{"":1,"":2}', ''],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
  ])('finds the duplicate key in %s', (text, key) => {
    expect(findDuplicateKey(text)).toBe(key);
  });

  it.each(['{}', '[]', '"a"', '{"a":"a","b":["a","a"]}', '{"a":{"a":{"a":1}},"b":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"x\\":","b":1}'])(
    'finds no duplicate key in %s',
    (text) => {
      expect(findDuplicateKey(text)).toBeUndefined();
    },
  );

  it('finds no duplicate key in the output of `JSON.stringify`', () => {
    fc.assert(fc.property(fc.json(), (text) => findDuplicateKey(JSON.stringify(JSON.parse(text))) === undefined));
  });

  it('reads a million brackets without recursion', () => {
    expect(findDuplicateKey(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)).toBeUndefined();
  });
});
