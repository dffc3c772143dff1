import type { BusEvent, EventPayload } from '../kit/events/event-bus.ts';
import type { PaymentRow } from './tables.ts';

export const PAYMENT_SUCCEEDED = 'payment.succeeded';

/** What the event of a payment tells. */
export interface PaymentEvent {
  readonly paymentId: string;
  readonly userId: string;
  readonly amount: number;
  readonly currency: string;
  readonly at: Date;
}

export function toPaymentPayload({ id, userId, amount, currency, updatedAt }: PaymentRow): EventPayload {
  return { paymentId: id, userId, amount, currency, at: updatedAt.toISOString() };
}

/** @throws Error when somebody else than this subgraph wrote the payload */
export function readPaymentEvent({ payload }: Pick<BusEvent, 'payload'>): PaymentEvent {
  const { paymentId, userId, amount, currency, at } = payload;
  if (
    typeof paymentId !== 'string' ||
    typeof userId !== 'string' ||
    typeof amount !== 'number' ||
    typeof currency !== 'string' ||
    typeof at !== 'string'
  ) {
    throw new Error('An event of a payment has another payload than payments write.');
  }
  return { paymentId, userId, amount, currency, at: new Date(at) };
}
