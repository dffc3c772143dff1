import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { type RunningSubgraphs, startSubgraphs } from '../../../subgraphs/start-subgraphs.ts';
import { type RedisServer, missingRedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { signIdentity } from '../../support/identity/sign-identity.ts';
import { openSampleDatabase } from '../../support/database/sample-database.ts';

const SECRET = 's'.repeat(64);
const missing = missingRedisServer();

/** Each instance has a separate server, relay and bus, as separate processes do. They share one database. */
(missing === undefined ? describe : describe.skip)('two instances of the reference subgraphs with a shared Redis', () => {
  let redis: RedisServer;
  let database: Database;
  let hosts: readonly RunningSubgraphs[] = [];

  beforeAll(async () => {
    redis = await startRedisServer();
    database = await openSampleDatabase();
    const identity = { secret: SECRET };
    const options = {
      database,
      identity,
      profile: 'production',
      clock: systemClock,
      log: silentLogger,
      webhooks: { keys: [SECRET] },
    } as const;
    hosts = [await startSubgraphs({ ...options, redisUrl: redis.url }), await startSubgraphs({ ...options, redisUrl: redis.url })];
  });
  afterAll(async () => {
    for (const host of hosts) await host.stop();
    await database.close();
    await redis[Symbol.asyncDispose]();
  });

  async function createOrder(host: RunningSubgraphs | undefined): Promise<string> {
    const query = 'mutation { createOrder(input: { productId: "1", qty: 1 }) { order { id } } }';
    const body = JSON.stringify({ query });
    const identity = signIdentity({ secret: SECRET, audience: 'orders', body, kind: 'user', sub: '1' });
    const response = await fetch(host?.subgraphs.orders.url ?? '', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'gatefold-identity': identity },
    });
    const httpResponse = (await response.json()) as { data: { createOrder: { order: { id: string } } } };
    return httpResponse.data.createOrder.order.id;
  }

  it('deliver every order to subscribers of both, with IDs that both accept', async () => {
    const subscriptions = hosts.map(({ events }) => events.subscribe('orders'));
    for (const { start } of subscriptions) await start;
    const ids = [await createOrder(hosts[0]), await createOrder(hosts[1])];
    for (const host of hosts) await host.relay.drain();
    const heard = await Promise.all(
      subscriptions.map(async (subscription) => [(await subscription.next()).value, (await subscription.next()).value]),
    );
    for (const events of heard) expect(events.map((event) => (event as { payload: { orderId: string } }).payload.orderId)).toEqual(ids);
    const first = heard[0]?.[0] as { readonly id: string } | undefined;
    const after = hosts[1]?.events.subscribe('orders', { after: first?.id ?? '' });
    expect((await after?.next())?.value).toMatchObject({ payload: { orderId: ids[1] } });
  });
});
