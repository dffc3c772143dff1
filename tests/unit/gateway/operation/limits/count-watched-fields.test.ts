import { describe, expect, it } from '@jest/globals';
import { countWatchedFields } from '../../../../../gateway/operation/limits/measure-operation.ts';
import { outlineDocument } from '../../../../../gateway/operation/limits/outline-document.ts';
import { circleOfFragments, doublingFragments } from '../../../../fixtures/fragment-bombs.ts';

function countOf(text: string, name = 'pay'): number | undefined {
  const outline = outlineDocument(text, { maxTokens: 1_000_000, watched: [name] });
  const [operation] = outline?.operations ?? [];
  if (outline === undefined || operation === undefined) throw new Error('The test document has no operation.');
  return countWatchedFields(outline, operation).get(name);
}

describe('countWatchedFields', () => {
  it.each([
    ['two aliases', 'mutation { a: pay b: pay }'],
    ['the field twice', 'mutation { pay pay }'],
    ['one in an inline fragment', 'mutation { pay ... { ... on Mutation { b: pay } } }'],
    ['a fragment that is spread twice', 'mutation { ...A ...A } fragment A on Mutation { pay }'],
    [
      'a fragment in two others',
      'mutation { ...A ...B } fragment A on Mutation { ...C } fragment B on Mutation { ...C } fragment C on Mutation { pay }',
    ],
    ['doubling fragments', `mutation { ...F0 } ${doublingFragments(300, 'Mutation').replace('{name}', '{pay}')}`],
    ['a cycle that contains it', `mutation { ...F0 } ${circleOfFragments(50).replaceAll('{name', '{pay')}`],
    ['any number of them', `mutation { ${'pay '.repeat(500)} }`],
  ])('stops counting at two for %s', (_what, text) => {
    expect(countOf(text)).toBe(2);
  });

  it.each([
    ['one field', 'mutation { pay other { pay } }', 1],
    ['no field', 'mutation { other { pay } ...Unknown }', undefined],
    ['no field in a cycle', 'mutation { ...A } fragment A on Mutation { other ...B } fragment B on Mutation { other }', undefined],
    ['one field next to fragments without it', 'mutation { ...A ...A pay } fragment A on Mutation { other }', 1],
  ])('counts %s exactly', (_what, text, expected) => {
    expect(countOf(text)).toBe(expected);
  });

  it('handles inline fragments that are nested deeper than any stack', () => {
    expect(countOf(`mutation ${'{...'.repeat(50_000)}{pay}${'}'.repeat(50_000)}`)).toBe(1);
  });
});
