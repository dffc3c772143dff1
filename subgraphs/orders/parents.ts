import type { Connection } from '../kit/pagination/connection.ts';
import type { OrderEvent } from './order-events.ts';
import type { OrderRow } from './tables.ts';

/** An `Order` is resolved from its row. */
export type OrderParent = OrderRow;

export type OrderConnectionParent = Connection<OrderRow>;

/** What the bus told. */
export type OrderStatusChangedParent = OrderEvent;

/** A `User` is known here by id alone. */
export interface UserParent {
  readonly id: string;
}
