import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import type { Database } from '../../../../../subgraphs/kit/database/database.ts';
import type { EventBus } from '../../../../../subgraphs/kit/events/event-bus.ts';
import { startOutboxRelay } from '../../../../../subgraphs/kit/events/outbox-relay.ts';
import { appendToOutbox } from '../../../../../subgraphs/kit/writes/outbox.ts';
import { openSampleDatabase } from '../../../../support/database/sample-database.ts';

describe('the outbox relay', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openSampleDatabase();
  });
  afterAll(async () => database.close());

  const emit = async (...numbers: readonly number[]) =>
    database.transaction(async (sql) =>
      appendToOutbox(
        sql,
        'test',
        numbers.map((number) => ({ topic: 'numbers', payload: { number } })),
        new Date(0),
      ),
    );
  const busOf = (publish: EventBus['publish']): EventBus => ({
    publish,
    subscribe: () => {
      throw new Error('This bus does not support subscriptions.');
    },
    async close() {},
  });
  const relayTo = (publish: EventBus['publish']) =>
    startOutboxRelay({ database, bus: busOf(publish), clock: systemClock, log: silentLogger, batchSize: 3, pollIntervalMs: 3_600_000 });

  it('publishes no events of a transaction that is rolled back', async () => {
    const undone = database.transaction(async (sql) => {
      await appendToOutbox(sql, 'test', [{ topic: 'numbers', payload: { number: 0 } }], new Date(0));
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    const heard: unknown[] = [];
    const relay = relayTo(async ({ payload }) => void heard.push(payload['number']));
    await relay.drain();
    await relay.stop();
    expect(heard).toEqual([]);
  });

  it('checks a failed bus before it opens a transaction again', async () => {
    let isAway = true;
    const requested: string[] = [];
    const publish: EventBus['publish'] = async () => {
      requested.push('publish');
      if (isAway) throw new Error('the bus is away');
    };
    const check = async (): Promise<void> => {
      requested.push('check');
      if (isAway) throw new Error('the bus is still away');
    };
    const bus: EventBus = { ...busOf(publish), check };
    const relay = startOutboxRelay({ database, bus, clock: systemClock, log: silentLogger, pollIntervalMs: 3_600_000 });
    await relay.drain();
    await emit(1);
    await expect(relay.drain()).rejects.toThrow('the bus is away');
    await expect(relay.drain()).rejects.toThrow('the bus is still away');
    isAway = false;
    await relay.drain();
    await relay.stop();
    expect(requested).toEqual(['publish', 'check', 'check', 'publish']);
  });

  it('publishes every event in order after the bus failed in a batch', async () => {
    const heard: unknown[] = [];
    let failures = 2;
    const relay = relayTo(async ({ payload }) => {
      if (payload['number'] === 5 && failures-- > 0) throw new Error('the bus is away');
      heard.push(payload['number']);
    });
    await relay.drain();
    await emit(1, 2, 3, 4, 5, 6, 7);
    await expect(relay.drain()).rejects.toThrow('the bus is away');
    await expect(relay.drain()).rejects.toThrow('the bus is away');
    await relay.drain();
    await relay.stop();
    const firstTimes = heard.filter((number, index) => heard.indexOf(number) === index);
    expect(firstTimes).toEqual([1, 2, 3, 4, 5, 6, 7]);
    // The events of the failed batch that were already published are published again.
    expect(heard).toEqual([1, 2, 3, 4, 4, 4, 5, 6, 7]);
  });

  it('assigns increasing IDs in commit order for many transactions', async () => {
    const heard: { id: number; number: unknown }[] = [];
    const relay = relayTo(async ({ id, payload }) => void heard.push({ id: Number(id), number: payload['number'] }));
    await Promise.all(Array.from({ length: 20 }, async (_, number) => emit(number)));
    await relay.drain();
    await relay.stop();
    expect(heard).toHaveLength(20);
    expect(heard).toEqual(heard.toSorted((left, right) => left.id - right.id));
  });
});
