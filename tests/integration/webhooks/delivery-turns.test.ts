import { beforeEach, expect, test } from '@jest/globals';
import { endpoints } from '../../../subgraphs/webhooks/tables.ts';
import { describeOnQueue, type QueueStage } from './describe-on-queue.ts';
import { eventually } from '../../support/time/eventually.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Creates endpoints with one message each, in the order of the owners. */
async function fill({ queue, place: position }: QueueStage, owners: readonly string[]) {
  const positions = [];
  for (const ownerId of owners) {
    const made = await position({ ownerId });
    await queue.add(made.id);
    queue.clock.advance(1);
    positions.push({ ...made, ownerId });
  }
  return positions;
}

describeOnQueue('delivery order', (stage) => {
  beforeEach(async () => {
    await stage().queue.database.sql.delete(endpoints);
  });

  test('an owner with stalled endpoints uses at most a quarter of all attempts', async () => {
    const { queue, receiver } = stage();
    const slow = await fill(
      stage(),
      Array.from({ length: 20 }, () => '11'),
    );
    for (const { id } of slow) for (let count = 0; count < 3; count += 1) await queue.add(id);
    const quick = await fill(stage(), ['12', '13', '12', '13']);
    receiver.respond = ({ path }) => (quick.some(({ received }) => received()[0]?.path === path) ? { status: 204 } : undefined);
    const worker = queue.worker({ maxConcurrent: 16, timeoutMs: 60_000 });

    worker.wake();
    await eventually(
      () => quick.every(({ received }) => received().length === 1) && slow.flatMap(({ received }) => received()).length >= 4,
    );
    await worker.stop();

    expect(slow.map(({ received }) => received().length)).toEqual([1, 1, 1, 1, ...Array.from({ length: 16 }, () => 0)]);
  });

  test('a single slot goes to the owner that waits longest', async () => {
    const { queue, receiver } = stage();
    const before = receiver.received.length;
    const positions = (await Promise.all(['23', '21', '22', '21'].map((ownerId) => stage().place({ ownerId })))).toReversed();
    const [first] = positions;
    for (const { id } of [...positions, ...positions.slice(0, 1)]) {
      await queue.add(id);
      queue.clock.advance(1);
    }

    await queue.worker({ maxConcurrent: 1 }).drain();

    const paths = receiver.received.slice(before).map(({ path }) => path);
    expect(paths).toEqual([...positions, first].map((one) => one?.received()[0]?.path));
  });

  test('the second slot goes to an owner without one, even if another waits longer', async () => {
    const { queue, receiver } = stage();
    const [held, older, newer] = await fill(stage(), ['31', '31', '32']);
    receiver.respond = () => undefined;
    const worker = queue.worker({ maxConcurrent: 2, maxConcurrentPerOwner: 2, timeoutMs: 60_000 });

    worker.wake();
    await eventually(() => [held, newer].every((one) => one?.received().length === 1));
    await worker.stop();

    expect(older?.received()).toEqual([]);
  });

  test('a healthy endpoint precedes one that has failed for days', async () => {
    const { queue, receiver, place: position } = stage();
    const failing = await position({ ownerId: '41', failingSince: new Date(queue.clock.now() - DAY_MS) });
    await queue.add(failing.id);
    queue.clock.advance(1_000);
    const sound = await position({ ownerId: '42' });
    await queue.add(sound.id);
    const before = receiver.received.length;

    await queue.worker({ maxConcurrent: 1 }).drain();

    const paths = receiver.received.slice(before).map(({ path }) => path);
    expect(paths).toEqual([sound, failing].map(({ received }) => received()[0]?.path));
  });

  test('the limit of an owner applies before the limit of an endpoint', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position({ ownerId: '51' });
    for (let count = 0; count < 9; count += 1) await queue.add(id);
    receiver.respond = () => undefined;
    const worker = queue.worker({ maxConcurrentPerEndpoint: 5, maxConcurrentPerOwner: 2, timeoutMs: 60_000 });

    worker.wake();
    await eventually(() => received().length === 2);

    expect((await queue.deliveries(id)).filter(({ leaseUntil }) => leaseUntil !== null)).toHaveLength(2);
    await worker.stop();
  });

  test('every endpoint gets its message when there are more than a claim compares', async () => {
    const positions = await fill(
      stage(),
      Array.from({ length: 70 }, (_none, index) => String(1_000 + index)),
    );

    await stage()
      .queue.worker({ random: () => 0.5 })
      .drain();

    expect(positions.map(({ received }) => received().length)).toEqual(positions.map(() => 1));
  });
});
