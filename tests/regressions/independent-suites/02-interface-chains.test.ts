import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import {
  OWNER_DIFFERENCES,
  differingOwners,
  interfaceChain,
  nested,
  keyedEntities,
  ownedFields,
  spreadEntities,
  unionChain,
  type PlannerShape,
} from '../../../bench/planner/shapes.ts';
import { compilePlan } from '../../../gateway/execution/plan/compile-plan.ts';
import { type QueryPlannerOptions, createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import type { OperationPlan } from '../../../gateway/planning/operation-plan.ts';

function planOf({ supergraphSdl }: PlannerShape, document: string, options: QueryPlannerOptions = {}): OperationPlan {
  return createQueryPlanner(supergraphSdl, options).plan({ document, conditions: {}, labels: [] });
}

/** Returns the texts of all requests of a plan. */
function requestTexts(plan: OperationPlan): readonly string[] {
  const compiled = compilePlan({ plan, isInterface: () => false, clientVariables: new Set() }).plan;
  return compiled.fetches.map(({ request: { texts } }) => (JSON.parse(`${texts.whole.prefix}}}`) as { readonly query: string }).query);
}

function lengthOfRequests(plan: OperationPlan): number {
  return requestTexts(plan).reduce((sum, text) => sum + text.length, 0);
}

describe('point 2: chains of fields of abstract types', () => {
  it.each([10, 60, 100])('queries only the interface in a chain of an interface of %d types', (types) => {
    const shape = interfaceChain(types, []);
    const plan = planOf(shape, `{ item {${nested(5, 'next { ', 'shared ')}} }`);
    expect(plan.fetches).toHaveLength(1);
    expect(requestTexts(plan)[0]).not.toContain('...on');
  });

  it('makes requests grow linearly with depth for fragments on some types at each level', () => {
    const lengths = [5, 10, 20].map((depth) => {
      const [, fragments, exceptions] = interfaceChain(12, [depth]).operations;
      return [fragments, exceptions].map((operation) => lengthOfRequests(planOf(interfaceChain(12, []), operation?.document ?? '')));
    });
    for (const position of [0, 1]) {
      const [short = 0, medium = 0, long = 0] = lengths.map((each) => each[position] ?? 0);
      expect(long - medium).toBeLessThan(3 * (medium - short));
    }
  });

  it('writes shared fields of union members once for named fragments', () => {
    const shape = unionChain(100, [10]);
    const plan = planOf(shape, shape.operations[0]?.document ?? '');
    expect(plan.fetches).toHaveLength(1);
    const [text = ''] = requestTexts(plan);
    expect(() => parse(text)).not.toThrow();
    expect(text.length).toBeLessThan(5_000);
  });

  it('fetches entities of all types in one request when their selections are equal', () => {
    const shape = keyedEntities(60, 3, [8]);
    for (const { document } of shape.operations) expect(planOf(shape, document).fetches.length).toBeLessThanOrEqual(3);
  });

  it.each([3, 8, 30])('queries each of %d subgraphs once per level when each type has the field in another one', (count) => {
    const depths = count < 30 ? [1, 2, 4, 8] : [1, 3];
    const shape = ownedFields(count, depths);
    const lengths = depths.map((depth, index) => {
      const plan = planOf(shape, shape.operations[index]?.document ?? '', { maxMultiplied: 0 });
      expect(plan.fetches).toHaveLength(1 + count * depth);
      return lengthOfRequests(plan) / (1 + count * depth);
    });
    for (const length of lengths) expect(length).toBeLessThan(1.5 * (lengths[0] ?? 0) + 200);
  });

  it('joins paths of such a chain when they multiply beyond the default', () => {
    const shape = ownedFields(5, [10]);
    expect(planOf(shape, shape.operations[0]?.document ?? '').fetches).toHaveLength(1 + 5 * 10);
  });

  it('fetches each type from the subgraph that resolves it', () => {
    const shape = spreadEntities(6, 3, [3]);
    const plan = planOf(shape, shape.operations[0]?.document ?? '');
    expect(new Set(plan.fetches.map(({ subgraph }) => subgraph)).size).toBe(3);
    expect(plan.fetches.length).toBeLessThanOrEqual(1 + 2 * 3);
  });

  it.each(OWNER_DIFFERENCES)('makes requests grow linearly with depth when the subgraphs have other %s', (difference) => {
    const depths = [4, 8, 12];
    const shape = differingOwners(difference, 4, depths);
    const [short = [], medium = [], long = []] = shape.operations.map(({ document }) => planOf(shape, document).fetches);
    // The outermost values come from a different subgraph than the values inside of them, so only the last levels are equal.
    expect(medium.length - short.length).toBeGreaterThanOrEqual(16);
    expect(medium.length - short.length).toBeLessThanOrEqual(20);
    expect(long.length - medium.length).toBe(medium.length - short.length);
    const lookups = [short, medium, long].map((fetches) => fetches.reduce((sum, fetch) => sum + (fetch.lookups?.length ?? 0), 0));
    expect((lookups[2] ?? 0) - (lookups[1] ?? 0)).toBe((lookups[1] ?? 0) - (lookups[0] ?? 0));
  });

  it('plans such a chain without deferring when its end is deferred', () => {
    const shape = ownedFields(5, []);
    const document = `{ node {${nested(8, 'related { ', 'id ... @defer { __typename }')}} }`;
    const plan = createQueryPlanner(shape.supergraphSdl).plan({ document, conditions: {}, labels: [], isDeferring: true });
    expect(plan.fetches).toHaveLength(1 + 5 * 8);
    expect(plan.fetches.every(({ deferral }) => deferral === undefined)).toBe(true);
  });
});
