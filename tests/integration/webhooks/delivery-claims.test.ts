import { expect, test } from '@jest/globals';
import { and, eq } from 'drizzle-orm';
import { deliveries } from '../../../subgraphs/webhooks/tables.ts';
import { describeOnQueue } from './describe-on-queue.ts';

describeOnQueue('delivery claims', (stage) => {
  test('a due message of a deleted owner is blocked and disables the endpoint', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    await queue.add(id);

    await queue.worker({ findOwner: async () => undefined }).drain();

    expect(received()).toHaveLength(0);
    expect(await queue.endpoint(id)).toMatchObject({ state: 'DISABLED', disabledReason: 'OWNER_GONE' });
    expect(await queue.deliveries(id)).toMatchObject([{ state: 'BLOCKED', lastCode: 'OWNER_GONE' }]);
  });

  test('messages made with a lost role are blocked, and later ones are sent', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position({ ownerRoles: ['ADMIN', 'USER'] });
    await queue.add(id);
    await queue.add(id);
    const worker = queue.worker({ findOwner: async () => ({ roles: ['USER'], scopes: [] }) });

    await worker.drain();
    const later = await queue.add(id);
    await worker.drain();

    expect(received().map((message) => message.id)).toEqual([later]);
    expect((await queue.deliveries(id)).map(({ state, lastCode }) => `${state} ${lastCode}`)).toEqual([
      'BLOCKED FORBIDDEN',
      'BLOCKED FORBIDDEN',
      'DELIVERED null',
    ]);
    expect((await queue.endpoint(id)).ownerRoles).toEqual(['USER']);
  });

  test('messages that failed before their role was lost are blocked too', async () => {
    const { queue, receiver, place: position } = stage();
    const { id } = await position({ ownerRoles: ['ADMIN', 'USER'] });
    await queue.add(id, { body: 'delivered' });
    await queue.worker().drain();
    receiver.respond = () => ({ status: 500 });
    await queue.add(id, { body: 'dead' });
    await queue.worker().drain();
    await queue.database.sql
      .update(deliveries)
      .set({ state: 'DEAD', finishedAt: new Date(queue.clock.now()) })
      .where(and(eq(deliveries.endpointId, id), eq(deliveries.state, 'PENDING')));
    await queue.add(id, { body: 'waiting' });

    await queue.worker({ findOwner: async () => ({ roles: ['USER'], scopes: [] }) }).drain();

    expect((await queue.deliveries(id)).map(({ body, state, lastCode }) => [body, state, lastCode])).toEqual([
      ['delivered', 'DELIVERED', null],
      ['dead', 'BLOCKED', 'FORBIDDEN'],
      ['waiting', 'BLOCKED', 'FORBIDDEN'],
    ]);
  });

  test('an ordered endpoint waits only for failed messages of the same order', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position({ isOrdered: true });
    const bodies = () => received().map(({ body }) => body);
    receiver.respond = ({ body }) => ({ status: body === 'A1' && bodies().length === 1 ? 500 : 204 });
    await queue.add(id, { entityKey: 'A', body: 'A1' });
    await queue.add(id, { entityKey: 'A', body: 'A2' });
    await queue.add(id, { entityKey: 'B', body: 'B1' });
    const worker = queue.worker();

    await worker.drain();
    expect(bodies()).toEqual(['A1', 'B1']);
    queue.clock.advance(5_000);
    await worker.drain();

    expect(bodies()).toEqual(['A1', 'B1', 'A1', 'A2']);
  });

  test('an unordered endpoint sends the next message after a failure', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    receiver.respond = ({ body }) => ({ status: body === 'A1' ? 500 : 204 });
    await queue.add(id, { entityKey: 'A', body: 'A1' });
    await queue.add(id, { entityKey: 'A', body: 'A2' });

    await queue.worker().drain();

    expect(received().map(({ body }) => body)).toEqual(['A1', 'A2']);
  });

  test('another worker sends the message of a dead worker after its lease', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    const messageId = await queue.add(id);
    receiver.respond = () => new Promise(() => {});
    const dying = queue.worker({ leaseMs: 30_000, timeoutMs: 60_000 });
    dying.wake();
    while (received().length === 0) await new Promise((resolve) => setImmediate(resolve));
    receiver.respond = () => ({ status: 204 });
    const other = queue.worker();

    queue.clock.advance(29_999);
    await other.drain();
    expect(received()).toHaveLength(1);
    queue.clock.advance(2);
    await other.drain();

    expect(received().map((message) => message.id)).toEqual([messageId, messageId]);
    await dying.stop();
    // The first worker has lost its lease, so its result is ignored.
    expect(await queue.deliveries(id)).toMatchObject([{ state: 'DELIVERED', attempts: 1 }]);
  });

  test('stopping a worker releases the message in flight immediately', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    await queue.add(id);
    receiver.respond = () => new Promise(() => {});
    const stopping = queue.worker({ timeoutMs: 60_000 });
    stopping.wake();
    while (received().length === 0) await new Promise((resolve) => setImmediate(resolve));

    await stopping.stop();

    expect(await queue.deliveries(id)).toMatchObject([{ state: 'PENDING', attempts: 0, leaseUntil: null }]);
    receiver.respond = () => ({ status: 204 });
    await queue.worker().drain();
    expect(received()).toHaveLength(2);
  });

  test('three workers send each message once, one at a time per endpoint', async () => {
    const { queue, receiver, place: position } = stage();
    const positions = await Promise.all(Array.from({ length: 8 }, () => position()));
    for (const { id } of positions) for (let count = 0; count < 12; count += 1) await queue.add(id);
    const workers = [queue.worker({ maxConcurrent: 4 }), queue.worker({ maxConcurrent: 4 }), queue.worker({ maxConcurrent: 4 })];
    receiver.respond = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { status: 204 };
    };

    await Promise.all(workers.map((worker) => worker.drain()));
    await Promise.all(workers.map((worker) => worker.drain()));

    for (const { received } of positions) {
      expect(received()).toHaveLength(12);
      expect(new Set(received().map((message) => message.id)).size).toBe(12);
      expect(receiver.mostAtOnce.get(received()[0]?.path ?? '')).toBe(1);
    }
  });
});
