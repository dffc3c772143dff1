import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BusEvent, BusSubscription, EventBus } from '../../../../../subgraphs/kit/events/event-bus.ts';

/** Tests the contract of every event bus. @param create opens a bus that stores some hundred events */
export function eventBusContract(name: string, create: () => EventBus): void {
  describe(`the contract of event buses: ${name}`, () => {
    let bus: EventBus;
    beforeEach(() => {
      bus = create();
    });
    afterEach(() => bus.close().then(() => undefined));

    const topic = (): string => `things-${Math.random()}`;
    const event = (on: string, value: number): BusEvent => ({ id: String(value), topic: on, payload: { value }, at: new Date(value) });
    async function read(subscription: BusSubscription, count: number): Promise<readonly BusEvent[]> {
      const events: BusEvent[] = [];
      while (events.length < count) events.push(((await subscription.next()) as { value: BusEvent }).value);
      return events;
    }
    const valuesOf = (events: readonly BusEvent[]) => events.map(({ payload }) => payload['value']);

    it('reports a gap for an unknown ID and continues from now', async () => {
      const on = topic();
      await bus.publish(event(on, 1));
      const subscription = bus.subscribe(on, { after: 'never' });
      expect(await subscription.start).toMatchObject({ isGap: true });
      await bus.publish(event(on, 2));
      expect(valuesOf(await read(subscription, 1))).toEqual([2]);
    });

    it('delivers all events of a topic in order to each subscriber', async () => {
      const [on, other] = [topic(), topic()];
      const subscriptions = [bus.subscribe(on), bus.subscribe(on)];
      for (const { start } of subscriptions) expect(await start).toMatchObject({ isGap: false });
      for (const value of [1, 2, 3]) {
        await bus.publish(event(other, -value));
        await bus.publish(event(on, value));
      }
      for (const subscription of subscriptions) expect(valuesOf(await read(subscription, 3))).toEqual([1, 2, 3]);
    });

    it('replays the events after an ID, and continues with new events', async () => {
      const on = topic();
      const before = bus.subscribe(on);
      await before.start;
      for (const value of [1, 2, 3]) await bus.publish(event(on, value));
      const [first] = await read(before, 3);
      const after = bus.subscribe(on, { after: first?.id });
      expect(await after.start).toEqual({ position: first?.id, isGap: false });
      await bus.publish(event(on, 4));
      expect(valuesOf(await read(after, 3))).toEqual([2, 3, 4]);
    });

    it('misses nothing after the position of a subscription without events', async () => {
      const on = topic();
      const { position } = await bus.subscribe(on).start;
      await bus.publish(event(on, 1));
      const after = bus.subscribe(on, { after: position });
      expect(await after.start).toEqual({ position, isGap: false });
      expect(valuesOf(await read(after, 1))).toEqual([1]);
    });

    it('ends a waiting iteration when the signal aborts or the bus closes', async () => {
      const on = topic();
      const stop = new AbortController();
      const [one, two] = [bus.subscribe(on, { signal: stop.signal }), bus.subscribe(on)];
      const waiting = [one.next(), two.next()];
      await two.start;
      stop.abort();
      expect(await waiting[0]).toEqual({ done: true, value: undefined });
      await bus.close();
      expect(await waiting[1]).toEqual({ done: true, value: undefined });
    });
  });
}
