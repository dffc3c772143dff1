import { describe, expect, it } from '@jest/globals';
import { OperationUnplannable } from '../../../../../gateway/planning/query-planner.ts';
import type { QueryPlanner } from '../../../../../gateway/planning/query-planner.ts';
import { createInProcessPlanner } from '../../../../../gateway/planning/worker/in-process-planner.ts';
import { EMPTY_PLAN } from '../../../../support/gateway/new-generation.ts';

const INPUT = { document: '{ me { id } }', conditions: {}, labels: [] };

function throwing(error: Error): QueryPlanner['plan'] {
  return () => {
    throw error;
  };
}

describe('createInProcessPlanner', () => {
  it.each([
    [new TypeError('Simulated defect.'), 'INTERNAL_SERVER_ERROR'],
    [new RangeError('Maximum call stack size exceeded'), 'GRAPHQL_VALIDATION_FAILED'],
  ])('turns the planner error %s into %s, as a thread does', async (error, code) => {
    const planned = createInProcessPlanner({ plan: throwing(error) }).plan(INPUT);
    await expect(planned).rejects.toMatchObject({ code });
    const isUnplannable = code === 'INTERNAL_SERVER_ERROR';
    await (isUnplannable ? expect(planned).rejects : expect(planned).rejects.not).toBeInstanceOf(OperationUnplannable);
  });

  it('returns the plan of the planner', async () => {
    await expect(createInProcessPlanner({ plan: () => EMPTY_PLAN }).plan(INPUT)).resolves.toBe(EMPTY_PLAN);
  });
});
