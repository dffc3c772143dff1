import { describe, expect, it } from '@jest/globals';
import { OperationRejected } from '../../../../../gateway/operation/operation-rejected.ts';
import type { LimitMode } from '../../../../../gateway/operation/limits/limit-mode.ts';
import { createCostLimit } from '../../../../../gateway/pipeline/stages/charge.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { newPipeline, requestFor } from '../../../../support/gateway/new-pipeline.ts';

const RESPONSE = { data: '{"me":{"name":"Ada"}}', errors: [] };
const REQUESTED = { 'gatefold-cost': '1' };

/** The estimated cost of this operation is 1 + 10. */
const TEXT = '{ me { offers { title } } }';

async function pipelineWith({
  maxCost = 5_000,
  mode = 'enforce',
  exposesCost = false,
}: {
  maxCost?: number;
  mode?: LimitMode;
  exposesCost?: boolean;
}) {
  const runs: unknown[] = [];
  const lines: unknown[] = [];
  const logger = { ...silentLogger, warn: (facts: unknown) => void lines.push(facts) };
  const execute = async (run: unknown) => {
    runs.push(run);
    return RESPONSE;
  };
  const { pipeline } = await newPipeline({ execute }, { limitCost: createCostLimit({ maxCost, mode, logger }), reportsCost: exposesCost });
  return { pipeline, runs, lines };
}

describe('the cost limit of an operation', () => {
  it('rejects an operation above the limit with its cost and sends no subgraph request', async () => {
    const { pipeline, runs } = await pipelineWith({ maxCost: 10 });
    for (const execute of [pipeline.execute, pipeline.executeToObject]) {
      const error = await execute(requestFor(TEXT)).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(OperationRejected);
      expect(error).toMatchObject({ code: 'COST_LIMIT_EXCEEDED', status: 400, errors: [{ cost: { estimated: 11, limit: 10 } }] });
    }
    expect(runs).toEqual([]);
  });

  it('executes an operation at the limit without reporting its cost', async () => {
    const { pipeline } = await pipelineWith({ maxCost: 11 });
    expect((await pipeline.execute(requestFor(TEXT, { headers: REQUESTED }))).body).toBe('{"data":{"me":{"name":"Ada"}}}');
  });

  it('executes operations above a measured limit and logs each of them once', async () => {
    const { pipeline, lines } = await pipelineWith({ maxCost: 10, mode: 'measure' });
    await pipeline.execute(requestFor(TEXT));
    await pipeline.execute(requestFor(TEXT));
    expect(lines).toEqual([{ estimated: 11, limit: 10 }]);
  });

  it('reports estimated and actual cost only to clients that request it, if enabled', async () => {
    const { pipeline } = await pipelineWith({ exposesCost: true });
    const reported = await pipeline.execute(requestFor('{ me { name } }', { headers: REQUESTED }));
    expect(JSON.parse(reported.body)).toEqual({ data: { me: { name: 'Ada' } }, extensions: { cost: { estimated: 1, actual: 1 } } });
    expect((await pipeline.execute(requestFor('{ me { name } }'))).body).toBe('{"data":{"me":{"name":"Ada"}}}');
  });
});
