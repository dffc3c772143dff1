import type { BusEvent, EventPayload } from '../kit/events/event-bus.ts';
import { ORDER_STATUSES, type OrderStatus } from './order-status.ts';
import type { OrderRow } from './tables.ts';

/** Topic of all events of orders. Subscribers receive them in the order in which they happened. */
export const ORDERS_TOPIC = 'orders';

export type OrderEventName = 'order.created' | 'order.status_changed';

/** An event of an order. */
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

/** Makes the event payload for the current order. `qty` is for the carrier. */
export function toOrderPayload(event: OrderEventName, { id, userId, status, version, qty, updatedAt }: OrderRow): EventPayload {
  return { event, orderId: id, userId, status, version, qty, at: updatedAt.toISOString() };
}

/** @throws Error when the payload was not written by this subgraph */
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
    throw new Error('The payload of an order event is invalid.');
  }
  return { kind, orderId, userId, status: knownStatus, version, at: new Date(at) };
}
