import { toLegacyTime } from './legacy-backend/legacy-time.ts';

/** An order that is handed over to the carrier. */
export interface Parcel {
  readonly orderId: string;
  readonly pieces: number;
  readonly handedOverAt: Date;
}

export interface BookingClientOptions {
  /** Address of the back end, without a path. */
  readonly baseUrl: string;
  /** @defaultValue `fetch` of Node.js */
  readonly fetch?: typeof globalThis.fetch;
  /** Timeout of a call, including the body. @unit milliseconds @defaultValue 3000 */
  readonly timeoutMs?: number;
}

/** Client of the back end for bookings. Its methods throw the errors of `fetch`, or an Error when the back end rejects the call. */
export interface BookingClient {
  /** Returns those of the orders that were handed over. It makes one call per 500 orders. */
  bookedOf(orderIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Hands an order over. Handing it over again changes nothing. */
  book(parcel: Parcel): Promise<void>;
}

/** Maximum length of a list that the back end accepts. */
const MAX_ORDER_IDS_PER_CALL = 500;

export function createBookingClient({ baseUrl, fetch = globalThis.fetch, timeoutMs = 3_000 }: BookingClientOptions): BookingClient {
  async function call(search: string, body?: object): Promise<unknown> {
    const response = await fetch(new URL(`/api/shipments${search}`, baseUrl), {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', 'x-correlation-id': 'hand-over-relay' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const content: unknown = await response.json();
    if (!response.ok) throw new Error(`The shipping back end rejected a call with status ${response.status}.`);
    return content;
  }

  return {
    async bookedOf(orderIds) {
      const booked = new Set<string>();
      for (let start = 0; start < orderIds.length; start += MAX_ORDER_IDS_PER_CALL) {
        const ids = orderIds.slice(start, start + MAX_ORDER_IDS_PER_CALL);
        for (const orderId of readOrderIds(await call(`?order_ids=${ids.join(',')}`))) booked.add(orderId);
      }
      return booked;
    },
    async book({ orderId, pieces, handedOverAt }) {
      await call('', { order_id: orderId, pieces: String(pieces), handed_over: toLegacyTime(handedOverAt) });
    },
  };
}

/** @throws Error when the response is not a list of shipments */
function readOrderIds(content: unknown): readonly string[] {
  const { shipments } = Object(content) as { readonly shipments?: unknown };
  if (!Array.isArray(shipments)) throw new Error('The shipping back end did not return a list of shipments.');
  return shipments.map((shipment) => String((Object(shipment) as { readonly order_id?: unknown }).order_id));
}
