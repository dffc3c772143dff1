import { describe, expect, it } from '@jest/globals';
import type { ExecutionResult, ExecutionRun } from '../../../../gateway/execution/executable-operation.ts';
import { RequestState } from '../../../../gateway/hooks/hooked-request.ts';
import type { Pipeline } from '../../../../gateway/pipeline/pipeline.ts';
import type { OperationRequest } from '../../../../gateway/pipeline/operation-request.ts';
import type { PlanInput } from '../../../../gateway/planning/query-planner.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { loadStorefront } from '../../../fixtures/storefront/storefront.ts';
import { newPipeline, type PipelineSettings, requestFor } from '../../../support/gateway/new-pipeline.ts';
import { EMPTY_PLAN, type Overrides } from '../../../support/gateway/new-generation.ts';

async function pipelineWith(overrides: Overrides, settings: Partial<PipelineSettings> = {}): Promise<Pipeline> {
  return (await newPipeline(overrides, settings)).pipeline;
}

/** Creates an execution that ends when the test calls `finish`. */
function held() {
  const runs: ExecutionRun[] = [];
  let finish = (): void => {};
  const open = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const execute = async (run: ExecutionRun): Promise<ExecutionResult> => {
    runs.push(run);
    await open;
    return { data: '{"me":null}', errors: [{ message: 'no', code: 'FORBIDDEN', path: ['me'] }] };
  };
  return { runs, execute, finish: () => finish() };
}

const asUser = (id: string, more: Partial<OperationRequest> = {}): OperationRequest =>
  requestFor('{ me { id } }', { principal: { ...ANONYMOUS, kind: 'user', id }, ...more });

describe('createPipeline, for operations that share a plan', () => {
  it('executes each operation with the names and values of its client', async () => {
    const runs: ExecutionRun[] = [];
    const pipeline = await pipelineWith({
      execute: async (run) => {
        runs.push(run);
        return { data: '{}', errors: [] };
      },
    });
    await pipeline.execute(requestFor('{ a: account(id: 1) { id } }'));
    await pipeline.execute(requestFor('{ b: account(id: 2) { id } }'));
    await pipeline.execute(requestFor('{ me { id } }'));
    expect(runs.map(({ variables, aliases }) => [variables, [...(aliases ?? [])]])).toEqual([
      [{ l0: '1' }, [['__a0', 'a']]],
      [{ l0: '2' }, [['__a0', 'b']]],
      [{}, []],
    ]);
  });

  it('selects @override labels for each request and plans with them', async () => {
    const storefront = loadStorefront();
    const sdl = storefront.sdl.replace(/(\n {2}price[^\n]*graph: PRODUCTS)/, '$1, override: "reviews", overrideLabel: "late"');
    const planned: PlanInput[] = [];
    const plan = async (input: PlanInput) => {
      planned.push(input);
      return EMPTY_PLAN;
    };
    const requested: unknown[] = [];
    const overrideLabels: PipelineSettings['overrideLabels'] = async (labels, { correlationId }) => {
      requested.push([labels, correlationId]);
      return correlationId === 'trace-2' ? labels : [];
    };
    const pipeline = await pipelineWith({ loaded: { ...storefront, sdl }, plan }, { overrideLabels });
    for (const correlationId of ['trace-1', 'trace-2']) await pipeline.execute(requestFor('{ products { price } }', { correlationId }));
    await pipeline.execute(requestFor('{ me { id } }'));
    expect(planned.map(({ labels }) => labels)).toEqual([[], ['late'], []]);
    expect(requested).toEqual([
      [['late'], 'trace-1'],
      [['late'], 'trace-2'],
    ]);
  });
});

describe('createPipeline, for equal concurrent queries', () => {
  async function runsOf(requests: readonly OperationRequest[], options: Partial<PipelineSettings> = { dedupe: { headers: 'all' } }) {
    const { runs, execute, finish } = held();
    const pipeline = await pipelineWith({ execute }, options);
    const results = Promise.all(requests.map((request) => pipeline.executeToObject(request)));
    await new Promise(setImmediate);
    finish();
    return { runs: runs.length, results: await results };
  }

  it.each<[string, readonly OperationRequest[]]>([
    ['different callers', [asUser('1'), asUser('2')]],
    ['different permissions', [asUser('1'), asUser('1', { principal: { ...ANONYMOUS, kind: 'user', id: '1', scopes: new Set(['all']) } })]],
    ['different headers', [asUser('1', { headers: { 'accept-language': 'de' } }), asUser('1', { headers: { 'accept-language': 'en' } })]],
    [
      'different literals',
      [asUser('1', { document: { text: '{ account(id: 1) { id } }' } }), asUser('1', { document: { text: '{ account(id: 2) { id } }' } })],
    ],
    [
      'different aliases',
      [asUser('1', { document: { text: '{ a: me { id } }' } }), asUser('1', { document: { text: '{ b: me { id } }' } })],
    ],
    ['a mutation', [1, 2].map(() => asUser('1', { document: { text: 'mutation { rename(id: 1, name: "x") { id } }' } }))],
  ])('executes each request with %s separately', async (_what, requests) => {
    expect((await runsOf(requests)).runs).toBe(2);
  });

  it('executes equal queries separately when sharing is not enabled', async () => {
    expect((await runsOf([asUser('1'), asUser('1')], {})).runs).toBe(2);
  });

  it('executes queries separately whose hooks have stored state, which connectors read', async () => {
    const requests = ['a', 'b'].map((tenant) => {
      const hooked = new RequestState({ ...asUser('1'), remoteAddress: undefined, operationName: undefined });
      hooked.state.set('tenant', tenant);
      return asUser('1', { hooked });
    });
    expect((await runsOf(requests)).runs).toBe(2);
  });

  it('shares an execution if only headers differ that subgraphs do not receive', async () => {
    const requests = ['de', 'en'].map((language) => asUser('1', { headers: { 'accept-language': language } }));
    expect((await runsOf(requests, { dedupe: { headers: ['authorization'] } })).runs).toBe(1);
  });

  it.each([
    ['a long response without errors', 'x'.repeat(5_000), [], true],
    ['a short response', 'x', [], false],
    ['a response that is sent in pieces', 'x'.repeat(300_000), [], false],
    ['a long response with errors', 'x'.repeat(5_000), [{ message: 'no', code: 'FORBIDDEN' }], false],
  ])('encodes %s once for all callers if that is worth it', async (_what, name, errors, isEncoded) => {
    let finish = (): void => {};
    const open = new Promise<void>((resolve) => void (finish = resolve));
    const data = JSON.stringify({ me: { name } });
    const execute = () => open.then((): ExecutionResult => ({ data, errors }));
    const pipeline = await pipelineWith({ execute }, { dedupe: { headers: 'all' } });
    const results = Promise.all([pipeline.execute(asUser('1')), pipeline.execute(asUser('1'))]);
    await new Promise(setImmediate);
    finish();
    const [first, second] = await results;
    expect([first.body, first.bytes]).toEqual([second.body, second.bytes]);
    expect(first.bytes === second.bytes).toBe(true);
    expect(first.bytes?.toString()).toBe(isEncoded ? first.body : undefined);
  });

  it('returns each caller its own request id from a shared execution', async () => {
    const { runs, results } = await runsOf([asUser('1', { correlationId: 'one' }), asUser('1', { correlationId: 'two' })]);
    expect(runs).toBe(1);
    expect(results.map(({ errors }) => errors[0]?.extensions.requestId)).toEqual(['one', 'two']);
  });

  it('completes the shared execution for the other caller when the first disconnects', async () => {
    const { runs, execute, finish } = held();
    const pipeline = await pipelineWith({ execute }, { dedupe: { headers: 'all' } });
    const leaving = new AbortController();
    const results = Promise.allSettled([
      pipeline.executeToObject(asUser('1', { signal: leaving.signal })),
      pipeline.executeToObject(asUser('1')),
    ]);
    await new Promise(setImmediate);
    leaving.abort(new Error('left'));
    finish();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(runs).toHaveLength(1);
  });
});
