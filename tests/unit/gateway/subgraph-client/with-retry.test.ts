import { describe, expect, it } from '@jest/globals';
import {
  subgraphInvalidResponse,
  subgraphRefused,
  subgraphTimeout,
  subgraphUnavailable,
} from '../../../../gateway/subgraph-client/failures.ts';
import { createRetryBudget } from '../../../../gateway/subgraph-client/with-retry.ts';
import { withRetry } from '../../../../gateway/subgraph-client/with-retry.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import type { SubgraphExecutor } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { NEVER, REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';

const WELL = { data: { a: 1 } };
const why = new Error('for the test');

/** Fails with these in turn, and is well then. */
function retrying(failures: readonly unknown[], settings: { maxRetries?: number; budgetPercent?: number; random?: () => number } = {}) {
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
    giveUp: (_request, _signal, failure) => {
      throw failure;
    },
  });
  return { executor, sent, waits };
}

describe('withRetry', () => {
  it.each([
    ['that is late', subgraphTimeout(why, { isOutage: true })],
    ['that is nonsense', subgraphInvalidResponse(why)],
    ['that says nothing of the request being left alone', subgraphUnavailable(why)],
    ['that is held back', new GatewayError('CIRCUIT_OPEN', 'open')],
    ['that is none', new TypeError('a defect')],
  ])('given an answer %s, when a query is sent, then it is sent once', async (_what, failure) => {
    const { executor, sent } = retrying([failure]);
    await expect(executor(REQUEST, NEVER)).rejects.toBe(failure);
    expect(sent).toHaveLength(1);
  });

  it('given a mutation that was refused, when sent, then it is sent once', async () => {
    const failure = subgraphRefused(why, 0);
    const { executor, sent } = retrying([failure]);
    await expect(executor({ ...REQUEST, kind: 'mutation' }, NEVER)).rejects.toBe(failure);
    expect(sent).toEqual(['mutation']);
  });

  it('given refusals, when a query is sent again, then each wait is drawn below a bound that doubles, up to the longest', async () => {
    const refusals = Array.from({ length: 3 }, () => subgraphRefused(why));
    const longest = retrying(refusals);
    expect(await longest.executor(REQUEST, NEVER)).toBe(WELL);
    expect(longest.waits).toEqual([50, 100, 150]);
    const half = retrying(refusals, { random: () => 0.5 });
    await half.executor(REQUEST, NEVER);
    expect(half.waits).toEqual([25, 50, 75]);
  });

  it('given more refusals than retries, when sent, then the last of them is the answer', async () => {
    const refusals = [subgraphRefused(why), subgraphRefused(why), subgraphRefused(why)];
    const { executor, sent } = retrying(refusals, { maxRetries: 2 });
    await expect(executor(REQUEST, NEVER)).rejects.toBe(refusals[2]);
    expect(sent).toHaveLength(3);
  });

  it.each([
    [120, [120]],
    [150, [150]],
    [151, []],
  ])('given a subgraph that asks for %i ms, when the longest wait is 150 ms, then the waits are %j', async (retryAfterMs, expected) => {
    const { executor, waits } = retrying([subgraphRefused(why, retryAfterMs)]);
    await executor(REQUEST, NEVER).catch(() => {});
    expect(waits).toEqual(expected);
  });

  it('given a breaker that opens meanwhile, when the retry is held back, then the answer is what went wrong at first', async () => {
    const first = subgraphRefused(why);
    const { executor } = retrying([first, new GatewayError('CIRCUIT_OPEN', 'open')]);
    await expect(executor(REQUEST, NEVER)).rejects.toBe(first);
  });

  it('given a caller that leaves during the wait, when it would be sent again, then it is not', async () => {
    const reason = new Error('left');
    const { executor, sent } = retrying([subgraphRefused(why)]);
    await expect(executor(REQUEST, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it('given a subgraph that refuses everything, when 1,000 queries are sent, then there are 100 more and the ten in reserve', async () => {
    const { executor, sent } = retrying(Array.from({ length: 5_000 }, () => subgraphRefused(why)));
    for (let index = 0; index < 1_000; index += 1) await executor(REQUEST, NEVER).catch(() => {});
    expect(sent.length).toBeGreaterThanOrEqual(1_100);
    expect(sent.length).toBeLessThanOrEqual(1_110);
  });

  it('given no budget, when a query is refused, then it is sent once', async () => {
    const { executor, sent } = retrying([subgraphRefused(why)], { budgetPercent: 0 });
    await expect(executor(REQUEST, NEVER)).rejects.toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE' });
    expect(sent).toHaveLength(1);
  });
});
