import { type OrderStatus, isMoveAllowed } from './order-status.ts';

/** Fields of an order that a caller can change. */
export interface OrderContent {
  readonly productId: string;
  readonly qty: number;
  readonly status: OrderStatus;
}

/** A change that is not allowed in the state of the order. */
export interface ChangeRejection {
  readonly field: 'productId' | 'qty' | 'status';
  readonly message: string;
  readonly code: 'CONFLICT';
}

/** Whether two contents are equal, so that a write changes nothing. */
export function isSameContent(left: OrderContent, right: OrderContent): boolean {
  return left.productId === right.productId && left.qty === right.qty && left.status === right.status;
}

/** Whether product or quantity differ. */
export function changesGoods(before: OrderContent, after: OrderContent): boolean {
  return after.productId !== before.productId || after.qty !== before.qty;
}

/**
 * Returns the reasons why an order may not change from `before` to `after`; no entries when it may. Product and quantity are fixed once the
 * order is paid or has left PENDING.
 *
 * @param isPaid whether a payment of the order has succeeded
 */
export function refuseChange(before: OrderContent, after: OrderContent, isPaid = false): readonly ChangeRejection[] {
  const rejections: ChangeRejection[] = [];
  if (!isMoveAllowed(before.status, after.status)) {
    rejections.push({ field: 'status', message: `A ${before.status} order cannot become ${after.status}.`, code: 'CONFLICT' });
  }
  if (before.status !== 'PENDING' || isPaid) {
    const state = before.status === 'PENDING' ? 'paid' : before.status;
    const message = `This field can be changed only while the order is PENDING and not paid; the order is ${state}.`;
    if (after.productId !== before.productId) rejections.push({ field: 'productId', message, code: 'CONFLICT' });
    if (after.qty !== before.qty) rejections.push({ field: 'qty', message, code: 'CONFLICT' });
  }
  return rejections;
}

/** Whether the change ships the order, which only administrators may do. */
export function ships(before: OrderContent, after: OrderContent): boolean {
  return after.status === 'SHIPPED' && before.status !== 'SHIPPED';
}
