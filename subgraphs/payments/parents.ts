import type { PaymentEvent } from './payment-events.ts';
import type { PaymentRow } from './tables.ts';

/** A `Payment` is resolved from its row. */
export type PaymentParent = PaymentRow;

/** What the bus told. */
export type PaymentSucceededParent = PaymentEvent;
