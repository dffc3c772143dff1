import type { PaymentEvent } from './payment-events.ts';
import type { PaymentRow } from './tables.ts';

/** Resolver parent of `Payment`: its row. */
export type PaymentParent = PaymentRow;

/** Resolver parent of `PaymentSucceeded`: the event. */
export type PaymentSucceededParent = PaymentEvent;
