import { expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { endpoints } from '../../../subgraphs/webhooks/tables.ts';
import { describeOnQueue } from './describe-on-queue.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

describeOnQueue('webhooks whose address changes during a delivery', (stage) => {
  test.each([
    ['410', { status: 410 }, { lastStatus: 410, lastCode: 'RECEIVER_GONE' }],
    ['Retry-After', { status: 503, headers: { 'retry-after': '3600' } }, { lastStatus: 503, lastCode: 'RECEIVER_THROTTLED' }],
  ])('a response of %s from the old address does not affect the new one', async (_what, response, reported) => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    const next = await position();
    const { url } = await queue.endpoint(next.id);
    await queue.add(id, { body: 'first' });
    await queue.add(id, { body: 'second' });
    receiver.respond = async () => {
      await queue.database.sql.update(endpoints).set({ url }).where(eq(endpoints.id, id));
      receiver.respond = () => ({ status: 204 });
      return response;
    };
    const worker = queue.worker();

    await worker.drain();

    expect([received(), next.received()].map((messages) => messages.map(({ body }) => body))).toEqual([['first'], ['second']]);
    expect(await queue.endpoint(id)).toMatchObject({ state: 'ACTIVE', failingSince: null });
    const [first] = await queue.deliveries(id);
    expect(first).toMatchObject({ state: 'PENDING', attempts: 1, leaseUntil: null, ...reported });
    queue.clock.advance(5_000);
    await worker.drain();
    expect(next.received().map(({ body }) => body)).toEqual(['second', 'first']);
  });

  test('a blocked old address is retried at the new one', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    const { url } = await queue.endpoint(id);
    await queue.database.sql.update(endpoints).set({ url: 'https://rebound.example.com:8443/' }).where(eq(endpoints.id, id));
    await queue.add(id);
    const resolve = async () => {
      await queue.database.sql.update(endpoints).set({ url }).where(eq(endpoints.id, id));
      return [{ address: '10.0.0.1', family: 4 }];
    };
    const worker = queue.worker({ policy: { allowedPrivateHosts: ['127.0.0.1'], resolve } });

    await worker.drain();
    expect(await queue.deliveries(id)).toMatchObject([{ state: 'PENDING', attempts: 1, lastCode: 'WEBHOOK_URL_FORBIDDEN' }]);
    queue.clock.advance(5_000);
    await worker.drain();

    expect(received()).toHaveLength(1);
  });

  test('a 2xx response of the old address does not reset failures of the new one', async () => {
    const { queue, receiver, place: position } = stage();
    const { id } = await position();
    const failingSince = new Date(queue.clock.now() - DAY_MS);
    await queue.add(id);
    receiver.respond = async () => {
      await queue.database.sql
        .update(endpoints)
        .set({ url: `${receiver.url}/elsewhere`, failingSince })
        .where(eq(endpoints.id, id));
      return { status: 204 };
    };

    await queue.worker().drain();

    expect(await queue.deliveries(id)).toMatchObject([{ state: 'DELIVERED' }]);
    expect(await queue.endpoint(id)).toMatchObject({ failingSince });
  });
});
