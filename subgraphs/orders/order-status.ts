/** Status of an order. */
export type OrderStatus = 'PENDING' | 'CONFIRMED' | 'SHIPPED' | 'CANCELLED';

/** All statuses, in the order of an order's life cycle. */
export const ORDER_STATUSES: readonly OrderStatus[] = ['PENDING', 'CONFIRMED', 'SHIPPED', 'CANCELLED'];

const MOVES: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  PENDING: ['CONFIRMED', 'CANCELLED'],
  CONFIRMED: ['SHIPPED', 'CANCELLED'],
  SHIPPED: [],
  CANCELLED: [],
};

/** Whether an order may change from one status to another. An unchanged status is always allowed. */
export function isMoveAllowed(from: OrderStatus, to: OrderStatus): boolean {
  return from === to || MOVES[from].includes(to);
}
