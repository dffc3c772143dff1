import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EventStream, SubscriptionRequest } from '../../../../../gateway/pipeline/streams/event-stream.ts';
import { GatewayError } from '../../../../../gateway/platform/errors.ts';
import type { Principal } from '../../../../../gateway/platform/principal.ts';
import { type GraphOptions, ORDERS, type StreamingGraph, nextOf, startStreamingGraph } from './streaming-graph.ts';

const CHANGED = 'subscription { changed { at order { status shipment } } }';
const user = (id: string): Principal => ({ kind: 'user', id, roles: new Set(['USER']), scopes: new Set(), claims: {} });
const reported = (id: string) => ({ data: { changed: { at: 1, order: { status: 'NEW', shipment: `box ${id}` } } } });
const failedWith = (code: string, requestId = 'trace-1') => ({
  data: null,
  errors: [{ message: expect.any(String), extensions: { code, requestId } }],
});

let graph: StreamingGraph;
const start = async (options?: GraphOptions): Promise<void> => {
  graph = await startStreamingGraph(options);
};
afterEach(async () => {
  await graph[Symbol.asyncDispose]();
});

describe('a rejected subscription', () => {
  it.each([
    ['is not a subscription', '{ order(id: 1) { id } }', 'BAD_REQUEST'],
    ['is not valid', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['selects two streams', 'subscription { changed { at } other }', 'GRAPHQL_VALIDATION_FAILED'],
    ['may select nothing', 'subscription { changed @skip(if: true) { at } }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('returns an error and opens no stream if the operation %s', async (_what, text, code) => {
    await start();
    await expect(graph.subscribe(text)).rejects.toMatchObject({ code });
    expect(graph.upstreams).toEqual([]);
  });

  it('returns an error and releases everything if the subgraph is unavailable', async () => {
    const error = new GatewayError('SUBGRAPH_UNAVAILABLE', 'down');
    await start({ onOpen: ({ listener }) => listener.onEnd({ kind: 'failed', error }) });
    await expect(graph.subscribe(CHANGED)).rejects.toBe(error);
    expect(graph.streaming.report()).toEqual({ subscribers: 0, shared: 0, dropped: 0, missed: 0 });
    await graph.load({ orders: ORDERS });
    expect(graph.generations.report().alive).toBe(1);
  });

  it('returns TOKEN_EXPIRED if the credentials have already expired', async () => {
    await start();
    await expect(graph.subscribe(CHANGED, { principal: { ...user('1'), expiresAt: Date.now() - 1 } })).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
    });
  });
});

describe('an active subscription', () => {
  it('fetches the other fields of an event and uses the names of the client', async () => {
    await start();
    const stream = await graph.subscribe('subscription ($n: ID) { what: changed(id: $n) { which: order { box: shipment id } } }', {
      variables: { n: '7' },
    });
    expect(JSON.parse(graph.upstreams[0]?.request.body ?? '')).toMatchObject({ variables: { v0: '7' } });
    graph.upstreams[0]?.send('e1', '7');
    expect(await nextOf(stream)).toEqual({ eventId: 'e1', body: { data: { what: { which: { box: 'box 7', id: '7' } } } } });
  });

  it('reports where an event failed and continues the stream', async () => {
    await start({
      respond: async (_request, nth) => {
        if (nth === 1) throw new GatewayError('SUBGRAPH_TIMEOUT', 'late');
        return { data: { _entities: [{ shipment: 'box 2' }] } };
      },
    });
    const stream = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.send('e1', '1');
    graph.upstreams[0]?.send('e2', '2');
    expect(await nextOf(stream)).toEqual({
      eventId: 'e1',
      body: {
        data: { changed: { at: 1, order: { status: 'NEW', shipment: null } } },
        errors: [
          {
            message: 'late',
            locations: [{ line: 1, column: CHANGED.indexOf('shipment') + 1 }],
            path: ['changed', 'order', 'shipment'],
            extensions: { code: 'SUBGRAPH_TIMEOUT', requestId: 'trace-1' },
          },
        ],
      },
    });
    expect(await nextOf(stream)).toEqual({ eventId: 'e2', body: reported('2') });
  });

  it('returns a constant message for an internal error and continues the stream', async () => {
    await start({
      respond: async (_request, nth) => {
        if (nth === 1) throw new TypeError('at db.internal');
        return { data: { _entities: [{ shipment: 'box 2' }] } };
      },
    });
    const stream = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.send(undefined, '1');
    graph.upstreams[0]?.send(undefined, '2');
    expect(await nextOf(stream)).toEqual({ eventId: '~', body: failedWith('INTERNAL_SERVER_ERROR') });
    expect(await nextOf(stream)).toEqual({ eventId: '~', body: reported('2') });
  });

  it('reports events that the subgraph may have lost, in order', async () => {
    await start();
    const stream = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.send('e1', '1');
    graph.upstreams[0]?.listener.onGap();
    graph.upstreams[0]?.send('e9', '9');
    const seen = [await nextOf(stream), await nextOf(stream), await nextOf(stream)];
    expect(seen).toEqual([
      { eventId: 'e1', body: reported('1') },
      { body: failedWith('EVENTS_MAY_BE_MISSED') },
      { eventId: 'e9', body: reported('9') },
    ]);
  });

  it('delivers the remaining events when the subgraph completes the stream, then ends', async () => {
    await start();
    const stream = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.send('e1', '1');
    graph.upstreams[0]?.listener.onEnd({ kind: 'complete' });
    expect([await nextOf(stream), await nextOf(stream), await nextOf(stream)]).toEqual([
      { eventId: 'e1', body: reported('1') },
      'done',
      'done',
    ]);
  });

  it('ends with a Gatefold error code, or sends the unknown error code of the subgraph', async () => {
    await start();
    const rejected = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.listener.onEnd({ kind: 'rejected', errors: [{ message: 'not you', code: 'FORBIDDEN' }] });
    await expect(rejected.next()).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'not you' });
    const responded = await graph.subscribe(CHANGED);
    graph.upstreams[1]?.listener.onEnd({ kind: 'rejected', errors: [{ message: 'full', code: 'NO_SEATS' }] });
    expect([await nextOf(responded), await nextOf(responded)]).toEqual([{ body: failedWith('NO_SEATS') }, 'done']);
  });

  it('closes the subgraph stream when the last client returns or aborts', async () => {
    await start();
    const gone = new AbortController();
    const [one] = [await graph.subscribe(CHANGED), await graph.subscribe(CHANGED, { signal: gone.signal })];
    gone.abort();
    expect(graph.upstreams[0]?.isClosed).toBe(false);
    await one.return();
    expect(graph.upstreams[0]?.isClosed).toBe(true);
    expect(graph.streaming.report().shared).toBe(0);
  });

  it('ends with OVERLOADED when the gateway closes', async () => {
    await start();
    const stream = await graph.subscribe(CHANGED);
    graph.streaming.close();
    await expect(stream.next()).rejects.toMatchObject({ code: 'OVERLOADED' });
    await expect(graph.subscribe(CHANGED)).rejects.toMatchObject({ code: 'OVERLOADED' });
  });
});

describe('several clients', () => {
  it('share one stream and one request per event with equal permissions', async () => {
    await start();
    const streams = await Promise.all([1, 2, 3].map(() => graph.subscribe(CHANGED, { principal: user('1') })));
    graph.upstreams[0]?.send('e1', '1');
    for (const stream of streams) expect(await nextOf(stream)).toEqual({ eventId: 'e1', body: reported('1') });
    expect([graph.upstreams.length, graph.requests.length]).toEqual([1, 1]);
  });

  it.each<[string, { readonly text: string; readonly more?: Partial<SubscriptionRequest> }]>([
    ['variables', { text: 'subscription ($n: ID = 1) { changed(id: $n) { at } }', more: { variables: { n: '2' } } }],
    ['names', { text: 'subscription ($n: ID = 1) { other: changed(id: $n) { at } }' }],
    ['identities', { text: 'subscription ($n: ID = 1) { changed(id: $n) { at } }', more: { principal: user('2') } }],
    ['headers that subgraphs get', { text: 'subscription ($n: ID = 1) { changed(id: $n) { at } }', more: { headers: { tenant: 'b' } } }],
    ['last events', { text: 'subscription ($n: ID = 1) { changed(id: $n) { at } }', more: { lastEventId: 'e1' } }],
  ])('have separate streams if their %s differ', async (_what, { text, more = {} }) => {
    await start();
    await graph.subscribe('subscription ($n: ID = 1) { changed(id: $n) { at } }', { principal: user('1'), headers: { tenant: 'a' } });
    await graph.subscribe(text, { principal: user('1'), headers: { tenant: 'a' }, ...more });
    expect(graph.upstreams).toHaveLength(2);
  });

  it('share a stream across identities that are not sent to subgraphs', async () => {
    await start({ streaming: { sharing: { headers: [], isIdentityForwarded: false } } });
    for (const id of ['1', '2']) await graph.subscribe(CHANGED, { principal: user(id) });
    expect(graph.upstreams).toHaveLength(1);
  });

  it('continue when a slow client is disconnected after its queued events', async () => {
    await start();
    const [slow, quick] = [await graph.subscribe(CHANGED, { correlationId: 'slow' }), await graph.subscribe(CHANGED)];
    for (const id of ['1', '2', '3', '4']) {
      graph.upstreams[0]?.send(`e${id}`, id);
      expect(await nextOf(quick)).toEqual({ eventId: `e${id}`, body: reported(id) });
    }
    expect([await nextOf(slow), await nextOf(slow), await nextOf(slow)]).toMatchObject([
      { eventId: 'e1' },
      { eventId: 'e2' },
      { eventId: 'e3' },
    ]);
    await expect(slow.next()).rejects.toMatchObject({ code: 'EVENTS_MAY_BE_MISSED' });
    expect(graph.streaming.report()).toEqual({ subscribers: 1, shared: 1, dropped: 1, missed: 1 });
  });

  it('receive their own request ids in the errors of an event', async () => {
    await start();
    const streams = await Promise.all(['a', 'b'].map((correlationId) => graph.subscribe(CHANGED, { correlationId })));
    graph.upstreams[0]?.listener.onGap();
    expect(await Promise.all(streams.map(nextOf))).toEqual(['a', 'b'].map((id) => ({ body: failedWith('EVENTS_MAY_BE_MISSED', id) })));
  });
});

describe('clients that reconnect with the last event id', () => {
  it('share one stream after they have caught up, without missing or duplicate events', async () => {
    await start();
    const live = await graph.subscribe(CHANGED);
    const [back, too] = await Promise.all([1, 2].map(() => graph.subscribe(CHANGED, { lastEventId: 'e1' })));
    const later = await graph.subscribe(CHANGED, { lastEventId: 'e2' });
    expect(graph.upstreams.map(({ request }) => request.lastEventId)).toEqual([undefined, 'e1', 'e2']);
    graph.upstreams[1]?.send('e2', '2');
    graph.upstreams[0]?.send('e3', '3');
    graph.upstreams[0]?.send('e4', '4');
    await nextOf(live);
    await nextOf(live);
    graph.upstreams[1]?.send('e3', '3');
    graph.upstreams[2]?.send('e3', '3');
    const idsOf = async (stream: EventStream | undefined, count: number): Promise<unknown[]> => {
      const seen: unknown[] = [];
      if (stream === undefined) return seen;
      while (seen.length < count) seen.push(((await nextOf(stream)) as { eventId: string }).eventId);
      return seen;
    };
    expect([await idsOf(back, 3), await idsOf(too, 3), await idsOf(later, 2)]).toEqual([
      ['e2', 'e3', 'e4'],
      ['e2', 'e3', 'e4'],
      ['e3', 'e4'],
    ]);
    expect(graph.upstreams.map(({ isClosed }) => isClosed)).toEqual([false, true, true]);
    expect(graph.streaming.report()).toEqual({ subscribers: 4, shared: 1, dropped: 0, missed: 0 });
    const requested = graph.requests.length;
    graph.upstreams[0]?.send('e5', '5');
    expect([await idsOf(live, 1), await idsOf(back, 1), await idsOf(too, 1), await idsOf(later, 1)].flat()).toEqual([
      'e5',
      'e5',
      'e5',
      'e5',
    ]);
    expect(graph.requests.length - requested).toBe(1);
  });

  it('share one stream when they reach the same position', async () => {
    await start();
    const one = await graph.subscribe(CHANGED, { lastEventId: 'e1' });
    await graph.subscribe(CHANGED, { lastEventId: 'e2' });
    for (const nth of [0, 1]) graph.upstreams[nth]?.send('e3', '3');
    expect(await nextOf(one)).toMatchObject({ eventId: 'e3' });
    while (graph.streaming.report().shared > 1) await new Promise((resolve) => setImmediate(resolve));
    expect(graph.streaming.report()).toEqual({ subscribers: 2, shared: 1, dropped: 0, missed: 0 });
  });
});

describe('events that arrive faster than they can be executed', () => {
  it('are requested again by id, without missing or duplicate events', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await start({
      respond: async () => {
        await held;
        return { data: { _entities: [{ shipment: 'box' }] } };
      },
      streaming: { maxQueuedEvents: 2 },
    });
    const stream = await graph.subscribe(CHANGED);
    for (const id of ['1', '2', '3', '4', '5']) graph.upstreams[0]?.send(`e${id}`, id);
    expect(graph.upstreams[0]?.isClosed).toBe(true);
    release();
    const first = [await nextOf(stream), await nextOf(stream), await nextOf(stream)];
    expect(first).toMatchObject([{ eventId: 'e1' }, { eventId: 'e2' }, { eventId: 'e3' }]);
    expect(graph.upstreams[1]?.request.lastEventId).toBe('e3');
    graph.upstreams[1]?.send('e4', '4');
    expect(await nextOf(stream)).toMatchObject({ eventId: 'e4' });
  });

  it('cause an error for each gap if they have no ids', async () => {
    const gates: (() => void)[] = [];
    await start({
      respond: async () => {
        await new Promise<void>((resolve) => gates.push(resolve));
        return { data: { _entities: [{ shipment: 'box' }] } };
      },
      streaming: { maxQueuedEvents: 2 },
    });
    const stream = await graph.subscribe(CHANGED);
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      const { body } = (await nextOf(stream)) as { body: { errors?: unknown } };
      seen.push(body.errors === undefined ? 'event' : 'gap');
    };
    const runOne = async (): Promise<void> => {
      while (gates.length === 0) await new Promise((resolve) => setImmediate(resolve));
      gates.shift()?.();
      await read();
    };
    for (const id of ['1', '2', '3', '4']) graph.upstreams[0]?.send(undefined, id);
    await runOne();
    await runOne();
    for (const id of ['5', '6']) graph.upstreams[0]?.send(undefined, id);
    await runOne();
    await read();
    await runOne();
    await read();
    expect(seen).toEqual(['event', 'event', 'event', 'gap', 'event', 'gap']);
  });

  it('are reported as possibly missed if they have no ids', async () => {
    await start({ streaming: { maxQueuedEvents: 2 } });
    const stream = await graph.subscribe(CHANGED);
    for (const id of ['1', '2', '3', '4', '5']) graph.upstreams[0]?.send(undefined, id);
    const seen = [await nextOf(stream), await nextOf(stream), await nextOf(stream), await nextOf(stream)];
    expect(seen).toEqual([
      ...['1', '2', '3'].map((id) => ({ eventId: '~', body: reported(id) })),
      { body: failedWith('EVENTS_MAY_BE_MISSED') },
    ]);
  });
});

describe('credentials that expire', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] }));
  afterEach(() => void jest.useRealTimers());

  it('end their subscription with an error code and do not affect others', async () => {
    await start();
    const [ends, goesOn] = [
      await graph.subscribe(CHANGED, { principal: { ...user('1'), expiresAt: Date.now() + 5_000 } }),
      await graph.subscribe(CHANGED, { principal: user('1') }),
    ];
    const reported = [ends.next(), nextOf(goesOn)] as const;
    jest.advanceTimersByTime(7_000);
    await expect(reported[0]).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    graph.upstreams[0]?.send('e1', '1');
    expect(await reported[1]).toMatchObject({ eventId: 'e1' });
  });

  it('extend the subscription when the transport has renewed them', async () => {
    await start();
    let expiresAt = Date.now() + 2_000;
    const stream = await graph.subscribe(CHANGED, { principal: user('1'), expiresAt: () => expiresAt });
    const reported = stream.next();
    expiresAt += 60_000;
    jest.advanceTimersByTime(30_000);
    expect(graph.streaming.report().subscribers).toBe(1);
    jest.advanceTimersByTime(40_000);
    await expect(reported).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });
});

describe('a client that reconnects', () => {
  it('receives EVENTS_MAY_BE_MISSED and shares the stream if its events had no ids', async () => {
    await start();
    const other = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.send(undefined, '1');
    expect(await nextOf(other)).toEqual({ eventId: '~', body: reported('1') });
    const back = await graph.subscribe(CHANGED, { lastEventId: '~', correlationId: 'trace-2' });
    graph.upstreams[0]?.send(undefined, '2');
    expect([await nextOf(back), await nextOf(back)]).toEqual([
      { body: failedWith('EVENTS_MAY_BE_MISSED', 'trace-2') },
      { eventId: '~', body: reported('2') },
    ]);
    expect(graph.upstreams).toHaveLength(1);
  });

  it('receives EVENTS_MAY_BE_MISSED if the joined stream has missed events', async () => {
    await start();
    const first = await graph.subscribe(CHANGED, { lastEventId: 'e0' });
    const second = await graph.subscribe(CHANGED, { lastEventId: 'e-1' });
    const [ahead, behind] = graph.upstreams;
    ahead?.send('e1', '1');
    await nextOf(first);
    ahead?.listener.onGap();
    ahead?.send('e9', '9');
    await nextOf(first);
    await nextOf(first);
    behind?.send('e1', '1');
    expect([await nextOf(second), await nextOf(second), await nextOf(second)]).toEqual([
      { eventId: 'e1', body: reported('1') },
      { body: failedWith('EVENTS_MAY_BE_MISSED') },
      { eventId: 'e9', body: reported('9') },
    ]);
    expect(behind?.isClosed).toBe(true);
  });
});
