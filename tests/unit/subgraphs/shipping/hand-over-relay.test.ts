import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import type { EventPayload } from '../../../../subgraphs/kit/events/event-bus.ts';
import { createMemoryEventBus } from '../../../../subgraphs/kit/events/memory-event-bus.ts';
import { startHandOverRelay } from '../../../../subgraphs/shipping/hand-over-relay.ts';
import type { Fetcher } from '../../../../subgraphs/shipping/deadline-fetch.ts';

const SHIPPED = { event: 'order.status_changed', status: 'SHIPPED', orderId: '17', qty: 3 };
const running: AsyncDisposable[] = [];

afterEach(async () => {
  for (const relay of running.splice(0)) await relay[Symbol.asyncDispose]();
});

/** A relay to a backend that fails as often as told; `booked` resolves with the bodies once as many as wanted were taken. */
function startRelay({ failures = 0, wanted = 1 }: { failures?: number; wanted?: number } = {}) {
  const events = createMemoryEventBus();
  const taken: string[] = [];
  let failuresLeft = failures;
  let tell: (bodies: readonly string[]) => void = () => {};
  const booked = new Promise<readonly string[]>((resolve) => {
    tell = resolve;
  });
  const fetch: Fetcher = async (_url, init) => {
    if (failuresLeft-- > 0) throw new Error('connect ECONNREFUSED');
    taken.push(String(init?.body));
    if (taken.length === wanted) tell(taken);
    return new Response('{"result":"OK"}', { status: 201, headers: { 'content-type': 'application/json' } });
  };
  running.push(startHandOverRelay({ events, backend: { baseUrl: 'http://backend.invalid', fetch }, log: silentLogger, retryDelayMs: 1 }));
  let id = 0;
  const publish = (payload: EventPayload) =>
    events.publish({ id: String((id += 1)), topic: 'orders', payload, at: new Date('2026-01-31T09:30:00.000Z') });
  return { publish, booked, taken };
}

describe('handing shipped orders over', () => {
  it('given a backend that is down at first, when an order ships, then it is handed over as soon as the backend is back', async () => {
    const { publish, booked } = startRelay({ failures: 4 });
    await publish(SHIPPED);
    expect((await booked).map((body) => JSON.parse(body) as unknown)).toEqual([
      { order_id: '17', pieces: '3', handed_over: '31.01.2026 09:30:00' },
    ]);
  });

  it('given events of other kinds, when they are told, then only what ships is handed over', async () => {
    const { publish, booked, taken } = startRelay();
    await publish({ ...SHIPPED, event: 'order.created' });
    await publish({ ...SHIPPED, status: 'CONFIRMED' });
    await publish({ event: 'order.status_changed', status: 'SHIPPED' });
    await publish({ ...SHIPPED, orderId: '18' });
    await booked;
    expect(taken.map((body) => (JSON.parse(body) as { order_id: string }).order_id)).toEqual(['18']);
  });

  it('given a backend that stays away, when the relay ends, then it does not wait for it', async () => {
    const { publish, taken } = startRelay({ failures: Number.POSITIVE_INFINITY });
    await publish(SHIPPED);
    await running.pop()?.[Symbol.asyncDispose]();
    expect(taken).toEqual([]);
  });
});
