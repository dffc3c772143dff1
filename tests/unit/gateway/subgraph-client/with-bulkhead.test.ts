import { describe, expect, it } from '@jest/globals';
import type { Pending } from '../../../../gateway/platform/deadline-watcher.ts';
import { SubgraphFailure } from '../../../../gateway/subgraph-client/failures.ts';
import { type QueuedRequest, withBulkhead } from '../../../../gateway/subgraph-client/with-bulkhead.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphResponse } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { NEVER, REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';

/** Creates a subgraph with one slot. Records the names of the requests in order and completes one at a time. */
function setUp({ maxQueued = 1_000 } = {}) {
  const sent: string[] = [];
  const sentRequests: QueuedRequest[] = [];
  const watched = new Set<Pending>();
  const answers: ((response: SubgraphResponse) => void)[] = [];
  const next: SubgraphExecutor = (request) =>
    new Promise((resolve) => {
      sent.push(request.body);
      sentRequests.push(request);
      answers.push(resolve);
    });
  const executor = withBulkhead(next, {
    maxConcurrent: 1,
    maxQueued,
    timeoutMs: 5_000,
    breaker: undefined,
    callerOf: ({ remoteAddress = '' }) => remoteAddress,
    pending: { watch: (one) => void watched.add(one), release: (one) => watched.delete(one), [Symbol.dispose]: () => undefined },
    now: () => 0,
  });

  function operationOf(caller: string): SubgraphContext {
    return { ...REQUEST.context, remoteAddress: caller };
  }

  function ask(name: string, context: SubgraphContext, signal = NEVER): Promise<unknown> {
    return executor({ ...REQUEST, body: name, context }, signal).then(
      () => 'answered',
      (error: unknown) => error,
    );
  }

  /** Completes requests, so that as many waiting ones are sent. */
  async function answer(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      answers.shift()?.({ data: {} });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return { ask, answer, sent, sentRequests, watched, operationOf, executor };
}

describe('withBulkhead, with turns of callers', () => {
  it('rejects an operation at once if another caller fills the queue', async () => {
    const { ask, operationOf, sent } = setUp({ maxQueued: 2 });
    for (const name of ['a0', 'a1', 'a2']) void ask(name, operationOf('a'));
    const refusal = await ask('b', operationOf('b'));
    expect(refusal).toBeInstanceOf(SubgraphFailure);
    expect(refusal).toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE', facts: { isOutage: false, isUnsent: true } });
    expect(sent).toEqual(['a0']);
  });

  it('skips a caller whose waiting operations have all been aborted', async () => {
    const { ask, answer, operationOf, sent, watched } = setUp();
    const controller = new AbortController();
    void ask('a0', operationOf('a'));
    const aborted = ['a1', 'a2', 'a3'].map((name) => ask(name, operationOf('a'), controller.signal));
    void ask('b1', operationOf('b'));
    controller.abort('left');
    await answer(1);
    expect(await Promise.all(aborted)).toEqual(['left', 'left', 'left']);
    expect(sent).toEqual(['a0', 'b1']);
    expect(watched.size).toBe(0);
  });

  it('skips a caller whose only waiting request has expired', async () => {
    const { ask, answer, operationOf, sent, watched } = setUp();
    void ask('a0', operationOf('a'));
    const late = ask('a1', operationOf('a'));
    void ask('b1', operationOf('b'));
    const [first] = watched;
    first?.expire();
    expect(await late).toMatchObject({ code: 'SUBGRAPH_TIMEOUT', facts: { isOutage: false, isUnsent: true } });
    await answer(2);
    expect(sent).toEqual(['a0', 'b1']);
  });

  it('lets a caller with one operation go second after one with 100', async () => {
    const { ask, answer, operationOf, sent } = setUp();
    void ask('running', operationOf('a'));
    for (let index = 1; index <= 100; index += 1) void ask(`a${index}`, operationOf('a'));
    void ask('b1', operationOf('b'));
    await answer(3);
    expect(sent).toEqual(['running', 'a1', 'b1', 'a2']);
    await answer(98);
    expect(sent).toHaveLength(102);
    expect(sent.slice(4)).toEqual(Array.from({ length: 98 }, (_, index) => `a${index + 3}`));
  });

  it('alternates between callers and between the operations of each caller', async () => {
    const { ask, answer, operationOf, sent } = setUp();
    void ask('running', operationOf('z'));
    const [one, other] = [operationOf('a'), operationOf('a')];
    for (const name of ['a1.1', 'a1.2', 'a1.3']) void ask(name, one);
    for (const name of ['a2.1', 'a2.2']) void ask(name, other);
    for (const name of ['b1', 'b2']) void ask(name, operationOf('b'));
    void ask('c1', operationOf('c'));
    await answer(8);
    expect(sent).toEqual(['running', 'a1.1', 'b1', 'c1', 'a2.1', 'b2', 'a1.2', 'a2.2', 'a1.3']);
  });

  it('does not let a caller with frequent requests overtake one that waits longer', async () => {
    const { ask, answer, operationOf, sent } = setUp();
    void ask('running', operationOf('a'));
    for (let index = 1; index <= 3; index += 1) void ask(`b${index}`, operationOf('b'));
    for (let index = 1; index <= 3; index += 1) {
      void ask(`a${index}`, operationOf('a')); // The request of the other caller is already waiting.
      await answer(2);
    }
    expect(sent).toEqual(['running', 'b1', 'a1', 'b2', 'a2', 'b3', 'a3']);
  });
});

describe('withBulkhead, with deadlines of requests', () => {
  it.each<[string, { dueAt?: number }, dueAt: number]>([
    ['whose deadline is not fixed', {}, 5_000],
    ['whose deadline is fixed', { dueAt: 1_234 }, 1_234],
  ])('uses the same deadline for waiting and for sending a request %s', async (_what, given, dueAt) => {
    const { executor, ask, answer, operationOf, sentRequests, watched } = setUp();
    void ask('running', operationOf('a'));
    const request: QueuedRequest = { ...REQUEST, body: '1', ...given };
    void executor(request, NEVER);
    expect([...watched].map((one) => one.dueAt)).toEqual([dueAt]);
    await answer(1);
    expect(sentRequests[1]).toEqual({ ...request, dueAt });
  });

  it('sends a request with a fixed deadline unchanged if it does not wait', () => {
    const { executor, sentRequests } = setUp();
    const request: QueuedRequest = { ...REQUEST, dueAt: 1_234 };
    void executor(request, NEVER);
    expect(sentRequests).toEqual([request]);
  });
});
