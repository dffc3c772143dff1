import { defineConfig } from '@graphql-hive/gateway';

// Resolves the shipments of all orders with one request of the REST transport, and converts them.

const CARRIERS = { KX: 'Kestrel Express', HL: 'Harbour Line', PP: 'Polar Parcel', TC: 'Tandem Couriers' };
const STATES = { 10: 'LABEL_CREATED', 20: 'IN_TRANSIT', 30: 'DELIVERED', 90: 'RETURNED' };
const DEPOTS = {
  OSL: 'Oslo',
  LEJ: 'Leipzig',
  GOT: 'Gothenburg',
  ANR: 'Antwerp',
  BRN: 'Bern',
  POZ: 'Poznan',
  LYS: 'Lyon',
  BGY: 'Bergamo',
};
const SCANS = {
  LBL: 'Label printed, parcel announced',
  PUP: 'Picked up',
  HUB: 'Sorted at the hub',
  OUT: 'Out for delivery',
  DLV: 'Delivered',
  RTS: 'Not accepted, returned to the sender',
};

const toIso = (text) => `${text.slice(6, 10)}-${text.slice(3, 5)}-${text.slice(0, 2)}T${text.slice(11, 19) || '00:00:00'}.000Z`;

const toShipment = (row) => ({
  carrier: CARRIERS[row.carrier_cd],
  trackingNumber: row.tracking_no,
  status: STATES[row.state_cd],
  weightGrams: Number(row.weight_kg.replace('.', '')),
  estimatedDelivery: toIso(row.eta_dt),
  events: row.scans.map(({ ts, depot, scan_cd: scan }) => ({ at: toIso(ts), place: DEPOTS[depot], description: SCANS[scan] })),
});

function shipmentsByOrder(results, ids) {
  const rows = new Map(
    (Array.isArray(results) ? results : [results]).flatMap(({ shipments }) => shipments.map((row) => [row.order_id, row])),
  );
  return ids.map((id) => (rows.has(id) ? toShipment(rows.get(id)) : null));
}

export const gatewayConfig = defineConfig({
  // Deduplication is disabled, so that every request pays its full cost.
  transportEntries: { '*.http': { options: { deduplicateInflightRequests: false } } },
  additionalResolvers: {
    Order: {
      shipment: {
        selectionSet: '{ id }',
        resolve: (order, _args, context, info) =>
          context.shipping.Query.shipments({
            root: order,
            key: order.id,
            argsFromKeys: (ids) => ({ order_ids: ids.join(',') }),
            valuesFromResults: shipmentsByOrder,
            selectionSet: '{ shipments { order_id carrier_cd tracking_no state_cd weight_kg eta_dt scans { ts depot scan_cd } } }',
            context,
            info,
          }),
      },
    },
  },
});
