import { describe, expect, it } from '@jest/globals';
import type { BusEvent } from '../../../../../subgraphs/kit/events/event-bus.ts';
import { createMemoryEventBus } from '../../../../../subgraphs/kit/events/memory-event-bus.ts';
import { eventBusContract } from './event-bus-contract.ts';

const event = (id: number, topic = 'things'): BusEvent => ({ id: String(id), topic, payload: {}, at: new Date(0) });
const END = { done: true, value: undefined };

eventBusContract('memory', () => createMemoryEventBus());

describe('the memory event bus', () => {
  it('a slow consumer gets its queued events and an error, and others are not affected', async () => {
    const bus = createMemoryEventBus({ maxQueuedEvents: 2 });
    const [slow, quick] = [bus.subscribe('things'), bus.subscribe('things')];
    const heard: (string | undefined)[] = [];
    for (const id of [1, 2, 3, 4]) {
      await bus.publish(event(id));
      heard.push((await quick.next()).value?.id);
    }
    expect([(await slow.next()).value?.id, (await slow.next()).value?.id]).toEqual(['1', '2']);
    await expect(slow.next()).rejects.toMatchObject({ extensions: { code: 'EVENTS_MAY_BE_MISSED' } });
    expect(await slow.next()).toEqual(END);
    expect(heard).toEqual(['1', '2', '3', '4']);
  });

  it('an aborted signal ends a waiting consumer, and a new one immediately', async () => {
    const bus = createMemoryEventBus();
    const controller = new AbortController();
    const waiting = bus.subscribe('things', { signal: controller.signal }).next();
    controller.abort();
    expect(await waiting).toEqual(END);
    expect(await bus.subscribe('things', { signal: controller.signal }).next()).toEqual(END);
  });

  it('`return` and `close` end waiting consumers without more events', async () => {
    const bus = createMemoryEventBus();
    const [one, two] = [bus.subscribe('things'), bus.subscribe('things')];
    const waiting = [one.next(), two.next()];
    await one.return?.();
    await bus.publish(event(1));
    await bus.close();
    expect(await Promise.all(waiting)).toEqual([END, { done: false, value: event(1) }]);
    expect([await two.next(), await bus.subscribe('things').next()]).toEqual([END, END]);
  });

  it('delivers each topic in order to its own subscribers', async () => {
    const bus = createMemoryEventBus();
    const things = bus.subscribe('things');
    for (const next of [event(1), event(2, 'others'), event(3)]) await bus.publish(next);
    expect([(await things.next()).value?.id, (await things.next()).value?.id]).toEqual(['1', '3']);
  });
});
