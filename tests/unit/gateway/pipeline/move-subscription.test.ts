import { afterEach, describe, expect, it } from '@jest/globals';
import { type GraphOptions, ORDERS, SHIPPING, type StreamingGraph, nextOf, startStreamingGraph } from './streams/streaming-graph.ts';

const CHANGED = 'subscription { changed { at order { status shipment } } }';
const reported = (id: string) => ({ data: { changed: { at: 1, order: { status: 'NEW', shipment: `box ${id}` } } } });

let graph: StreamingGraph;
const start = async (options?: GraphOptions): Promise<void> => {
  graph = await startStreamingGraph(options);
};
afterEach(async () => {
  await graph[Symbol.asyncDispose]();
});

describe('given a new supergraph', () => {
  const alive = () => graph.generations.report().alive;
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  async function until(isHeld: () => boolean): Promise<void> {
    while (!isHeld()) await tick();
  }

  it('continues the stream with the new plan if operation and source are the same', async () => {
    await start();
    const stream = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.send('e1', '1');
    await graph.load({
      orders: ORDERS,
      post: SHIPPING.replace('rate', 'postage'),
    });
    graph.upstreams[0]?.send('e2', '2');
    await until(() => alive() === 1);
    graph.upstreams[0]?.send('e3', '3');
    for (const id of ['1', '2', '3']) expect(await nextOf(stream)).toEqual({ eventId: `e${id}`, body: reported(id) });
    expect(graph.upstreams).toHaveLength(1);
    expect([graph.requests[0]?.subgraph, graph.requests.at(-1)?.subgraph]).toEqual(['shipping', 'post']);
  });

  it('opens a new stream after the last event if the source request differs', async () => {
    await start();
    const stream = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.send('e1', '1');
    await graph.load({ orders: ORDERS.replace('status: String', 'status: String shipment: String') });
    await until(() => alive() === 1);
    expect(graph.upstreams.map(({ isClosed, request }) => [isClosed, request.lastEventId])).toEqual([
      [true, undefined],
      [false, 'e1'],
    ]);
    expect(await nextOf(stream)).toEqual({ eventId: 'e1', body: reported('1') });
    graph.upstreams[1]?.listener.onEvent({
      eventId: 'e2',
      response: { data: { changed: { at: 1, order: { status: 'NEW', shipment: 'inside' } } } },
    });
    expect(await nextOf(stream)).toEqual({
      eventId: 'e2',
      body: { data: { changed: { at: 1, order: { status: 'NEW', shipment: 'inside' } } } },
    });
  });

  it('ends subscriptions that are not valid any more and continues the others', async () => {
    await start();
    const [ended, goesOn] = [await graph.subscribe(CHANGED), await graph.subscribe('subscription { changed { at } }')];
    await graph.load({ orders: ORDERS });
    await expect(ended.next()).rejects.toMatchObject({ code: 'SUBSCRIPTION_SCHEMA_RELOAD' });
    await until(() => alive() === 1);
    graph.upstreams[1]?.send('e1', '1');
    expect(await nextOf(goesOn)).toEqual({ eventId: 'e1', body: { data: { changed: { at: 1 } } } });
    expect(graph.upstreams.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('delivers each event once and in order during repeated supergraph changes', async () => {
    /** Events that the subgraph can send again. */
    const sent: string[] = [];
    await start({
      streaming: { maxQueuedEvents: 1_000, maxQueuedBytes: 1_000_000 },
      onOpen(upstream) {
        upstream.listener.onOpen();
        const { lastEventId } = upstream.request;
        if (lastEventId === undefined) return;
        for (const id of sent.slice(sent.indexOf(lastEventId) + 1)) upstream.send(id, id);
      },
    });
    const worlds = [
      { orders: ORDERS, shipping: SHIPPING },
      { orders: ORDERS, post: SHIPPING.replace('rate', 'postage') },
      {
        orders: ORDERS.replace('type Order @key(fields: "id")', 'type Order @key(fields: "id") @key(fields: "status id")'),
        shipping: SHIPPING,
      },
      { stock: ORDERS, shipping: SHIPPING },
    ];
    const texts = [CHANGED, 'subscription { changed { order { id } } }', 'subscription { it: changed { order { shipment } } }'];
    const streams = await Promise.all(Array.from({ length: 60 }, (_, nth) => graph.subscribe(texts[nth % texts.length] ?? CHANGED)));
    for (let round = 1; round <= 12; round += 1) {
      const loading = graph.load(worlds[round % worlds.length] ?? {});
      for (let event = 0; event < 5; event += 1) {
        const id = `${round}-${event}`;
        sent.push(id);
        for (const upstream of graph.upstreams) if (!upstream.isClosed) upstream.send(id, id);
        await tick();
      }
      await loading;
      await until(() => alive() === 1);
    }
    for (const stream of streams) {
      const seen: unknown[] = [];
      while (seen.length < sent.length) seen.push(((await nextOf(stream)) as { eventId: string }).eventId);
      expect(seen).toEqual(sent);
    }
    expect(graph.streaming.report()).toEqual({ subscribers: 60, shared: 3, dropped: 0, missed: 0 });
  });
});
