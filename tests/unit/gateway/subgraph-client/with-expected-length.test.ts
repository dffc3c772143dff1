import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import type { Pending } from '../../../../gateway/platform/deadline-watcher.ts';
import { SubgraphFailure, wasNeverSent } from '../../../../gateway/subgraph-client/failures.ts';
import { createLargeResponses, LARGE_BODY_BYTES, type LargeResponse } from '../../../../gateway/subgraph-client/large-responses.ts';
import { createResponseLengths } from '../../../../gateway/subgraph-client/response-lengths.ts';
import type { QueuedRequest } from '../../../../gateway/subgraph-client/with-bulkhead.ts';
import { withExpectedLength } from '../../../../gateway/subgraph-client/with-expected-length.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphResponse } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { NEVER, REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';
import { eventually } from '../../../support/time/eventually.ts';
import { rejectionOf } from '../../../support/errors/catch-error.ts';

const WELL = { data: { a: 1 } };
const TIMEOUT_MS = 5_000;
const NOW = 1_000;
const SMALL = { ...REQUEST, body: 'small' };

interface QueryResult {
  readonly request: QueuedRequest;
  readonly signal: AbortSignal;
  respond(response: SubgraphResponse): void;
  fail(error: unknown): void;
}

/** Creates an executor for a query with an expected large response, and a limit that accepts one response at a time. */
function setUp({ hasCapacity = () => true, maxQueued = 100 }: { hasCapacity?: () => boolean; maxQueued?: number } = {}) {
  let now = NOW;
  const requested: QueryResult[] = [];
  const watched = new Set<Pending>();
  const lengths = createResponseLengths();
  const turns = createLargeResponses({ maxBytes: 1, callerOf: () => '', hasCapacity: () => hasCapacity() });
  const next: SubgraphExecutor = (request, signal) =>
    new Promise((resolve, reject) => {
      requested.push({ request, signal, respond: resolve, fail: reject });
    });
  const request = withExpectedLength(next, {
    lengths,
    turns,
    maxQueued,
    timeoutMs: TIMEOUT_MS,
    pending: { watch: (one) => void watched.add(one), release: (one) => watched.delete(one), [Symbol.dispose]: () => undefined },
    now: () => now,
  });
  lengths.note(REQUEST, LARGE_BODY_BYTES);

  /** Reserves the whole limit. @returns a function that releases it */
  function occupy(): () => void {
    let hasBegun = false;
    const other: LargeResponse = { request: SMALL, bytes: 1, begin: () => void (hasBegun = true), refuse: () => undefined };
    turns.enter(other);
    expect(hasBegun).toBe(true);
    return () => turns.leave(other);
  }

  /** Removes and returns the waiting entry, as the pending list does. */
  function takeWatched(): Pending {
    const [one] = watched;
    if (one === undefined) throw new Error('No request is waiting.');
    watched.delete(one);
    return one;
  }

  /** Returns whether nothing is reserved, so that any response can begin. */
  function isFree(): boolean {
    let hasBegun = false;
    const other: LargeResponse = {
      request: { ...SMALL, kind: 'mutation' },
      bytes: 100,
      begin: () => void (hasBegun = true),
      refuse: () => undefined,
    };
    turns.enter(other);
    turns.leave(other);
    return hasBegun;
  }

  return { request, requested, watched, lengths, occupy, takeWatched, isFree, advance: (ms: number) => void (now += ms) };
}

describe('withExpectedLength, if a query does not get its turn', () => {
  it('throws SUBGRAPH_TIMEOUT as unsent and not as an outage after the deadline', async () => {
    const { request, requested, watched, occupy, takeWatched, isFree } = setUp();
    const giveBack = occupy();
    const failure = rejectionOf(request(REQUEST, NEVER));
    const waiter = takeWatched();
    expect(waiter.dueAt).toBe(NOW + TIMEOUT_MS);
    waiter.expire();
    const error = await failure;
    expect(error).toBeInstanceOf(SubgraphFailure);
    expect(error).toMatchObject({ code: 'SUBGRAPH_TIMEOUT', facts: { isOutage: false, mayRepeat: false, isUnsent: true } });
    expect(wasNeverSent(error)).toBe(true);
    giveBack();
    expect([requested.length, watched.size, isFree()]).toEqual([0, 0, true]);
  });

  it('throws the reason of an aborted signal and never sends the query', async () => {
    const { request, requested, watched, occupy, takeWatched, isFree } = setUp();
    const giveBack = occupy();
    const controller = new AbortController();
    const failure = rejectionOf(request(REQUEST, controller.signal));
    const waiter = takeWatched();
    expect(waiter.signal).toBe(controller.signal);
    const reason = new Error('left');
    waiter.abort(reason);
    expect(await failure).toBe(reason);
    giveBack();
    expect([requested.length, watched.size, isFree()]).toEqual([0, 0, true]);
  });

  it('throws OVERLOADED at once and sends nothing for a caller without capacity', async () => {
    const { request, requested, watched, isFree } = setUp({ hasCapacity: () => false });
    const error = await rejectionOf(request(REQUEST, NEVER));
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).not.toBeInstanceOf(SubgraphFailure); // A circuit breaker would count a `SubgraphFailure`.
    expect(error).toMatchObject({ code: 'OVERLOADED', status: 503, headers: { 'retry-after': '1' } });
    expect([requested.length, watched.size, isFree()]).toEqual([0, 0, true]);
  });

  it('throws OVERLOADED if the caller of a waiting query loses its capacity', async () => {
    let isFull = false;
    const { request, requested, watched, occupy } = setUp({ hasCapacity: () => !isFull });
    const giveBack = occupy();
    const failure = rejectionOf(request(REQUEST, NEVER));
    expect(watched.size).toBe(1);
    isFull = true;
    giveBack();
    expect(await failure).toMatchObject({ code: 'OVERLOADED' });
    expect([requested.length, watched.size]).toEqual([0, 0]);
  });
});

describe('withExpectedLength, after the turn of a query', () => {
  it.each([
    ['a failure of the subgraph', new GatewayError('SUBGRAPH_UNAVAILABLE', 'gone')],
    ['the reason of the signal', 'left'],
  ])('throws %s and releases the memory', async (_what, reason) => {
    const { request, requested, isFree } = setUp();
    const failure = rejectionOf(request(REQUEST, NEVER));
    expect(isFree()).toBe(false);
    requested[0]?.fail(reason);
    expect(await failure).toBe(reason);
    expect(isFree()).toBe(true);
  });

  it('sends a waiting query after a failure', async () => {
    const { request, requested } = setUp();
    const first = rejectionOf(request(REQUEST, NEVER));
    const second = request(REQUEST, NEVER);
    expect(requested).toHaveLength(1);
    requested[0]?.fail(new Error('gone'));
    await first;
    expect(requested).toHaveLength(2);
    requested[1]?.respond(WELL);
    expect(await second).toBe(WELL);
  });

  it('returns the response and releases the memory', async () => {
    const { request, requested, watched, isFree } = setUp();
    const response = request(REQUEST, NEVER);
    expect(watched.size).toBe(0); // The next executor sets its own deadline.
    expect(isFree()).toBe(false);
    requested[0]?.respond(WELL);
    expect(await response).toBe(WELL);
    expect(isFree()).toBe(true);
  });

  it('sends three queries one at a time, in order', async () => {
    const { request, requested, lengths, isFree } = setUp();
    const bodies = ['1', '2', '3'];
    for (const body of bodies) lengths.note({ ...REQUEST, body }, LARGE_BODY_BYTES);
    const all = bodies.map((body) => request({ ...REQUEST, body }, NEVER));
    for (let index = 0; index < all.length; index += 1) {
      expect(requested.map(({ request }) => request.body)).toEqual(bodies.slice(0, index + 1));
      requested[index]?.respond(WELL);
      await all[index];
    }
    expect(isFree()).toBe(true);
  });

  it('sends a query with the deadline of its wait and the signal of the caller', () => {
    const { request, requested, occupy, advance } = setUp();
    const { signal } = new AbortController();
    const giveBack = occupy();
    void request(REQUEST, signal);
    expect(requested).toEqual([]);
    advance(TIMEOUT_MS - 1);
    giveBack();
    expect(requested[0]?.request).toMatchObject({ ...REQUEST, dueAt: NOW + TIMEOUT_MS });
    expect(requested[0]?.signal).toBe(signal);
  });

  it('uses a fixed deadline for waiting and sending', () => {
    const { request: query, requested, watched, occupy } = setUp();
    const giveBack = occupy();
    const request: QueuedRequest = { ...REQUEST, dueAt: 1_234 };
    void query(request, NEVER);
    expect([...watched].map(({ dueAt }) => dueAt)).toEqual([1_234]);
    giveBack();
    expect(requested.map((one) => one.request)).toMatchObject([request]);
  });
});

describe('withExpectedLength, if queries of many operations wait', () => {
  const contextOf = (name: string): SubgraphContext => ({ ...REQUEST.context, correlationId: name });

  it('throws SUBGRAPH_UNAVAILABLE as unsent for another operation if the queue is full', async () => {
    const { request, requested, watched, occupy, isFree } = setUp({ maxQueued: 2 });
    const giveBack = occupy();
    for (const name of ['1', '2']) void request({ ...REQUEST, context: contextOf(name) }, NEVER);
    const error = await rejectionOf(request({ ...REQUEST, context: contextOf('3') }, NEVER));
    expect(error).toBeInstanceOf(SubgraphFailure);
    expect(error).toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE', facts: { isOutage: false, mayRepeat: false, isUnsent: true } });
    expect(wasNeverSent(error)).toBe(true);
    expect([requested.length, watched.size]).toEqual([0, 2]);
    giveBack();
    requested[0]?.respond(WELL);
    await eventually(() => requested.length === 2);
    requested[1]?.respond(WELL);
    await eventually(isFree);
    expect(requested).toHaveLength(2);
  });

  it('lets further queries of a waiting operation wait if the queue is full', () => {
    const { request, watched, occupy } = setUp({ maxQueued: 1 });
    occupy();
    const context = contextOf('1');
    for (let index = 0; index < 5; index += 1) void request({ ...REQUEST, context }, NEVER);
    expect(watched.size).toBe(5);
  });

  it('sends a query without an expected large response if the queue is full', () => {
    const { request, requested, occupy } = setUp({ maxQueued: 1 });
    occupy();
    void request({ ...REQUEST, context: contextOf('1') }, NEVER);
    void request({ ...SMALL, context: contextOf('2') }, NEVER);
    expect(requested.map(({ request }) => request.body)).toEqual(['small']);
  });

  it.each(['expires', 'is aborted', 'is sent', 'is refused'] as const)(
    'frees the slot of an operation with two queries only after each %s',
    async (how) => {
      let isFull = false;
      const { request, requested, watched, occupy, takeWatched } = setUp({ maxQueued: 1, hasCapacity: () => !isFull });
      const giveBack = occupy();
      const context = contextOf('1');
      const results = [1, 2].map(() => rejectionOf(request({ ...REQUEST, context }, NEVER)));
      const error = () => rejectionOf(request({ ...REQUEST, context: contextOf('2') }, NEVER));
      expect(await error()).toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE' });
      if (how === 'is refused') {
        isFull = true;
        giveBack(); // Of both queries.
        expect(await Promise.all(results)).toMatchObject([{ code: 'OVERLOADED' }, { code: 'OVERLOADED' }]);
        isFull = false;
        occupy();
      } else if (how === 'is sent') {
        giveBack();
        expect(await error()).toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE' });
        requested[0]?.respond(WELL);
        await eventually(() => requested.length === 2); // The second query reserves the whole limit.
      } else {
        const leave = (): void => (how === 'expires' ? takeWatched().expire() : takeWatched().abort('left'));
        leave();
        expect(await error()).toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE' });
        leave();
      }
      void request({ ...REQUEST, context: contextOf('3') }, NEVER);
      expect(watched.size).toBe(1);
    },
  );

  it('sends a query whose turn comes at once if the queue has no capacity', () => {
    const { request, requested } = setUp({ maxQueued: 0 });
    void request(REQUEST, NEVER).catch(() => undefined);
    expect(requested).toHaveLength(1);
  });
});

describe('withExpectedLength, if no large response is expected', () => {
  it.each([
    ['a query without a known length', SMALL],
    ['a mutation with the text of a large query', { ...REQUEST, kind: 'mutation' as const }],
    ['the same text for another subgraph', { ...REQUEST, subgraph: 'books' }],
  ])('sends %s unchanged at the limit', async (_what, request) => {
    const { request: query, requested, watched, occupy } = setUp();
    occupy();
    const response = query(request, NEVER);
    expect(requested[0]?.request).toBe(request);
    expect(watched.size).toBe(0);
    requested[0]?.respond(WELL);
    expect(await response).toBe(WELL);
  });

  it('sends a query unchanged at the limit if its last response was small', () => {
    const { request, requested, lengths, occupy } = setUp();
    lengths.note(REQUEST, 10);
    occupy();
    void request(REQUEST, NEVER);
    expect(requested[0]?.request).toBe(REQUEST);
  });
});
