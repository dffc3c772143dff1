import { type OrderStatus, isMoveAllowed } from './order-status.ts';

/** What a caller may change of an order. */
export interface OrderContent {
  readonly productId: string;
  readonly qty: number;
  readonly status: OrderStatus;
}

/** A change that the rules of an order forbid. */
export interface ChangeRefusal {
  readonly field: 'productId' | 'qty' | 'status';
  readonly message: string;
  readonly code: 'CONFLICT';
}

/** Whether two contents are the same, so that writing one over the other changes nothing. */
export function isSameContent(left: OrderContent, right: OrderContent): boolean {
  return left.productId === right.productId && left.qty === right.qty && left.status === right.status;
}

/** Why an order may not go from `before` to `after`; empty when it may. What was ordered is fixed once PENDING is left. */
export function refuseChange(before: OrderContent, after: OrderContent): readonly ChangeRefusal[] {
  const refusals: ChangeRefusal[] = [];
  if (!isMoveAllowed(before.status, after.status)) {
    refusals.push({ field: 'status', message: `A ${before.status} order cannot become ${after.status}.`, code: 'CONFLICT' });
  }
  if (before.status !== 'PENDING') {
    const message = `It can change only while the order is PENDING, and the order is ${before.status}.`;
    if (after.productId !== before.productId) refusals.push({ field: 'productId', message, code: 'CONFLICT' });
    if (after.qty !== before.qty) refusals.push({ field: 'qty', message, code: 'CONFLICT' });
  }
  return refusals;
}

/** Whether the change hands the order to a carrier, which only administrators do. */
export function ships(before: OrderContent, after: OrderContent): boolean {
  return after.status === 'SHIPPED' && before.status !== 'SHIPPED';
}
