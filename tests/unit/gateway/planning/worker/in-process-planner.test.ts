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
    [new TypeError('no edge'), 'INTERNAL_SERVER_ERROR'],
    [new RangeError('Maximum call stack size exceeded'), 'GRAPHQL_VALIDATION_FAILED'],
  ])('given a planner that throws %s, when planning, then it fails with %s, as it would in a thread', async (error, code) => {
    const planned = createInProcessPlanner({ plan: throwing(error) }).plan(INPUT);
    await expect(planned).rejects.toMatchObject({ code });
    const isUnplannable = code === 'INTERNAL_SERVER_ERROR';
    await (isUnplannable ? expect(planned).rejects : expect(planned).rejects.not).toBeInstanceOf(OperationUnplannable);
  });

  it('given a planner, when planning, then its plan is given', async () => {
    await expect(createInProcessPlanner({ plan: () => EMPTY_PLAN }).plan(INPUT)).resolves.toBe(EMPTY_PLAN);
  });
});
