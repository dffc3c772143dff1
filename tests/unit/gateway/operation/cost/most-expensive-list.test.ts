import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { createCostModel } from '../../../../../gateway/operation/cost/cost-model.ts';
import { findMostExpensiveList } from '../../../../../gateway/operation/cost/most-expensive-list.ts';
import { selectOperation } from '../../../../../gateway/operation/select-operation.ts';
import { doublingFragments } from '../../../../fixtures/fragment-bombs.ts';
import { SHOP } from './shop-graph.ts';

const MODEL = createCostModel(SHOP.schema, SHOP.costRules, ['first']);
const SETTINGS = { assumedListSize: 10, maxPageSize: 100, isPageSizeEnforced: true };

function mostExpensiveIn(text: string, values: Readonly<Record<string, unknown>> = {}) {
  const document = parse(text);
  return findMostExpensiveList({ document, operation: selectOperation(document) }, values, MODEL, SETTINGS);
}

describe('the most expensive list of an operation', () => {
  it.each([
    ['selects no list', '{ user(id: 1) { name } }'],
    ['selects only lists without a cost', '{ user(id: 1) { tags } }'],
    ['selects only introspection', '{ __schema { types { name } } }'],
    ['skips its lists', '{ users @skip(if: true) { id } }'],
  ])('is undefined when the operation %s', (_what, text) => {
    expect(mostExpensiveIn(text)).toBeUndefined();
  });

  it.each<[string, string, string, number]>([
    ['is the inner list, which has the most items', '{ users { friends { name } } }', 'User.friends', 100],
    ['is the outer list when the inner one is empty', '{ users { id tags } }', 'Query.users', 10],
    [
      'counts all positions of a list',
      '{ a: user(id: 1) { friends { id } } b: user(id: 2) { friends { id } } fixed { id } }',
      'User.friends',
      20,
    ],
    ['multiplies nested lists', '{ grid { id } users { id } }', 'Query.grid', 100],
    ['counts selections of fragments', '{ users { ...F } } fragment F on User { ... on Node { id } friends { id } }', 'User.friends', 100],
    ['includes single objects of its items', '{ fixed { id } found { ... on Post { author { id } } } }', 'Query.found', 10],
  ])('%s', (_what, text, coordinate, items) => {
    expect(mostExpensiveIn(text)).toMatchObject({ coordinate, items });
  });

  it('is the field with the slicing argument when the list is in a page', () => {
    const text = 'query ($n: Int) { posts(first: $n) { nodes { author { id } } } users { id } }';
    expect(mostExpensiveIn(text, { n: 50 })).toEqual({ coordinate: 'Query.posts', items: 50, slicingArguments: ['first'] });
    expect(mostExpensiveIn(text, { n: 0 })).toEqual({ coordinate: 'Query.users', items: 10, slicingArguments: [] });
  });

  it('is found before fragments whose spreads double 40 times', () => {
    const text = `{ users { id } user(id: 1) { ...F0 } } ${doublingFragments(40, 'User')}`;
    expect(mostExpensiveIn(text)).toMatchObject({ coordinate: 'Query.users', items: 10 });
  });
});
