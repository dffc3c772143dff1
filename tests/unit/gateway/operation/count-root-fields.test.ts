import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { countRootFields } from '../../../../gateway/operation/count-root-fields.ts';
import { selectOperation } from '../../../../gateway/operation/select-operation.ts';
import { circleOfFragments, doublingFragments } from './fragment-bombs.ts';

function countOf(text: string, name = 'pay'): number | undefined {
  const document = parse(text);
  return countRootFields(document, selectOperation(document), new Set([name])).get(name);
}

describe('countRootFields', () => {
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
    ['a circle with it', `mutation { ...F0 } ${circleOfFragments(50).replaceAll('{name', '{pay')}`],
    ['any number of them', `mutation { ${'pay '.repeat(500)} }`],
  ])('given %s, when counted, then it is there more than once', (_what, text) => {
    expect(countOf(text)).toBe(2);
  });

  it.each([
    ['one', 'mutation { pay other { pay } }', 1],
    ['none', 'mutation { other { pay } ...Unknown }', undefined],
    ['one in a circle', 'mutation { ...A } fragment A on Mutation { other ...B } fragment B on Mutation { other }', undefined],
    ['one beside fragments without it', 'mutation { ...A ...A pay } fragment A on Mutation { other }', 1],
  ])('given %s, when counted, then that is told', (_what, text, expected) => {
    expect(countOf(text)).toBe(expected);
  });

  it('given inline fragments deeper than any stack, when counted, then it ends', () => {
    const depth = 50_000;
    const selectionSet = { kind: 'SelectionSet', selections: [] } as never;
    let inner: unknown = selectionSet;
    for (let level = 0; level < depth; level += 1)
      inner = { kind: 'SelectionSet', selections: [{ kind: 'InlineFragment', selectionSet: inner }] };
    const operation = { kind: 'OperationDefinition', operation: 'mutation', selectionSet: inner } as never;
    expect(countRootFields({ kind: 'Document', definitions: [operation] } as never, operation, new Set(['pay'])).size).toBe(0);
  });
});
