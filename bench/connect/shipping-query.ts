import { FRESH_DIGITS } from '../graph/operations.ts';
import { readConsignments } from './hand-written-subgraph/read-consignments.ts';
import { ordersOf, shipmentsOf } from './recorded-data.ts';

const QUERY = `query Shipping($user: ID!) {
  orders(userId: $user) {
    id
    total
    shipment { carrier trackingNumber status weightGrams estimatedDelivery events { at place description } }
  }
}`;

/** JSON text of the request that all clients send, each time for another user. */
export const SHIPPING_BODY: string = JSON.stringify({ query: QUERY, variables: { user: FRESH_DIGITS } });

/** Returns the only correct response, as JSON text. */
export function shippingResponse(): string {
  const orders = ordersOf(FRESH_DIGITS);
  const shipments = readConsignments(shipmentsOf(orders.map(({ id }) => id)));
  return JSON.stringify({ data: { orders: orders.map(({ id, total }) => ({ id, total, shipment: shipments.get(id) })) } });
}
