import { describe, expect, it } from '@jest/globals';
import { OperationRefused } from '../../../../../gateway/operation/operation-refused.ts';
import type { LimitMode } from '../../../../../gateway/operation/limits/limit-mode.ts';
import { createCostLimit } from '../../../../../gateway/pipeline/stages/charge.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { newPipeline, requestFor } from '../../../../support/gateway/new-pipeline.ts';

const ANSWER = { data: '{"me":{"name":"Ada"}}', errors: [] };
const ASKED = { 'gatefold-cost': '1' };

/** The estimated cost of this operation is 1 + 10. */
const TEXT = '{ me { offers { title } } }';

async function pipelineWith({
  maxCost = 5_000,
  mode = 'enforce',
  tellsCost = false,
}: {
  maxCost?: number;
  mode?: LimitMode;
  tellsCost?: boolean;
}) {
  const runs: unknown[] = [];
  const lines: unknown[] = [];
  const logger = { ...silentLogger, warn: (facts: unknown) => void lines.push(facts) };
  const execute = async (run: unknown) => {
    runs.push(run);
    return ANSWER;
  };
  const { pipeline } = await newPipeline({ execute }, { limitCost: createCostLimit({ maxCost, mode, logger }), reportsCost: tellsCost });
  return { pipeline, runs, lines };
}

describe('the cost limit of an operation', () => {
  it('rejects an operation above the limit with its cost and sends no subgraph request', async () => {
    const { pipeline, runs } = await pipelineWith({ maxCost: 10 });
    for (const execute of [pipeline.execute, pipeline.executeToObject]) {
      const refusal = await execute(requestFor(TEXT)).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(OperationRefused);
      expect(refusal).toMatchObject({ code: 'COST_LIMIT_EXCEEDED', status: 400, faults: [{ cost: { estimated: 11, limit: 10 } }] });
    }
    expect(runs).toEqual([]);
  });

  it('executes an operation at the limit without reporting its cost', async () => {
    const { pipeline } = await pipelineWith({ maxCost: 11 });
    expect((await pipeline.execute(requestFor(TEXT, { headers: ASKED }))).body).toBe('{"data":{"me":{"name":"Ada"}}}');
  });

  it('executes operations above a measured limit and logs each of them once', async () => {
    const { pipeline, lines } = await pipelineWith({ maxCost: 10, mode: 'measure' });
    await pipeline.execute(requestFor(TEXT));
    await pipeline.execute(requestFor(TEXT));
    expect(lines).toEqual([{ estimated: 11, limit: 10 }]);
  });

  it('reports estimated and actual cost only to clients that request it, if enabled', async () => {
    const { pipeline } = await pipelineWith({ tellsCost: true });
    const told = await pipeline.execute(requestFor('{ me { name } }', { headers: ASKED }));
    expect(JSON.parse(told.body)).toEqual({ data: { me: { name: 'Ada' } }, extensions: { cost: { estimated: 1, actual: 1 } } });
    expect((await pipeline.execute(requestFor('{ me { name } }'))).body).toBe('{"data":{"me":{"name":"Ada"}}}');
  });
});
