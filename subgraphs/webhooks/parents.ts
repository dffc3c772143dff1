import type { Connection } from '../kit/pagination/connection.ts';
import type { DeliveryRow, EndpointRow } from './tables.ts';

/** A `Webhook` is resolved from its row. */
export type WebhookParent = EndpointRow;

export type WebhookConnectionParent = Connection<EndpointRow>;

/** A `WebhookDelivery` is resolved from its row. */
export type WebhookDeliveryParent = DeliveryRow;

export type WebhookDeliveryConnectionParent = Connection<DeliveryRow>;
