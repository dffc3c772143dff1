import { and, eq } from 'drizzle-orm';
import { requireUserId } from '../kit/access-rules.ts';
import type { Sql } from '../kit/database/database.ts';
import { isRowId } from '../kit/ids.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { type WriteOutcome, performWrite } from '../kit/writes/perform-write.ts';
import { WriteRefused, writeRefused } from '../kit/writes/user-errors.ts';
import { PAYMENT_SUCCEEDED, toPaymentPayload } from './payment-events.ts';
import { type PaymentInput, findPaymentProblems } from './payment-input.ts';
import { type PaymentRow, orderOwners, payments } from './tables.ts';

export interface NewPayment extends PaymentInput {
  /** An order of the caller. */
  readonly orderId?: string | null;
}

/**
 * Charges the caller, once for one key.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, `IDEMPOTENCY_KEY_INVALID`
 */
export async function createPayment(context: RequestContext, input: NewPayment, idempotencyKey: string): Promise<WriteOutcome<PaymentRow>> {
  const userId = requireUserId(context);
  const { amount, currency, orderId = null } = input;
  return performWrite(context, {
    operation: 'createPayment',
    // An order that is not named and one that is null are the same input.
    input: { amount, currency, orderId },
    idempotencyKey,
    async effect({ sql, now, emit }) {
      const problems = findPaymentProblems(input);
      if (problems.length > 0) throw new WriteRefused(problems);
      if (orderId !== null && !(await isOrderOf(sql, orderId, userId))) {
        throw writeRefused('BAD_USER_INPUT', 'input.orderId', 'You have no order with this id.');
      }
      const [payment] = await sql
        .insert(payments)
        .values({ userId, orderId, amount, currency, status: 'SUCCEEDED', createdAt: now, updatedAt: now, version: 1 })
        .returning();
      if (payment === undefined) throw new Error('The insert gave back no row.');
      emit(PAYMENT_SUCCEEDED, toPaymentPayload(payment));
      return payment;
    },
  });
}

async function isOrderOf(sql: Sql, orderId: string, userId: string): Promise<boolean> {
  if (!isRowId(orderId)) return false;
  const owned = await sql
    .select()
    .from(orderOwners)
    .where(and(eq(orderOwners.orderId, orderId), eq(orderOwners.userId, userId)));
  return owned.length > 0;
}
