import { prettyFormatQueryPlan, type QueryPlan } from '@apollo/query-planner';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { OperationRefused } from '../../../../gateway/operation/errors.ts';
import { createPlanner } from '../../../../gateway/planning/create-planner.ts';
import { nestedDocument } from '../operation/nested-document.ts';
import { loadStorefront } from '../../../fixtures/storefront/storefront.ts';

const planner = createPlanner(loadStorefront());

function subgraphsOf(plan: QueryPlan): string[] {
  return [...prettyFormatQueryPlan(plan).matchAll(/service: "(\w+)"/g)].map(([, name]) => name ?? '');
}

describe('createPlanner', () => {
  it('given nesting that no stack can hold, when planning, then it is refused and not a failure', async () => {
    const deep = nestedDocument({ root: 'products', steps: ['seller', 'offers'], leaf: 'upc', levels: 50_000 });
    await expect(planner.plan(deep)).rejects.toThrow(
      new OperationRefused('GRAPHQL_VALIDATION_FAILED', [{ message: 'The document is nested too deeply.' }]),
    );
  });

  it('given an operation over three subgraphs, when planning, then each is asked in turn', async () => {
    const plan = await planner.plan(parse('{ account(id: "1") { name offers { title reviews { body } } } }'));
    expect(subgraphsOf(plan)).toEqual(['accounts', 'products', 'reviews']);
  });

  it('given an operation by name, when planning, then it is that one', async () => {
    const document = parse('query A { me { id } } query B { products { upc } }');
    expect(subgraphsOf(await planner.plan(document, 'B'))).toEqual(['products']);
  });

  it('given the same operation twice, when planning, then the plans are the same', async () => {
    const document = parse('query A($id: ID!) { account(id: $id) { name offers { title } } }');
    expect(JSON.stringify(await planner.plan(document, 'A'))).toBe(JSON.stringify(await planner.plan(document, 'A')));
  });
});
