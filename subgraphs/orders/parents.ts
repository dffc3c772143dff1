import type { Connection } from '../kit/pagination/connection.ts';
import type { OrderEvent } from './order-events.ts';
import type { OrderRow } from './tables.ts';

/** Resolver parent of `Order`: its row. */
export type OrderParent = OrderRow;

export type OrderConnectionParent = Connection<OrderRow>;

/** Resolver parent of `OrderStatusChanged`: the event. */
export type OrderStatusChangedParent = OrderEvent;

/** Resolver parent of `User`. This subgraph knows only the id. */
export interface UserParent {
  readonly id: string;
}
