import { and, eq } from 'drizzle-orm';
import type { Sql } from '../kit/database/database.ts';
import { isRowId } from '../kit/ids.ts';
import { writeRejected } from '../kit/writes/user-errors.ts';
import { payableOrders, payments } from './tables.ts';

/** Currency of all prices. */
const CURRENCY = 'EUR';

export interface OrderPayment {
  readonly orderId: string;
  readonly userId: string;
  /** @unit minor units of the currency */
  readonly amount: number;
  readonly currency: string;
}

/**
 * Checks that a payment covers the whole price of an order of the caller, which is neither canceled nor paid. The row of the order is
 * locked until the transaction ends. The second of two simultaneous payments therefore finds the first, and the order does not change in
 * between.
 *
 * @throws WriteRejected `BAD_USER_INPUT` for another order, amount or currency; `CONFLICT` for the state of the order
 */
export async function requirePayable(sql: Sql, { orderId, userId, amount, currency }: OrderPayment): Promise<void> {
  const [order] = isRowId(orderId)
    ? await sql
        .select()
        .from(payableOrders)
        .where(and(eq(payableOrders.orderId, orderId), eq(payableOrders.userId, userId)))
        .for('update')
    : [];
  if (order === undefined) throw writeRejected('BAD_USER_INPUT', 'input.orderId', 'The caller has no order with this id.');
  if (order.status === 'CANCELLED') throw writeRejected('CONFLICT', 'input.orderId', 'A canceled order cannot be paid.');
  const paid = await sql
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.status, 'SUCCEEDED')))
    .limit(1);
  if (paid.length > 0) throw writeRejected('CONFLICT', 'input.orderId', 'This order has already been paid.');
  if (currency !== CURRENCY) throw writeRejected('BAD_USER_INPUT', 'input.currency', `Orders must be paid in ${CURRENCY}.`);
  const due = Math.round(Number(order.total) * 100);
  if (amount !== due)
    throw writeRejected('BAD_USER_INPUT', 'input.amount', `The amount must be ${due} minor units, the price of the order.`);
}
