import type { Connection } from '../kit/pagination/connection.ts';
import type { DeliveryRow, EndpointRow } from './tables.ts';

/** Resolver parent of `Webhook`: its row. */
export type WebhookParent = EndpointRow;

export type WebhookConnectionParent = Connection<EndpointRow>;

/** Resolver parent of `WebhookDelivery`: its row. */
export type WebhookDeliveryParent = DeliveryRow;

export type WebhookDeliveryConnectionParent = Connection<DeliveryRow>;
