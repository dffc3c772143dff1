import { describe, expect, it } from '@jest/globals';
import { createBudgets } from '../../../../gateway/budget/budgets.ts';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';
import type { ExecutionResult, ExecutionRun } from '../../../../gateway/execution/executable-operation.ts';
import { OperationRejected } from '../../../../gateway/operation/operation-rejected.ts';
import type { OperationRequest } from '../../../../gateway/pipeline/operation-request.ts';
import type { OperationPlan } from '../../../../gateway/planning/operation-plan.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { EMPTY_PLAN, newGeneration } from '../../../support/gateway/new-generation.ts';
import { newPipeline, requestFor } from '../../../support/gateway/new-pipeline.ts';
import { asErrorOf, rejectionOf } from '../../../support/errors/catch-error.ts';

const MUTATION = 'mutation { rename(id: 1, name: "x") { id } }';
const NO_ERRORS: ExecutionResult = { data: '{"me":{"id":"1"}}', errors: [] };

const catchRejection = async (work: Promise<unknown>): Promise<GatewayError> => asErrorOf(GatewayError, await rejectionOf(work));

async function errorFor(request: OperationRequest, isIntrospectionAllowed = true): Promise<GatewayError> {
  let isRun = false;
  const execute = async () => {
    isRun = true;
    return NO_ERRORS;
  };
  const { pipeline } = await newPipeline({ execute }, { isIntrospectionAllowed });
  const error = await catchRejection(pipeline.execute(request));
  expect(isRun).toBe(false);
  return error;
}

/** Ends when the signal is aborted, like an execution with slow subgraphs. */
function untilAborted({ signal }: ExecutionRun, result?: ExecutionResult): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    const end = (): void => (result === undefined ? reject(signal.reason) : resolve(result));
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
}

describe('createPipeline, with operations that it rejects', () => {
  it.each([
    ['{ me {', 'GRAPHQL_PARSE_FAILED'],
    ['{ nobody }', 'GRAPHQL_VALIDATION_FAILED'],
    ['query A { me { id } } query B { me { id } }', 'OPERATION_RESOLUTION_FAILURE'],
    ['query ($id: ID!) { account(id: $id) { id } }', 'BAD_USER_INPUT'],
    ['subscription { accountRenamed { id } }', 'BAD_REQUEST'],
  ])('rejects %s as %s and executes nothing', async (text, code) => {
    const error = await errorFor(requestFor(text));
    expect(error).toBeInstanceOf(OperationRejected);
    expect(error.code).toBe(code);
  });

  it('rejects an operation name that the document does not contain', async () => {
    expect((await errorFor(requestFor('query A { me { id } }', { operationName: 'B' }))).code).toBe('OPERATION_RESOLUTION_FAILURE');
  });

  it('names the `Accept` header for a subscription on a query-only transport', async () => {
    const error = await errorFor(requestFor('subscription { accountRenamed { id } }', { queryOnly: true }));
    expect(error).toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
      message: 'A subscription with GET requires the header Accept: text/event-stream.',
    });
  });

  it('rejects a mutation on a query-only transport with METHOD_NOT_ALLOWED and `Allow`', async () => {
    const error = await errorFor(requestFor(MUTATION, { queryOnly: true }));
    expect(error).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405, headers: { allow: 'POST' } });
  });

  it.each([
    '{ __schema { description } }',
    '{ a: __type(name: "Account") { name } me { id } }',
    '{ ...F } fragment F on Query { __schema { description } }',
  ])('rejects %s with INTROSPECTION_DISABLED when introspection is disabled', async (text) => {
    expect((await errorFor(requestFor(text), false)).code).toBe('INTROSPECTION_DISABLED');
  });

  it('throws NO_SUPERGRAPH without a supergraph', async () => {
    const { pipeline, generations } = await newPipeline();
    await generations[Symbol.asyncDispose]();
    expect((await catchRejection(pipeline.execute(requestFor('{ me { id } }')))).code).toBe('NO_SUPERGRAPH');
  });

  it('throws internal errors unchanged', async () => {
    const failure = new TypeError('Simulated defect.');
    const { pipeline } = await newPipeline({ execute: () => Promise.reject(failure) });
    await expect(pipeline.executeToObject(requestFor('{ me { id } }'))).rejects.toBe(failure);
  });
});

describe('createPipeline, on timeouts and client disconnects', () => {
  const request = requestFor('{ me { id } products { upc } }');

  it('returns GATEWAY_TIMEOUT for an execution that never ends and ignores its signal', async () => {
    const { pipeline } = await newPipeline({ execute: () => new Promise(() => {}) }, { operationTimeoutMs: 10 });
    const error = await catchRejection(pipeline.execute(request));
    expect(error).toMatchObject({ code: 'GATEWAY_TIMEOUT', status: 503, headers: { 'retry-after': '1' } });
  });

  it('returns GATEWAY_TIMEOUT for planning that never ends', async () => {
    const plan = () => new Promise<never>(() => {});
    const { pipeline } = await newPipeline({ plan }, { operationTimeoutMs: 10 });
    expect((await catchRejection(pipeline.execute(request))).code).toBe('GATEWAY_TIMEOUT');
  });

  it.each(['null', '{"me":null,"products":null}', '{}'])('returns GATEWAY_TIMEOUT when only %s arrived by the deadline', async (data) => {
    const late = { data, errors: [{ message: 'too long', code: 'GATEWAY_TIMEOUT', path: ['me'] }] };
    const { pipeline } = await newPipeline({ execute: (run) => untilAborted(run, late) }, { operationTimeoutMs: 10 });
    expect((await catchRejection(pipeline.execute(request))).code).toBe('GATEWAY_TIMEOUT');
  });

  it('returns partial data that arrived by the deadline', async () => {
    const late = { data: '{"me":null,"products":[]}', errors: [{ message: 'too long', code: 'GATEWAY_TIMEOUT', path: ['me'] }] };
    const { pipeline } = await newPipeline({ execute: (run) => untilAborted(run, late) }, { operationTimeoutMs: 10 });
    expect(await pipeline.executeToObject(request)).toMatchObject({
      data: { me: null, products: [] },
      facts: { errorCodes: ['GATEWAY_TIMEOUT'] },
    });
  });

  it('returns null data that arrived before the deadline as a result', async () => {
    const { pipeline } = await newPipeline({ execute: async () => ({ data: 'null', errors: [{ message: 'no', code: 'FORBIDDEN' }] }) });
    expect((await pipeline.executeToObject(request)).data).toBeNull();
  });

  it('aborts a query when the client disconnects and throws the reason', async () => {
    const client = new AbortController();
    const seen: AbortSignal[] = [];
    const execute = (run: ExecutionRun): Promise<ExecutionResult> => {
      seen.push(run.signal);
      client.abort(new Error('left'));
      return untilAborted(run);
    };
    const { pipeline } = await newPipeline({ execute });
    await expect(pipeline.execute({ ...request, signal: client.signal })).rejects.toThrow('left');
    expect(seen.map((signal) => signal.aborted)).toEqual([true]);
  });

  it('executes nothing if the client has already disconnected', async () => {
    const { pipeline } = await newPipeline({ execute: () => Promise.reject(new Error('executed')) });
    await expect(pipeline.execute({ ...request, signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
  });

  it('completes a mutation when the client disconnects', async () => {
    const client = new AbortController();
    const execute = async ({ signal }: ExecutionRun): Promise<ExecutionResult> => {
      client.abort();
      return signal.aborted ? Promise.reject(new Error('stopped')) : NO_ERRORS;
    };
    const { pipeline } = await newPipeline({ execute });
    expect((await pipeline.execute(requestFor(MUTATION, { signal: client.signal }))).body).toBe('{"data":{"me":{"id":"1"}}}');
  });
});

describe('createPipeline, with operations that it executes', () => {
  it('passes the coerced variables and the caller to the execution', async () => {
    const runs: ExecutionRun[] = [];
    const { pipeline } = await newPipeline({
      execute: async (run) => {
        runs.push(run);
        return NO_ERRORS;
      },
    });
    const request = requestFor('query ($id: ID!, $n: Int = 3) { account(id: $id) { id } products(first: $n) { upc } }', {
      variables: { id: 7, other: 1 },
    });
    await pipeline.execute(request);
    expect(Object.values(runs[0]?.variables ?? {})).toEqual(['7', 3]);
    expect(runs[0]?.context).toMatchObject({ principal: request.principal, correlationId: 'trace-1', headers: {} });
  });

  it('writes errors before the data, each with only its code and request id', async () => {
    const error = { message: 'No "email".', code: 'FORBIDDEN', path: ['me', 'friends', 0] };
    const { pipeline } = await newPipeline({
      execute: async () => ({ data: '{"me":null}', errors: [error, { message: 'x', code: 'CONFLICT' }] }),
    });
    const { body, facts } = await pipeline.execute(requestFor('{ me { id } }'));
    expect(body).toBe(
      '{"errors":[{"message":"No \\"email\\".","path":["me","friends",0],"extensions":{"code":"FORBIDDEN","requestId":"trace-1"}},' +
        '{"message":"x","extensions":{"code":"CONFLICT","requestId":"trace-1"}}],"data":{"me":null}}',
    );
    expect(facts).toEqual({ errorCodes: ['FORBIDDEN', 'CONFLICT'] });
  });

  it('returns the same values as an object and as text', async () => {
    const { pipeline } = await newPipeline({
      execute: async () => ({ data: '{"me":{"id":"1"}}', errors: [{ message: 'x', code: 'CONFLICT' }] }),
    });
    const { facts: textFacts, body } = await pipeline.execute(requestFor('{ me { id } }'));
    const { facts, text = '', ...values } = await pipeline.executeToObject(requestFor('{ me { id } }'));
    expect(values).toEqual(JSON.parse(body));
    expect(JSON.parse(text)).toEqual(values.data);
    expect(facts).toEqual(textFacts);
  });

  it('omits the errors of a response without errors', async () => {
    const { pipeline } = await newPipeline({ execute: async () => NO_ERRORS });
    expect(await pipeline.execute(requestFor('{ me { id } }'))).toEqual({
      body: '{"data":{"me":{"id":"1"}}}',
      facts: { errorCodes: [] },
    });
    expect(await pipeline.executeToObject(requestFor('{ me { id } }'))).toEqual({
      data: { me: { id: '1' } },
      text: '{"me":{"id":"1"}}',
      errors: [],
      facts: { errorCodes: [] },
    });
  });

  it('executes `__typename` when introspection is disabled', async () => {
    const { pipeline } = await newPipeline(
      { execute: async () => ({ data: '{"__typename":"Query"}', errors: [] }) },
      { isIntrospectionAllowed: false },
    );
    expect((await pipeline.executeToObject(requestFor('{ __typename }'))).data).toEqual({ __typename: 'Query' });
  });

  it('executes a prepared document on its own generation after a reload', async () => {
    const { pipeline, generations } = await newPipeline({ execute: async () => ({ data: '{"old":1}', errors: [] }) });
    using pin = generations.pin();
    const prepared = pin.generation.prepare('{ me { id } }');
    await generations.load(() => newGeneration({ execute: async () => ({ data: '{"new":1}', errors: [] }) }));
    const request = requestFor('', { document: { prepared } });
    expect((await pipeline.execute({ ...request, generation: pin.generation })).body).toBe('{"data":{"old":1}}');
    expect((await pipeline.execute(request)).body).toBe('{"data":{"new":1}}');
  });

  it('disposes of an old generation only after its running operations', async () => {
    const steps: string[] = [];
    const { promise, finish } = gate();
    const { pipeline, generations } = await newPipeline({
      execute: () => promise.then(() => NO_ERRORS),
      onDispose: (what) => void (what === 'executor' && steps.push('disposed')),
    });
    const running = pipeline.execute(requestFor('{ me { id } }')).then(() => steps.push('answered'));
    await generations.load(() => newGeneration());
    expect(steps).toEqual([]);
    finish();
    await running;
    await new Promise(setImmediate);
    expect(steps.sort()).toEqual(['answered', 'disposed']);
  });
});

function gate(): { promise: Promise<void>; finish: () => void } {
  let finish = (): void => {};
  const promise = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { promise, finish: () => finish() };
}

describe('createPipeline, with anonymous callers that are charged only for rejections', () => {
  /** Executes documents of 12 points each, with a budget of 25 points, until one is limited. @returns their error codes */
  async function codesOf(plan: () => Promise<OperationPlan>): Promise<readonly (string | undefined)[]> {
    const clock = { now: () => Date.now(), monotonic: () => 1_000 };
    const anonymous = { mode: 'rejections', capacity: 25, refillPerSecond: 1 } as const;
    const { budget } = resolveGatewayConfig({ supergraph: { sdl: 'x' }, budget: { mode: 'enforce', anonymous } });
    const budgets = createBudgets(budget, { redis: undefined, clock, sampler: { warn() {} } });
    const { pipeline } = await newPipeline({ plan, execute: async () => NO_ERRORS });
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < 4; n += 1) {
      const request = requestFor(`{ me { id } } # ${n}`.padEnd(12 * 1_024, 'x'), { remoteAddress: '127.0.0.1' });
      const result = await pipeline.execute({ ...request, budget: budgets.of(request) }).catch((error: unknown) => error);
      codes.push(result instanceof GatewayError ? result.code : undefined);
    }
    return codes;
  }

  it('charges a long document that cannot be planned, although it was valid', async () => {
    const tooComplex = async () => Promise.reject(new OperationRejected('GRAPHQL_VALIDATION_FAILED', [{ message: 'too complex' }]));
    const rejected = 'GRAPHQL_VALIDATION_FAILED';
    expect(await codesOf(tooComplex)).toEqual([rejected, rejected, 'RATE_LIMITED', 'RATE_LIMITED']);
  });

  it('refunds long documents that are executed', async () => {
    expect(await codesOf(async () => EMPTY_PLAN)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
