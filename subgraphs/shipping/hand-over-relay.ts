import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { BusEvent, EventBus } from '../kit/events/event-bus.ts';
import { LegacyShippingApi, type Parcel } from './legacy-shipping-api.ts';
import type { LegacyBackendAccess } from './shipment-look-up.ts';

export interface HandOverRelayOptions {
  readonly events: Pick<EventBus, 'subscribe'>;
  readonly backend: LegacyBackendAccess;
  readonly log: Logger;
  /** Pause before a hand-over is tried again; it doubles up to a minute. @unit milliseconds @defaultValue 500 */
  readonly retryDelayMs?: number;
}

const ORDERS_TOPIC = 'orders';
const MAX_RETRY_DELAY_MS = 60_000;

/** Tells the legacy backend of every order that ships. Nothing else would: it reads no events. Disposing ends it. */
export function startHandOverRelay({ events, backend, log, retryDelayMs = 500 }: HandOverRelayOptions): AsyncDisposable {
  const ended = new AbortController();
  const running = relay();

  async function relay(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        for await (const event of events.subscribe(ORDERS_TOPIC, ended.signal)) {
          const parcel = readParcel(event);
          if (parcel !== undefined) await handOver(parcel, event.id);
        }
        return;
      } catch (error) {
        // The queue overflowed while the backend was away; what comes next is still worth handing over.
        if (!ended.signal.aborted) log.error({ err: error }, 'shipped orders may not have been handed to the shipping backend');
      }
    }
  }

  async function handOver(parcel: Parcel, correlationId: string): Promise<void> {
    for (let delayMs = retryDelayMs; !ended.signal.aborted; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
      try {
        return await new LegacyShippingApi({ ...backend, correlationId: `handover-${correlationId}` }).book(parcel);
      } catch (error) {
        log.warn({ err: error, orderId: parcel.orderId }, 'a shipped order could not be handed to the shipping backend; it is tried again');
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
