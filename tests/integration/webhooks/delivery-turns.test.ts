import { beforeEach, expect, test } from '@jest/globals';
import { endpoints } from '../../../subgraphs/webhooks/tables.ts';
import { describeOnQueue, type QueueStage } from './describe-on-queue.ts';
import { eventually } from '../../support/time/eventually.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Endpoints with a message each, in the order in which they are named. */
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

describeOnQueue('whose turn it is', (stage) => {
  beforeEach(async () => {
    await stage().queue.database.sql.delete(endpoints);
  });

  test('given an owner with many endpoints that never answer, when others wait, then a quarter of all attempts is what that owner gets', async () => {
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

  test('given one place and owners that wait, when it is free again and again, then it goes to those who wait longest', async () => {
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

  test('given two places of which an owner has one, when another owner waits for less long, then the second place is for that one', async () => {
    const { queue, receiver } = stage();
    const [held, older, newer] = await fill(stage(), ['31', '31', '32']);
    receiver.respond = () => undefined;
    const worker = queue.worker({ maxConcurrent: 2, maxConcurrentPerOwner: 2, timeoutMs: 60_000 });

    worker.wake();
    await eventually(() => [held, newer].every((one) => one?.received().length === 1));
    await worker.stop();

    expect(older?.received()).toEqual([]);
  });

  test('given an endpoint that has failed for days with much that waits, when another one has something, then that goes first', async () => {
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

  test('given several attempts at a time to one endpoint, when its owner may have fewer, then there are as many as the owner may have', async () => {
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

  test('given more endpoints than a claim compares, when it begins in the midst of them, then each gets its message', async () => {
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
