import { afterEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '../../../../../gateway/platform/principal.ts';
import type { SubgraphStreams } from '../../../../../gateway/supergraph/subgraph-streams.ts';
import { type FakeOptions, type FakeStreamSubgraph, startFakeStreamSubgraph } from './fake-stream-subgraph.ts';
import { type StreamSettings, event, hear, newStreams } from './recorded-stream.ts';

let subgraph: FakeStreamSubgraph;
let streams: SubgraphStreams;

async function start(fake: FakeOptions = {}, settings: StreamSettings = {}, secret?: string, form?: 'jwt' | 'bound'): Promise<void> {
  subgraph = await startFakeStreamSubgraph(fake);
  streams = newStreams(settings, secret, form);
}

afterEach(async () => {
  await streams[Symbol.asyncDispose]();
  await subgraph[Symbol.asyncDispose]();
});

const user = (id: string): Principal => ({ kind: 'user', id, roles: new Set(['USER']), scopes: new Set(), claims: {} });

describe('given a subgraph that fails', () => {
  it('fails with SUBGRAPH_UNAVAILABLE if the connection is refused', async () => {
    await start();
    subgraph.fall();
    expect(await hear(streams, subgraph.url).until(1)).toEqual(['failed SUBGRAPH_UNAVAILABLE']);
  });

  it('fails with SUBGRAPH_TIMEOUT if the connection is not acknowledged', async () => {
    await start({ onInit: () => undefined }, { requestTimeoutMs: 20 });
    expect(await hear(streams, subgraph.url).until(1)).toEqual(['failed SUBGRAPH_TIMEOUT']);
  });

  it('ends with the errors of the subgraph and masks internal ones', async () => {
    await start({
      onSubscribe: (socket, { id = '' }) =>
        socket.send({
          id,
          type: 'error',
          payload: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }, { message: 'at db.internal:5432' }],
        }),
    });
    expect(await hear(streams, subgraph.url).until(2)).toEqual(['open', 'refused FORBIDDEN INTERNAL_SERVER_ERROR']);
  });

  it.each([
    ['that are not JSON', 'x'],
    ['that are not objects', '[]'],
    ['of an unknown type', '{"type":"hello"}'],
    ['with an invalid event', '{"type":"next","id":"1","payload":{"data":7}}'],
    ['that are too long', JSON.stringify({ type: 'pong', payload: { text: 'x'.repeat(2_000) } })],
  ])('fails after repeated messages %s', async (_what, text) => {
    const fake: FakeOptions = { onSubscribe: ({ socket }) => socket.send(text) };
    await start(fake, { maxResponseBytes: 1_000, subscriptions: { reconnectTimeoutMs: 1 } });
    const { heard, until } = hear(streams, subgraph.url);
    for (let lines = 1; !heard.some((line) => line.startsWith('failed')); lines += 1) await until(lines);
    expect([heard[0], heard.at(-1)]).toEqual(['open', 'failed SUBGRAPH_INVALID_RESPONSE']);
  });
});

describe('two streams of one caller', () => {
  it('share one socket and receive their own events', async () => {
    await start();
    const [one, other] = [hear(streams, subgraph.url), hear(streams, subgraph.url)];
    const socket = await subgraph.socket();
    await socket.next(1, event('7', 2));
    await socket.next(0, event('6', 1));
    expect(await other.until(2)).toEqual(['open', 'event 7 {"changed":2}']);
    expect(await one.until(2)).toEqual(['open', 'event 6 {"changed":1}']);
    expect(subgraph.sockets).toHaveLength(1);
  });

  it('are independent: closing one completes it at the subgraph and not the other', async () => {
    await start();
    const [one, other] = [hear(streams, subgraph.url), hear(streams, subgraph.url)];
    const socket = await subgraph.socket();
    const [first] = await socket.until('subscribe', 2);
    one.stream.close();
    expect(await socket.until('complete')).toEqual([{ id: first?.id, type: 'complete' }]);
    await socket.next(0, event('1', 1));
    await socket.next(1, event('2', 2));
    expect(await other.until(2)).toEqual(['open', 'event 2 {"changed":2}']);
    expect(one.heard).toEqual(['open']);
  });
});

describe('identities', () => {
  it('require one socket per caller', async () => {
    await start({}, {}, 'a secret that is long enough for anyone');
    for (const id of ['1', '2', '1']) hear(streams, subgraph.url, { principal: user(id) });
    const [first, second] = [await subgraph.socket(0), await subgraph.socket(1)];
    await first.until('subscribe', 2);
    await second.until('subscribe');
    const identities = subgraph.sockets.map(
      ({ received }) => (received[0]?.payload as { gatefoldIdentity: string } | undefined)?.gatefoldIdentity ?? '',
    );
    const claims = identities.map((text) => JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as object);
    expect(claims).toMatchObject([
      { aud: 'orders', sub: '1' },
      { aud: 'orders', sub: '2' },
    ]);
  });

  it.each(['jwt', 'bound'] as const)('in the form %s are in connection_init, and in the upgrade only without a proof', async (form) => {
    await start({}, {}, 'a secret that is long enough for anyone', form);
    hear(streams, subgraph.url, { principal: user('1') });
    const socket = await subgraph.socket();
    await socket.until('subscribe');
    const payload = socket.received[0]?.payload as { readonly gatefoldIdentity: string } | undefined;
    const gatefoldIdentity = payload?.gatefoldIdentity;
    expect(gatefoldIdentity?.split('.')).toHaveLength(form === 'bound' ? 4 : 3);
    expect(socket.request.headers['gatefold-identity']).toBe(form === 'bound' ? undefined : gatefoldIdentity);
  });

  it('are not sent to a subgraph whose settings remove the header', async () => {
    await start({}, { headers: { remove: ['gatefold-identity'] } }, 'a secret that is long enough for anyone', 'jwt');
    hear(streams, subgraph.url, { principal: user('1') });
    const socket = await subgraph.socket();
    await socket.until('subscribe');
    expect([socket.received[0]?.payload, socket.request.headers['gatefold-identity']]).toEqual([{}, undefined]);
  });

  it('are not sent without a secret, and no socket extension is offered', async () => {
    await start();
    hear(streams, subgraph.url);
    const socket = await subgraph.socket();
    await socket.until('subscribe');
    expect(socket.received[0]).toEqual({ type: 'connection_init', payload: {} });
    expect(socket.request.headers['sec-websocket-extensions']).toBeUndefined();
    expect(socket.request.headers['x-correlation-id']).toBe('trace-1');
  });
});

describe('a stream that is lost', () => {
  it('continues after the last event id without reporting a gap', async () => {
    await start();
    const { until } = hear(streams, subgraph.url);
    const first = await subgraph.socket();
    await first.next(0, event('a-1', 1));
    await until(2);
    first.socket.terminate();
    const second = await subgraph.socket(1);
    const [again] = await second.until('subscribe');
    expect(again?.payload).toMatchObject({ extensions: { lastEventId: 'a-1', correlationId: 'trace-1' } });
    await second.next(0, event('a-2', 2));
    expect(await until(3)).toEqual(['open', 'event a-1 {"changed":1}', 'event a-2 {"changed":2}']);
  });

  it('continues at the reported start position before any event', async () => {
    await start({
      onSubscribe: (socket, { id }) => socket.send({ type: 'ping', payload: { subscription: id, eventId: 'a-9' } }),
    });
    const { until } = hear(streams, subgraph.url);
    const first = await subgraph.socket();
    await first.until('pong');
    first.socket.terminate();
    const second = await subgraph.socket(1);
    const [again] = await second.until('subscribe');
    expect(again?.payload).toMatchObject({ extensions: { lastEventId: 'a-9' } });
    await second.next(0, event('a-10', 1));
    expect(await until(2)).toEqual(['open', 'event a-10 {"changed":1}']);
  });

  it('reports a gap if events have no ids', async () => {
    await start();
    const { until } = hear(streams, subgraph.url);
    const first = await subgraph.socket();
    await first.next(0, event(undefined, 1));
    await until(2);
    first.socket.terminate();
    const second = await subgraph.socket(1);
    await second.next(0, event(undefined, 3));
    expect(await until(4)).toEqual(['open', 'event - {"changed":1}', 'gap', 'event - {"changed":3}']);
  });

  it('reports a gap once if the subgraph has lost the last event', async () => {
    await start();
    const { until } = hear(streams, subgraph.url, { lastEventId: 'long-ago' });
    const socket = await subgraph.socket();
    const lost = { message: 'lost', extensions: { code: 'EVENTS_MAY_BE_MISSED' } };
    await socket.next(0, { data: null, errors: [lost] });
    await socket.next(0, event('b-1', 1));
    expect(await until(3)).toEqual(['open', 'gap', 'event b-1 {"changed":1}']);
  });

  it('continues after the last event if the subgraph disconnected a slow reader', async () => {
    await start();
    const { until } = hear(streams, subgraph.url);
    const socket = await subgraph.socket();
    await socket.next(0, event('a-1', 1));
    const [first] = await socket.until('subscribe');
    const overrun = [{ message: 'too slow', extensions: { code: 'EVENTS_MAY_BE_MISSED' } }];
    socket.send({ type: 'error', id: first?.id ?? '', payload: overrun });
    const [, again] = await socket.until('subscribe', 2);
    expect(again?.payload).toMatchObject({ extensions: { lastEventId: 'a-1' } });
    await socket.next(1, event('a-2', 2));
    expect(await until(3)).toEqual(['open', 'event a-1 {"changed":1}', 'event a-2 {"changed":2}']);
  });

  it('fails if the subgraph does not recover in time', async () => {
    await start({}, { subscriptions: { reconnectTimeoutMs: 30 } });
    const { until } = hear(streams, subgraph.url);
    await (await subgraph.socket()).until('subscribe');
    subgraph.fall();
    expect(await until(2)).toEqual(['open', 'failed SUBGRAPH_UNAVAILABLE']);
  });

  it('is reopened if the socket does not respond to pings', async () => {
    await start({}, { subscriptions: { pingIntervalMs: 100 } });
    const { until } = hear(streams, subgraph.url);
    const first = await subgraph.socket();
    await first.next(0, event('1', 1));
    await until(2);
    first.socket.pause();
    const second = await subgraph.socket(1);
    await second.next(0, event('2', 2));
    expect(await until(3)).toEqual(['open', 'event 1 {"changed":1}', 'event 2 {"changed":2}']);
  });

  it('is not reopened if the subgraph completes it', async () => {
    await start({ onSubscribe: (socket, { id = '' }) => socket.send({ id, type: 'complete' }) });
    expect(await hear(streams, subgraph.url).until(2)).toEqual(['open', 'complete']);
    expect(subgraph.sockets).toHaveLength(1);
  });
});
