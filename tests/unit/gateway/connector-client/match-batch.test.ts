import { describe, expect, it } from '@jest/globals';
import { Kind, parse, type SelectionSetNode } from 'graphql';
import { compileKeys, matchBatch } from '../../../../gateway/connector-client/match-batch.ts';

function keysOf(...fields: readonly string[]) {
  return compileKeys(
    fields.map((key): SelectionSetNode => {
      const [definition] = parse(`{ ${key} }`).definitions;
      if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The key is no selection.');
      return definition.selectionSet;
    }),
  );
}

const found = (id: unknown) => ({ id, name: `Name of ${String(id)}` });

describe('matchBatch', () => {
  it.each([
    ['in the order of the representations', ['1', '2', '3'], ['1', '2', '3']],
    ['in another order', ['3', '1', '2'], ['1', '2', '3']],
    ['with numbers as ids', [1, 2, 3], ['1', '2', '3']],
    ['with additional results', ['1', '9', '2', '3'], ['1', '2', '3']],
    ['with an id that begins like JSON', ['["1"]', '2'], ['["1"]', '2']],
  ])('matches results %s', (_what, results, ids) => {
    const matched = matchBatch(
      results.map(found),
      ids.map((id) => ({ id })),
      keysOf('id'),
    );
    expect(matched?.map((one) => String((one as { readonly id: unknown } | undefined)?.id))).toEqual(ids);
  });

  it.each([
    ['one result is missing', ['1', '3'], [true, false, true]],
    ['one result has another id', ['1', '8', '3'], [true, false, true]],
    ['one result has no id', ['1', undefined, '3'], [true, false, true]],
    ['there are none', [], [false, false, false]],
  ])('leaves entities without a result undefined if %s', (_what, results, isFound) => {
    const matched = matchBatch(
      results.map(found),
      ['1', '2', '3'].map((id) => ({ id })),
      keysOf('id'),
    );
    expect(matched?.map((one) => one !== undefined)).toEqual(isFound);
  });

  it('ignores results that are null, and is undefined for others that are no objects', () => {
    expect(matchBatch([null, found('1')], [{ id: '1' }], keysOf('id'))).toEqual([found('1')]);
    expect(matchBatch([['1']], [{ id: '1' }], keysOf('id'))).toBeUndefined();
    expect(matchBatch({ id: '1' }, [{ id: '1' }], keysOf('id'))).toBeUndefined();
  });

  it('compares all fields of a key, and tries each key', () => {
    const results = [
      { owner: { id: '1' }, number: 2, sku: 'a' },
      { owner: { id: '1' }, number: 1, sku: 'b' },
    ];
    const representations = [{ owner: { id: '1' }, number: 1 }, { sku: 'a' }];
    expect(matchBatch(results, representations, keysOf('owner { id } number', 'sku'))).toEqual([results[1], results[0]]);
  });
});
