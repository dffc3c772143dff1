import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { compileActualCost } from '../../../../../gateway/operation/cost/actual-cost.ts';
import { createCostModel } from '../../../../../gateway/operation/cost/cost-model.ts';
import { selectOperation } from '../../../../../gateway/operation/select-operation.ts';
import { SHOP } from './shop-graph.ts';

function actualCostOf(text: string, data: unknown): number {
  const document = parse(text);
  return compileActualCost(document, selectOperation(document), createCostModel(SHOP.schema, SHOP.costRules))({ data, variables: {} });
}

describe('compileActualCost, where one type has __typename under the key of a field of another', () => {
  const LEAF = '{ node { ... on User { kind: __typename } ... on Post { kind } } }';
  const OBJECT = '{ node { ... on User { author: __typename } ... on Post { author { id } } } }';

  it.each([
    ['a leaf', LEAF, { kind: 'User' }],
    ['an object', OBJECT, { author: 'User' }],
  ])('given the key of %s, when it has the name of a type, then that costs nothing', (_what, text, node) => {
    expect(actualCostOf(text, { node })).toBe(actualCostOf('{ node { id } }', { node: { id: '1' } }));
  });

  it.each([
    ['a leaf', LEAF, { kind: 'NEWS' }, 1],
    ['an object', OBJECT, { author: { id: '1' } }, 1],
  ])('given the key of %s, when it has the value of the field, then that costs what it costs', (_what, text, node, cost) => {
    expect(actualCostOf(text, { node }) - actualCostOf('{ node { id } }', { node: { id: '1' } })).toBe(cost);
  });
});
