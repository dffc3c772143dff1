import { requireUserId } from '../kit/access-rules.ts';
import { onlyRow } from '../kit/database/only-row.ts';
import { requireKnownUser } from '../kit/known-users.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { type WriteResult, performWrite } from '../kit/writes/perform-write.ts';
import { refuseIfAny } from '../kit/writes/user-errors.ts';
import { PAYMENT_SUCCEEDED, toPaymentPayload } from './payment-events.ts';
import { type PaymentInput, findPaymentProblems } from './payment-input.ts';
import { requirePayable } from './payable-order.ts';
import { type PaymentRow, payments } from './tables.ts';

export interface NewPayment extends PaymentInput {
  /** Id of an order of the caller. */
  readonly orderId?: string | null;
}

/**
 * Charges the caller, once per key.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, `FORBIDDEN`, `IDEMPOTENCY_KEY_INVALID`
 */
export async function createPayment(context: RequestContext, input: NewPayment, idempotencyKey: string): Promise<WriteResult<PaymentRow>> {
  const userId = requireUserId(context);
  const { amount, currency, orderId = null } = input;
  return performWrite(context, {
    // An absent order id and null are the same input.
    once: { operation: 'createPayment', input: { amount, currency, orderId }, key: idempotencyKey },
    async effect({ sql, now, emit }) {
      await requireKnownUser(sql, userId);
      refuseIfAny(findPaymentProblems(input));
      if (orderId !== null) await requirePayable(sql, { orderId, userId, amount, currency });
      const row = { userId, orderId, amount, currency, status: 'SUCCEEDED', createdAt: now, updatedAt: now, version: 1 } as const;
      const payment = onlyRow(await sql.insert(payments).values(row).returning());
      emit(PAYMENT_SUCCEEDED, toPaymentPayload(payment));
      return payment;
    },
  });
}
