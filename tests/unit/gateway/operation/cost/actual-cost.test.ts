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

describe("compileActualCost, with `__typename` under the key of another type's field", () => {
  const LEAF = '{ node { ... on User { kind: __typename } ... on Post { kind } } }';
  const OBJECT = '{ node { ... on User { author: __typename } ... on Post { author { id } } } }';

  it.each([
    ['a leaf', LEAF, { kind: 'User' }],
    ['an object', OBJECT, { author: 'User' }],
  ])('does not charge for the key of %s when its value is a type name', (_what, text, node) => {
    expect(actualCostOf(text, { node })).toBe(actualCostOf('{ node { id } }', { node: { id: '1' } }));
  });

  it.each([
    ['a leaf', LEAF, { kind: 'NEWS' }, 1],
    ['an object', OBJECT, { author: { id: '1' } }, 1],
  ])('charges for the key of %s when it contains the value of the field', (_what, text, node, cost) => {
    expect(actualCostOf(text, { node }) - actualCostOf('{ node { id } }', { node: { id: '1' } })).toBe(cost);
  });
});
