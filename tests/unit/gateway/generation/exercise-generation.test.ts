import { describe, expect, it } from '@jest/globals';
import { exerciseGeneration } from '../../../../gateway/generation/exercise-generation.ts';
import { createGenerations } from '../../../../gateway/generation/generations.ts';
import { writeSampleOperations } from '../../../../gateway/generation/sample-operations.ts';
import { OperationRejected } from '../../../../gateway/operation/operation-rejected.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { EMPTY_PLAN, newGeneration } from '../../../support/gateway/new-generation.ts';

const NEVER = new AbortController().signal;

describe('the exercise of a generation', () => {
  it('plans and executes each generated operation, and stores none', async () => {
    const planned: string[] = [];
    let executed = 0;
    const generation = newGeneration({
      plan: async ({ document }) => {
        planned.push(document);
        return EMPTY_PLAN;
      },
      execute: async () => {
        executed += 1;
        return { data: '{}', errors: [] };
      },
    });
    await exerciseGeneration(generation, { count: 12, isBusy: () => false, signal: NEVER });
    expect(planned.length).toBeGreaterThan(9);
    expect(executed).toBe(12);
    for (const document of writeSampleOperations(generation.schema, 12)) expect(generation.isPrepared(document)).toBe(false);
    expect(await generation.mostUsed?.(100)).toEqual([]);
  });

  it('does not remove what clients have requested before', async () => {
    const generation = newGeneration();
    const [, ...others] = writeSampleOperations(generation.schema, 3);
    generation.prepareOperation('{ me { id } }');
    await exerciseGeneration(generation, { count: 3, isBusy: () => false, signal: NEVER });
    expect(generation.isPrepared('{ me { id } }')).toBe(true);
    expect(others.some((document) => generation.isPrepared(document))).toBe(false);
  });

  it('skips operations that are rejected', async () => {
    let calls = 0;
    const plan = async () => {
      calls += 1;
      if (calls === 2) throw new OperationRejected('GRAPHQL_VALIDATION_FAILED', [{ message: 'It is too complex.' }]);
      return EMPTY_PLAN;
    };
    await exerciseGeneration(newGeneration({ plan }), { count: 6, isBusy: () => false, signal: NEVER });
    expect(calls).toBeGreaterThan(3);
  });

  it('ends when the gateway closes', async () => {
    const controller = new AbortController();
    let calls = 0;
    const plan = async () => {
      calls += 1;
      controller.abort();
      return EMPTY_PLAN;
    };
    await exerciseGeneration(newGeneration({ plan }), { count: 20, isBusy: () => false, signal: controller.signal });
    expect(calls).toBe(1);
  });

  it('waits while the gateway has requests, and ends when it has them for long', async () => {
    let looks = 0;
    let calls = 0;
    const plan = async () => {
      calls += 1;
      return EMPTY_PLAN;
    };
    const isBusy = (): boolean => {
      looks += 1;
      return looks > 3;
    };
    await exerciseGeneration(newGeneration({ plan }), { count: 20, isBusy, signal: NEVER });
    expect(looks).toBeGreaterThan(20);
    expect(calls).toBeLessThanOrEqual(3);
  });

  it('pins the generation that is served, and is skipped without one', async () => {
    const generations = createGenerations({ logger: silentLogger });
    await generations.exercise(5);
    const disposed: string[] = [];
    await generations.load(() => newGeneration({ onDispose: (what) => void disposed.push(what) }));
    const exercising = generations.exercise(5);
    await generations.load(() => newGeneration());
    expect(disposed).toEqual([]);
    await exercising;
    await new Promise((resolve) => setImmediate(resolve));
    expect(disposed).toEqual(['planner', 'executor']);
  });
});
