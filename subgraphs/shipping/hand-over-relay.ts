import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../gateway/platform/clock.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import { toLoggableError } from '../kit/database/loggable-error.ts';
import type { BusEvent, EventBus } from '../kit/events/event-bus.ts';
import { LegacyShippingApi, type Parcel } from './legacy-shipping-api.ts';
import type { LegacyBackendAccess } from './shipment-look-up.ts';

export interface HandOverRelayOptions {
  readonly events: Pick<EventBus, 'subscribe'>;
  /** What shipped after an instant, by the books of the orders. */
  readonly readShippedSince: (since: Date) => Promise<readonly Parcel[]>;
  readonly backend: LegacyBackendAccess;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Pause before a hand-over is tried again; it doubles up to a minute. @unit milliseconds @defaultValue 500 */
  readonly retryDelayMs?: number;
  /** How far back to look for orders that shipped while nobody listened. @unit milliseconds @defaultValue seven days */
  readonly catchUpMs?: number;
}

const ORDERS_TOPIC = 'orders';
const MAX_RETRY_DELAY_MS = 60_000;
const SEVEN_DAYS_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Tells the legacy backend of every order that ships. Nothing else would: it reads no events. What shipped while nobody
 * listened is looked up at the start, and after a gap. Disposing ends it.
 */
export function startHandOverRelay(options: HandOverRelayOptions): AsyncDisposable {
  const { events, readShippedSince, backend, clock, log, retryDelayMs = 500, catchUpMs = SEVEN_DAYS_MS } = options;
  const ended = new AbortController();
  const api = new LegacyShippingApi({ ...backend, correlationId: 'hand-over-relay' });
  const running = relay();

  async function relay(): Promise<void> {
    while (!ended.signal.aborted) {
      // Listening first: what ships during the look-up waits in the queue.
      const told = events.subscribe(ORDERS_TOPIC, { signal: ended.signal });
      try {
        await untilDone(catchUp);
        for await (const event of told) {
          const parcel = readParcel(event);
          if (parcel !== undefined) await untilDone(async () => api.book(parcel));
        }
        return;
      } catch (error) {
        log.warn({ err: toLoggableError(error) }, 'events of orders were missed; the orders are looked up instead');
      }
    }
  }

  async function catchUp(): Promise<void> {
    const shipped = await readShippedSince(new Date(clock.now() - catchUpMs));
    const known = await api.shipmentsOf(shipped.map(({ orderId }) => orderId));
    for (const parcel of shipped) {
      if (!known.has(parcel.orderId) && !ended.signal.aborted) await api.book(parcel);
    }
  }

  async function untilDone(work: () => Promise<void>): Promise<void> {
    for (let delayMs = retryDelayMs; !ended.signal.aborted; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
      try {
        return await work();
      } catch (error) {
        log.warn({ err: toLoggableError(error) }, 'shipped orders could not be handed to the shipping backend; it is tried again');
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

/** The parcel of an order that has just shipped; undefined for every other event. */
function readParcel({ payload, at }: BusEvent): Parcel | undefined {
  const { event, status, orderId, qty } = payload;
  if (event !== 'order.status_changed' || status !== 'SHIPPED') return undefined;
  return typeof orderId === 'string' && typeof qty === 'number' ? { orderId, pieces: qty, handedOverAt: at } : undefined;
}
