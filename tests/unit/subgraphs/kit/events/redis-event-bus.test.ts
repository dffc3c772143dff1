import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import type { BusEvent, BusSubscription, EventBus } from '../../../../../subgraphs/kit/events/event-bus.ts';
import { createRedisEventBus } from '../../../../../subgraphs/kit/events/redis-event-bus.ts';
import { type RedisServer, missingRedisServer, startRedisCluster, startRedisServer } from '../../../../support/redis/redis-server.ts';
import { eventBusContract } from './event-bus-contract.ts';

const missing = missingRedisServer();

(missing === undefined ? describe : describe.skip)('the event bus on Redis Streams', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
  });
  const opened: EventBus[] = [];
  afterEach(async () => {
    for (const bus of opened.splice(0)) await bus.close();
  });
  const create = (more = {}): EventBus => {
    const bus = createRedisEventBus({ url: redis.url, log: silentLogger, ...more });
    opened.push(bus);
    return bus;
  };
  const event = (value: number) => ({ id: String(value), topic: 'orders', payload: { value }, at: new Date(value) });

  eventBusContract('Redis Streams', create);

  it('delivers events between two processes, with event IDs that are valid in both', async () => {
    const [here, there] = [create(), create()];
    const subscription = there.subscribe('orders');
    const { position } = await subscription.start;
    await here.publish(event(1));
    expect((await subscription.next()).value).toMatchObject({ payload: { value: 1 }, topic: 'orders', at: new Date(1) });
    expect((await here.subscribe('orders', { after: position }).next()).value).toMatchObject({ payload: { value: 1 } });
  });

  it('reports a gap after an event that is no longer stored', async () => {
    const bus = create({ maxReplayEvents: 1 });
    const subscription = bus.subscribe('many');
    const { position } = await subscription.start;
    for (let value = 0; value < 300; value += 1) await bus.publish({ ...event(value), topic: 'many' });
    expect(await bus.subscribe('many', { after: position }).start).toMatchObject({ isGap: true });
  });

  it('reports missed events and a gap when Redis restarts empty', async () => {
    const bus = create();
    const subscription = bus.subscribe('orders');
    const { position } = await subscription.start;
    const waiting = subscription.next();
    const reported = expect(waiting).rejects.toMatchObject({ extensions: { code: 'EVENTS_MAY_BE_MISSED' } });
    await redis.kill();
    await redis.start();
    await reported;
    await bus.publish(event(2));
    expect(await bus.subscribe('orders', { after: position }).start).toMatchObject({ isGap: true });
  });

  it('reports a gap and replays the stored events when Redis restarts with its data', async () => {
    await using lasting = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
    const bus = create({ url: lasting.url });
    const { position } = await bus.subscribe('orders').start;
    await bus.publish(event(1));
    await lasting.kill();
    await lasting.start();
    const came = follow(bus, 'orders', position, 3);
    await untilTaken(bus, event(2));
    expect(await came).toEqual(['gap', 1, 2]);
  });

  it('reports possibly missed events while Redis is frozen, and later replays all of them', async () => {
    const bus = create();
    const subscription = bus.subscribe('still');
    const { position } = await subscription.start;
    const reported = expect(subscription.next()).rejects.toMatchObject({ extensions: { code: 'EVENTS_MAY_BE_MISSED' } });
    redis.freeze();
    await expect(bus.publish({ ...event(1), topic: 'still' })).rejects.toThrow();
    await expect(bus.check?.()).rejects.toThrow();
    await reported;
    redis.thaw();
    for (const value of [1, 2]) await untilTaken(bus, { ...event(value), topic: 'still' });
    expect(await follow(bus, 'still', position, 2)).toEqual([1, 2]);
  });

  it('stores an event once when it is published again after a lost confirmation', async () => {
    const bus = create();
    const subscription = bus.subscribe('repeated');
    await subscription.start;
    const inTopic = (value: number) => ({ ...event(value), topic: 'repeated' });
    for (const value of [1, 2, 3, 1, 2, 3, 4]) await bus.publish(inTopic(value));
    const read: unknown[] = [];
    while (read.length < 4) read.push((await subscription.next()).value.payload.value);
    expect(read).toEqual([1, 2, 3, 4]);
  });

  it('no subscriber misses or repeats an event when it joins during publishing', async () => {
    const bus = create();
    const topic = 'busy';
    const { position } = await bus.subscribe(topic).start;
    const subscriptions: { readonly from: 'start' | 'now'; readonly read: Promise<readonly number[]> }[] = [];
    const last = 150;
    for (let value = 1; value <= last; value += 1) {
      if (value % 5 === 0) {
        for (const from of ['start', 'now'] as const) {
          const subscription = bus.subscribe(topic, from === 'start' ? { after: position } : {});
          subscriptions.push({ from, read: readUntil(subscription, last) });
        }
      }
      await bus.publish({ ...event(value), topic });
    }
    await bus.publish({ ...event(last + 1), topic });
    for (const { from, read } of subscriptions) {
      const values = await read;
      const first = from === 'start' ? 1 : (values[0] ?? Number.NaN);
      expect(values).toEqual(Array.from({ length: values.length }, (_, nth) => first + nth));
      expect(values.at(-1)).toBe(last + 1);
    }
  });
});

/** Publishes an event like the outbox: again and again, until it is accepted. */
async function untilTaken(bus: EventBus, one: BusEvent): Promise<void> {
  const isUsed = await bus.publish(one).then(
    () => true,
    () => false,
  );
  if (!isUsed) await untilTaken(bus, one);
}

/** Reads like a gateway: a broken subscription resumes after the last event. Consecutive gaps are recorded once. */
async function follow(bus: EventBus, topic: string, from: string, count: number): Promise<readonly unknown[]> {
  const reported: unknown[] = [];
  let after = from;
  while (reported.length < count) {
    const subscription = bus.subscribe(topic, { after });
    const { isGap, position } = await subscription.start;
    if (isGap && reported.at(-1) !== 'gap') reported.push('gap');
    if (isGap) after = position;
    try {
      while (reported.length < count) {
        const { value } = (await subscription.next()) as { value: BusEvent };
        after = value.id;
        reported.push(value.payload['value']);
      }
    } catch {
      // Subscribes again.
    }
  }
  return reported;
}

async function readUntil(subscription: BusSubscription, last: number): Promise<readonly number[]> {
  const values: number[] = [];
  while ((values.at(-1) ?? 0) <= last) values.push((await subscription.next()).value.payload.value);
  return values;
}

(missing === undefined ? describe : describe.skip)('the event bus on a Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  eventBusContract('Redis Streams of a Cluster', () => createRedisEventBus({ url: cluster.urls, log: silentLogger }));
});
