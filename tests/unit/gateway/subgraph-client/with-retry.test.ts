import { describe, expect, it } from '@jest/globals';
import {
  subgraphInvalidResponse,
  subgraphRejected,
  subgraphTimeout,
  subgraphUnavailable,
} from '../../../../gateway/subgraph-client/failures.ts';
import { createRetryBudget, repeatsQueries, type RetryOptions, withRetry } from '../../../../gateway/subgraph-client/with-retry.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import type { SubgraphExecutor } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { NEVER, REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';

const WELL = { data: { a: 1 } };
const why = new Error('for the test');

/** Creates an executor that throws the given failures in order and then succeeds. */
function retrying(
  failures: readonly unknown[],
  settings: { maxRetries?: number; budgetPercent?: number; random?: () => number; repeats?: RetryOptions['repeats'] } = {},
) {
  const sent: string[] = [];
  const waits: number[] = [];
  const next: SubgraphExecutor = ({ kind }) => {
    const failure = failures[sent.push(kind) - 1];
    return failure === undefined ? Promise.resolve(WELL) : Promise.reject(failure);
  };
  const executor = withRetry(next, {
    maxRetries: settings.maxRetries ?? 3,
    baseDelayMs: 50,
    maxDelayMs: 150,
    budget: createRetryBudget(settings.budgetPercent ?? 10),
    delay: async (ms, signal) => {
      waits.push(ms);
      signal.throwIfAborted();
    },
    random: settings.random ?? (() => 1),
    repeats: settings.repeats ?? repeatsQueries,
    giveUp: (_request, _signal, failure) => {
      throw failure;
    },
  });
  return { executor, sent, waits };
}

describe('withRetry', () => {
  it.each([
    ['a timeout', subgraphTimeout(why, { isOutage: true })],
    ['an invalid response', subgraphInvalidResponse(why)],
    ['an error of a request that may have been processed', subgraphUnavailable(why)],
    ['an open circuit breaker', new GatewayError('CIRCUIT_OPEN', 'open')],
    ['a defect', new TypeError('Simulated defect.')],
  ])('does not retry a query after %s', async (_what, failure) => {
    const { executor, sent } = retrying([failure]);
    await expect(executor(REQUEST, NEVER)).rejects.toBe(failure);
    expect(sent).toHaveLength(1);
  });

  it('does not retry a rejected mutation', async () => {
    const failure = subgraphRejected(why, 0);
    const { executor, sent } = retrying([failure]);
    await expect(executor({ ...REQUEST, kind: 'mutation' }, NEVER)).rejects.toBe(failure);
    expect(sent).toEqual(['mutation']);
  });

  it('resends a request that may take effect only once, if it was certainly not received', async () => {
    const refused = subgraphRejected(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    const reset = subgraphRejected(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    const unsent = retrying([refused], { repeats: () => 'unsent' });
    expect(await unsent.executor(REQUEST, NEVER)).toBe(WELL);
    const received = retrying([reset], { repeats: () => 'unsent' });
    await expect(received.executor(REQUEST, NEVER)).rejects.toBe(reset);
    expect(received.sent).toHaveLength(1);
  });

  it('draws each delay below a limit that doubles up to the maximum', async () => {
    const rejections = Array.from({ length: 3 }, () => subgraphRejected(why));
    const longest = retrying(rejections);
    expect(await longest.executor(REQUEST, NEVER)).toBe(WELL);
    expect(longest.waits).toEqual([50, 100, 150]);
    const half = retrying(rejections, { random: () => 0.5 });
    await half.executor(REQUEST, NEVER);
    expect(half.waits).toEqual([25, 50, 75]);
  });

  it('throws the last error if there are more errors than retries', async () => {
    const rejections = [subgraphRejected(why), subgraphRejected(why), subgraphRejected(why)];
    const { executor, sent } = retrying(rejections, { maxRetries: 2 });
    await expect(executor(REQUEST, NEVER)).rejects.toBe(rejections[2]);
    expect(sent).toHaveLength(3);
  });

  it.each([
    [120, [120]],
    [150, [150]],
    [151, []],
  ])('with Retry-After: %i ms and a maximum of 150 ms, waits for %j ms', async (retryAfterMs, expected) => {
    const { executor, waits } = retrying([subgraphRejected(why, retryAfterMs)]);
    await executor(REQUEST, NEVER).catch(() => {});
    expect(waits).toEqual(expected);
  });

  it('throws the first error if the circuit breaker opens meanwhile', async () => {
    const first = subgraphRejected(why);
    const { executor } = retrying([first, new GatewayError('CIRCUIT_OPEN', 'open')]);
    await expect(executor(REQUEST, NEVER)).rejects.toBe(first);
  });

  it('does not retry after the caller has aborted', async () => {
    const reason = new Error('left');
    const { executor, sent } = retrying([subgraphRejected(why)]);
    await expect(executor(REQUEST, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it('limits 1,000 failing queries to 100 retries and a reserve of ten', async () => {
    const { executor, sent } = retrying(Array.from({ length: 5_000 }, () => subgraphRejected(why)));
    for (let index = 0; index < 1_000; index += 1) await executor(REQUEST, NEVER).catch(() => {});
    expect(sent.length).toBeGreaterThanOrEqual(1_100);
    expect(sent.length).toBeLessThanOrEqual(1_110);
  });

  it('does not retry without a budget', async () => {
    const { executor, sent } = retrying([subgraphRejected(why)], { budgetPercent: 0 });
    await expect(executor(REQUEST, NEVER)).rejects.toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE' });
    expect(sent).toHaveLength(1);
  });
});
