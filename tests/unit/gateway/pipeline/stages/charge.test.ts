import { describe, expect, it } from '@jest/globals';
import { reportCost } from '../../../../../gateway/hooks/built-in/report-cost.ts';
import { OperationRejected } from '../../../../../gateway/operation/operation-rejected.ts';
import type { CostLimitMode } from '../../../../../gateway/operation/limits/limit-mode.ts';
import { createCostLimit } from '../../../../../gateway/pipeline/stages/charge.ts';
import { createLogSampler } from '../../../../../gateway/platform/log-sampler.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { DEFAULT_LIMITS } from '../../../../support/gateway/default-limits.ts';
import type { Overrides } from '../../../../support/gateway/new-generation.ts';
import { loadStorefront } from '../../../../fixtures/storefront/storefront.ts';
import { hooksOf } from '../../../../support/gateway/hooks-of.ts';
import { newPipeline, requestFor } from '../../../../support/gateway/new-pipeline.ts';

const RESPONSE = { data: '{"me":{"name":"Ada"}}', errors: [] };
const REQUESTED = { 'gatefold-cost': '1' };

const SOME_SIZE = { slicingArguments: [], sizedFields: [], requiresOneSlicingArgument: false };

/** The estimated cost of this operation is 1 + 10. */
const TEXT = '{ me { offers { title } } }';

async function pipelineWith({
  maxCost = 5_000,
  mode = 'enforce',
  exposesCost = false,
  ...overrides
}: {
  maxCost?: number;
  mode?: CostLimitMode;
  exposesCost?: boolean;
  loaded?: NonNullable<Overrides['loaded']>;
}) {
  const runs: unknown[] = [];
  const lines: unknown[] = [];
  const logger = { ...silentLogger, warn: (facts: unknown) => void lines.push(facts) };
  const execute = async (run: unknown) => {
    runs.push(run);
    return RESPONSE;
  };
  const sampler = createLogSampler({ logger, clock: { monotonic: () => 0 } });
  const limitCost = createCostLimit({ maxCost, isMeasuredByOperator: () => mode === 'measure', logger, sampler });
  const limits = { ...DEFAULT_LIMITS, modes: { cost: mode } };
  const { pipeline } = await newPipeline(
    { execute, settings: { limits }, ...overrides },
    { limitCost, hooks: exposesCost ? hooksOf(reportCost()) : undefined, sampler },
  );
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
    expect(lines).toEqual([{ estimated: 11, limit: 10, list: 'Account.offers', items: 10 }]);
  });

  it('names the most expensive list, and what the client and the operator can do', async () => {
    const { pipeline, lines } = await pipelineWith({ maxCost: 10 });
    const error = await pipeline.execute(requestFor(`query Offers ${TEXT}`)).catch((error: unknown) => error);
    expect(error).toMatchObject({
      message:
        'The estimated cost of the operation is 11 points; at most 10 are allowed. The most expensive list is "Account.offers" with an estimated 10 items. ' +
        'Request fewer nested lists or fewer fields. The operator of the gateway can define the size of this list with @listSize on "Account.offers", or increase limits.maxCost.',
    });
    expect(lines).toMatchObject([{ setting: 'limits.maxCost', code: 'COST_LIMIT_EXCEEDED', caller: 'anonymous', operation: 'Offers' }]);
  });

  it('names no list for an operation without lists', async () => {
    const { pipeline } = await pipelineWith({ maxCost: 1 });
    const error = await pipeline.execute(requestFor('{ a: me { name } b: me { name } }')).catch((error: unknown) => error);
    expect(error).toMatchObject({
      message:
        'The estimated cost of the operation is 2 points; at most 1 are allowed. Request fewer fields. The operator of the gateway can increase limits.maxCost.',
    });
  });

  it.each([
    ['@listSize', { weights: new Map(), listSizes: new Map([['Query.some', SOME_SIZE]]) }],
    ['@cost', { weights: new Map([['Query.some', 1]]), listSizes: new Map() }],
  ])('rejects in mode `auto` when the supergraph uses %s', async (_directive, costRules) => {
    const { pipeline } = await pipelineWith({ maxCost: 10, mode: 'auto', loaded: { ...loadStorefront(), costRules } });
    await expect(pipeline.execute(requestFor(TEXT))).rejects.toMatchObject({ code: 'COST_LIMIT_EXCEEDED' });
  });

  it('executes in mode `auto` when the supergraph uses neither, and samples the log', async () => {
    const costRules = { weights: new Map(), listSizes: new Map() };
    const { pipeline, lines, runs } = await pipelineWith({ maxCost: 10, mode: 'auto', loaded: { ...loadStorefront(), costRules } });
    await pipeline.execute(requestFor(TEXT));
    await pipeline.execute(requestFor('{ me { offers { title __typename } } }'));
    expect(runs).toHaveLength(2);
    expect(lines).toEqual([{ estimated: 11, limit: 10, list: 'Account.offers', items: 10 }]);
  });

  it('reports estimated and actual cost only to clients that request it, if enabled', async () => {
    const { pipeline } = await pipelineWith({ exposesCost: true });
    const reported = await pipeline.execute(requestFor('{ me { name } }', { headers: REQUESTED }));
    expect(JSON.parse(reported.body)).toEqual({ data: { me: { name: 'Ada' } }, extensions: { cost: { estimated: 1, actual: 1 } } });
    expect((await pipeline.execute(requestFor('{ me { name } }'))).body).toBe('{"data":{"me":{"name":"Ada"}}}');
  });
});
