import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../gateway/platform/clock.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import { toLoggableError } from '../kit/database/loggable-error.ts';
import type { BusEvent, EventBus } from '../kit/events/event-bus.ts';
import { type BookingClientOptions, createBookingClient, type Parcel } from './booking-client.ts';

export interface HandOverRelayOptions {
  readonly events: Pick<EventBus, 'subscribe'>;
  /** Reads the orders that were shipped after a time. */
  readonly readShippedSince: (since: Date) => Promise<readonly Parcel[]>;
  readonly backend: BookingClientOptions;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Delay before a hand-over is retried; it doubles up to one minute. @unit milliseconds @defaultValue 500 */
  readonly retryDelayMs?: number;
  /** Time range in which missed shipments are searched. @unit milliseconds @defaultValue seven days */
  readonly catchUpMs?: number;
}

const ORDERS_TOPIC = 'orders';
const MAX_RETRY_DELAY_MS = 60_000;
const SEVEN_DAYS_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Reports every shipped order to the legacy back end, which reads no events. Orders that were shipped while the relay was not running are
 * searched at startup and after a gap. Disposing ends the relay.
 */
export function startHandOverRelay(options: HandOverRelayOptions): AsyncDisposable {
  const { events, readShippedSince, backend, clock, log, retryDelayMs = 500, catchUpMs = SEVEN_DAYS_MS } = options;
  const ended = new AbortController();
  const api = createBookingClient(backend);
  const running = relay();

  async function relay(): Promise<void> {
    while (!ended.signal.aborted) {
      // The subscription is opened first, so that orders that ship during the search are queued.
      const reported = events.subscribe(ORDERS_TOPIC, { signal: ended.signal });
      try {
        await untilDone(catchUp);
        for await (const event of reported) {
          const parcel = readParcel(event);
          if (parcel !== undefined) await untilDone(async () => api.book(parcel));
        }
        return;
      } catch (error) {
        log.warn({ err: toLoggableError(error) }, 'Events of orders were missed. The shipped orders are read from the database instead.');
      }
    }
  }

  async function catchUp(): Promise<void> {
    const shipped = await readShippedSince(new Date(clock.now() - catchUpMs));
    const known = await api.bookedOf(shipped.map(({ orderId }) => orderId));
    for (const parcel of shipped) {
      if (!known.has(parcel.orderId) && !ended.signal.aborted) await api.book(parcel);
    }
  }

  async function untilDone(work: () => Promise<void>): Promise<void> {
    for (let delayMs = retryDelayMs; !ended.signal.aborted; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
      try {
        return await work();
      } catch (error) {
        log.warn({ err: toLoggableError(error) }, 'The shipped orders could not be sent to the shipping back end. The relay will retry.');
        await sleep(delayMs, undefined, { signal: ended.signal, ref: false }).catch(() => {});
      }
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running;
    },
  };
}

/** Returns the parcel of an order that was just shipped; undefined for every other event. */
function readParcel({ payload, at }: BusEvent): Parcel | undefined {
  const { event, status, orderId, qty } = payload;
  if (event !== 'order.status_changed' || status !== 'SHIPPED') return undefined;
  return typeof orderId === 'string' && typeof qty === 'number' ? { orderId, pieces: qty, handedOverAt: at } : undefined;
}
