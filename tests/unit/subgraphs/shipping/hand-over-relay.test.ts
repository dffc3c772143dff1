import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import type { EventPayload } from '../../../../subgraphs/kit/events/event-bus.ts';
import { createMemoryEventBus } from '../../../../subgraphs/kit/events/memory-event-bus.ts';
import type { Parcel } from '../../../../subgraphs/shipping/booking-client.ts';
import { startHandOverRelay } from '../../../../subgraphs/shipping/hand-over-relay.ts';

const NOW = new Date('2026-01-31T09:30:00.000Z');
const SHIPPED = { event: 'order.status_changed', status: 'SHIPPED', orderId: '17', qty: 3 };
const PARCEL_17 = { order_id: '17', pieces: '3', handed_over: '31.01.2026 09:30:00' };
const running: AsyncDisposable[] = [];

afterEach(async () => {
  for (const relay of running.splice(0)) await relay[Symbol.asyncDispose]();
});

interface Scene {
  /** Number of calls that fail before the backend is available. */
  readonly failures?: number;
  /** Orders that the database lists as shipped. They are read again at each lookup. */
  readonly shipped?: readonly Parcel[];
  readonly maxQueuedEvents?: number;
}

/** Starts a relay to a backend without parcels. `booked` returns the next parcel that the backend receives. */
function startRelay({ failures = 0, shipped = [], maxQueuedEvents = 128 }: Scene = {}) {
  const events = createMemoryEventBus({ maxQueuedEvents });
  const parcels: unknown[] = [];
  const waiting: (() => void)[] = [];
  const since: Date[] = [];
  let failuresLeft = failures;
  const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    failuresLeft -= 1;
    if (failuresLeft >= 0) throw new Error('connect ECONNREFUSED');
    if (init?.method !== 'POST') return json({ shipments: [] });
    parcels.push(JSON.parse(init.body as string));
    waiting.shift()?.();
    return json({ result: 'OK' });
  };
  running.push(
    startHandOverRelay({
      events,
      backend: { baseUrl: 'http://backend.invalid', fetch },
      readShippedSince: async (instant) => {
        since.push(instant);
        return shipped;
      },
      clock: { now: () => NOW.getTime() },
      log: silentLogger,
      retryDelayMs: 1,
      catchUpMs: 60_000,
    }),
  );
  let id = 0;
  const publish = async (payload: EventPayload): Promise<void> => {
    id += 1;
    await events.publish({ id: String(id), topic: 'orders', payload, at: NOW });
  };
  const booked = async (): Promise<unknown> => {
    if (parcels.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    return parcels.shift();
  };
  return { publish, booked, parcels, since };
}

describe('the hand-over of shipped orders', () => {
  it('hands an order over as soon as the backend is available', async () => {
    const { publish, booked } = startRelay({ failures: 4 });
    await publish(SHIPPED);
    expect(await booked()).toEqual(PARCEL_17);
  });

  it('ignores events that are not shipments', async () => {
    const { publish, booked, parcels } = startRelay();
    await publish({ ...SHIPPED, event: 'order.created' });
    await publish({ ...SHIPPED, status: 'CONFIRMED' });
    await publish({ event: 'order.status_changed', status: 'SHIPPED' });
    await publish({ ...SHIPPED, orderId: '18' });
    expect(await booked()).toEqual({ ...PARCEL_17, order_id: '18' });
    expect(parcels).toEqual([]);
  });

  it('hands over orders that shipped before the relay started', async () => {
    const { booked, since } = startRelay({ failures: 2, shipped: [{ orderId: '17', pieces: 3, handedOverAt: NOW }] });
    expect(await booked()).toEqual(PARCEL_17);
    expect(since[0]).toEqual(new Date('2026-01-31T09:29:00.000Z'));
  });

  it('looks the orders up again when the event queue overflows', async () => {
    const shipped: Parcel[] = [];
    const { publish, booked, since } = startRelay({ failures: 6, shipped, maxQueuedEvents: 1 });
    shipped.push({ orderId: '19', pieces: 1, handedOverAt: NOW });
    for (const orderId of ['17', '18', '19']) await publish({ ...SHIPPED, orderId });
    const reported = [await booked(), await booked(), await booked()];
    expect(reported).toContainEqual(expect.objectContaining({ order_id: '19' }));
    expect(since.length).toBeGreaterThanOrEqual(2);
  });

  it('does not wait for an unavailable backend when it stops', async () => {
    const { publish, parcels } = startRelay({ failures: Number.POSITIVE_INFINITY });
    await publish(SHIPPED);
    await running.pop()?.[Symbol.asyncDispose]();
    expect(parcels).toEqual([]);
  });
});
