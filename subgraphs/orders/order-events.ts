import type { BusEvent, EventPayload } from '../kit/events/event-bus.ts';
import { ORDER_STATUSES, type OrderStatus } from './order-status.ts';
import type { OrderRow } from './tables.ts';

/** One topic for all events of orders: whoever follows an order reads them in the order in which they happened. */
export const ORDERS_TOPIC = 'orders';

export type OrderEventName = 'order.created' | 'order.status_changed';

/** What an event of an order tells. */
export interface OrderEvent {
  readonly kind: 'CREATED' | 'STATUS_CHANGED';
  readonly orderId: string;
  readonly userId: string;
  readonly status: OrderStatus;
  readonly version: number;
  readonly at: Date;
}

const KINDS: ReadonlyMap<unknown, OrderEvent['kind']> = new Map([
  ['order.created', 'CREATED'],
  ['order.status_changed', 'STATUS_CHANGED'],
]);

/** The payload of an event about the order as it is now. `qty` is for the carrier. */
export function toOrderPayload(event: OrderEventName, { id, userId, status, version, qty, updatedAt }: OrderRow): EventPayload {
  return { event, orderId: id, userId, status, version, qty, at: updatedAt.toISOString() };
}

/** @throws Error when somebody else than this subgraph wrote the payload */
export function readOrderEvent({ payload }: Pick<BusEvent, 'payload'>): OrderEvent {
  const { event, orderId, userId, status, version, at } = payload;
  const kind = KINDS.get(event);
  const knownStatus = ORDER_STATUSES.find((candidate) => candidate === status);
  if (
    kind === undefined ||
    knownStatus === undefined ||
    typeof orderId !== 'string' ||
    typeof userId !== 'string' ||
    typeof version !== 'number' ||
    typeof at !== 'string'
  ) {
    throw new Error('An event of an order has another payload than orders write.');
  }
  return { kind, orderId, userId, status: knownStatus, version, at: new Date(at) };
}
