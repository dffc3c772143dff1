import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import type { EventBus } from '../../../../../subgraphs/kit/events/event-bus.ts';
import { createRedisEventBus } from '../../../../../subgraphs/kit/events/redis-event-bus.ts';
import { type RedisServer, missingRedisServer, startRedisCluster, startRedisServer } from '../../../../support/redis-server.ts';
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
  const create = (more = {}): EventBus => createRedisEventBus({ url: redis.url, log: silentLogger, ...more });
  const event = (value: number) => ({ id: String(value), topic: 'orders', payload: { value }, at: new Date(value) });

  eventBusContract('Redis Streams', create);

  it('given two processes, when one publishes, then the other reads it, and ids of one hold in the other', async () => {
    const [here, there] = [create(), create()];
    const subscription = there.subscribe('orders');
    const { position } = await subscription.start;
    await here.publish(event(1));
    expect((await subscription.next()).value).toMatchObject({ payload: { value: 1 }, topic: 'orders', at: new Date(1) });
    expect((await here.subscribe('orders', { after: position }).next()).value).toMatchObject({ payload: { value: 1 } });
    await Promise.all([here.close(), there.close()]);
  });

  it('given events that are not kept any more, when subscribing after one of them, then there is a gap', async () => {
    const bus = create({ maxReplayEvents: 1 });
    const subscription = bus.subscribe('many');
    const { position } = await subscription.start;
    for (let value = 0; value < 300; value += 1) await bus.publish({ ...event(value), topic: 'many' });
    expect(await bus.subscribe('many', { after: position }).start).toMatchObject({ isGap: true });
    await bus.close();
  });

  it('given a Redis that comes back empty, then who listens is told, who publishes can, and an id of before is a gap', async () => {
    const bus = create();
    const subscription = bus.subscribe('orders');
    const { position } = await subscription.start;
    const waiting = subscription.next();
    const told = expect(waiting).rejects.toMatchObject({ extensions: { code: 'EVENTS_MAY_BE_MISSED' } });
    await redis.kill();
    await redis.start();
    await told;
    await bus.publish(event(2));
    expect(await bus.subscribe('orders', { after: position }).start).toMatchObject({ isGap: true });
    await bus.close();
  });
});

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
