import type { BusEvent, EventPayload } from '../kit/events/event-bus.ts';
import type { PaymentRow } from './tables.ts';

export const PAYMENT_SUCCEEDED = 'payment.succeeded';

/** An event of a payment. */
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

/** @throws Error when the payload was not written by this subgraph */
export function readPaymentEvent({ payload }: Pick<BusEvent, 'payload'>): PaymentEvent {
  const { paymentId, userId, amount, currency, at } = payload;
  if (
    typeof paymentId !== 'string' ||
    typeof userId !== 'string' ||
    typeof amount !== 'number' ||
    typeof currency !== 'string' ||
    typeof at !== 'string'
  ) {
    throw new Error('The payload of a payment event is invalid.');
  }
  return { paymentId, userId, amount, currency, at: new Date(at) };
}
