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
  const responses: ((response: SubgraphResponse) => void)[] = [];
  const next: SubgraphExecutor = (request) =>
    new Promise((resolve) => {
      sent.push(request.body);
      sentRequests.push(request);
      responses.push(resolve);
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

  function request(name: string, context: SubgraphContext, signal = NEVER): Promise<unknown> {
    return executor({ ...REQUEST, body: name, context }, signal).then(
      () => 'answered',
      (error: unknown) => error,
    );
  }

  /** Completes requests, so that as many waiting ones are sent. */
  async function respond(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      responses.shift()?.({ data: {} });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return { request, respond, sent, sentRequests, watched, operationOf, executor };
}

describe('withBulkhead, with turns of callers', () => {
  it('rejects an operation at once if another caller fills the queue', async () => {
    const { request, operationOf, sent } = setUp({ maxQueued: 2 });
    for (const name of ['a0', 'a1', 'a2']) void request(name, operationOf('a'));
    const error = await request('b', operationOf('b'));
    expect(error).toBeInstanceOf(SubgraphFailure);
    expect(error).toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE', facts: { isOutage: false, isUnsent: true } });
    expect(sent).toEqual(['a0']);
  });

  it('skips a caller whose waiting operations have all been aborted', async () => {
    const { request, respond, operationOf, sent, watched } = setUp();
    const controller = new AbortController();
    void request('a0', operationOf('a'));
    const aborted = ['a1', 'a2', 'a3'].map((name) => request(name, operationOf('a'), controller.signal));
    void request('b1', operationOf('b'));
    controller.abort('left');
    await respond(1);
    expect(await Promise.all(aborted)).toEqual(['left', 'left', 'left']);
    expect(sent).toEqual(['a0', 'b1']);
    expect(watched.size).toBe(0);
  });

  it('skips a caller whose only waiting request has expired', async () => {
    const { request, respond, operationOf, sent, watched } = setUp();
    void request('a0', operationOf('a'));
    const late = request('a1', operationOf('a'));
    void request('b1', operationOf('b'));
    const [first] = watched;
    first?.expire();
    expect(await late).toMatchObject({ code: 'SUBGRAPH_TIMEOUT', facts: { isOutage: false, isUnsent: true } });
    await respond(2);
    expect(sent).toEqual(['a0', 'b1']);
  });

  it('lets a caller with one operation go second after one with 100', async () => {
    const { request, respond, operationOf, sent } = setUp();
    void request('running', operationOf('a'));
    for (let index = 1; index <= 100; index += 1) void request(`a${index}`, operationOf('a'));
    void request('b1', operationOf('b'));
    await respond(3);
    expect(sent).toEqual(['running', 'a1', 'b1', 'a2']);
    await respond(98);
    expect(sent).toHaveLength(102);
    expect(sent.slice(4)).toEqual(Array.from({ length: 98 }, (_, index) => `a${index + 3}`));
  });

  it('alternates between callers and between the operations of each caller', async () => {
    const { request, respond, operationOf, sent } = setUp();
    void request('running', operationOf('z'));
    const [one, other] = [operationOf('a'), operationOf('a')];
    for (const name of ['a1.1', 'a1.2', 'a1.3']) void request(name, one);
    for (const name of ['a2.1', 'a2.2']) void request(name, other);
    for (const name of ['b1', 'b2']) void request(name, operationOf('b'));
    void request('c1', operationOf('c'));
    await respond(8);
    expect(sent).toEqual(['running', 'a1.1', 'b1', 'c1', 'a2.1', 'b2', 'a1.2', 'a2.2', 'a1.3']);
  });

  it('does not let a caller with frequent requests overtake one that waits longer', async () => {
    const { request, respond, operationOf, sent } = setUp();
    void request('running', operationOf('a'));
    for (let index = 1; index <= 3; index += 1) void request(`b${index}`, operationOf('b'));
    for (let index = 1; index <= 3; index += 1) {
      void request(`a${index}`, operationOf('a')); // The request of the other caller is already waiting.
      await respond(2);
    }
    expect(sent).toEqual(['running', 'b1', 'a1', 'b2', 'a2', 'b3', 'a3']);
  });
});

describe('withBulkhead, with deadlines of requests', () => {
  it.each<[string, { dueAt?: number }, dueAt: number]>([
    ['whose deadline is not fixed', {}, 5_000],
    ['whose deadline is fixed', { dueAt: 1_234 }, 1_234],
  ])('uses the same deadline for waiting and for sending a request %s', async (_what, given, dueAt) => {
    const { executor, request: query, respond, operationOf, sentRequests, watched } = setUp();
    void query('running', operationOf('a'));
    const request: QueuedRequest = { ...REQUEST, body: '1', ...given };
    void executor(request, NEVER);
    expect([...watched].map((one) => one.dueAt)).toEqual([dueAt]);
    await respond(1);
    expect(sentRequests[1]).toEqual({ ...request, dueAt });
  });

  it('sends a request with a fixed deadline unchanged if it does not wait', () => {
    const { executor, sentRequests } = setUp();
    const request: QueuedRequest = { ...REQUEST, dueAt: 1_234 };
    void executor(request, NEVER);
    expect(sentRequests).toEqual([request]);
  });
});
