/** Number of orders of each user. */
const ORDERS = 10;

const CARRIER_CODES = ['KX', 'HL', 'PP', 'TC'] as const;
const DEPOT_CODES = ['OSL', 'LEJ', 'GOT', 'ANR', 'BRN', 'POZ', 'LYS', 'BGY'] as const;
/** State of a shipment, and the codes of its scans. */
const ROUTES = [
  { state: '10', scans: ['LBL'] },
  { state: '20', scans: ['LBL', 'PUP', 'HUB'] },
  { state: '30', scans: ['LBL', 'PUP', 'HUB', 'OUT', 'DLV'] },
  { state: '90', scans: ['LBL', 'PUP', 'HUB', 'OUT', 'RTS'] },
] as const;

/** Returns the orders of a user. Each id is that of the user, followed by two digits. */
export function ordersOf(userId: string): readonly { readonly id: string; readonly total: number }[] {
  return Array.from({ length: ORDERS }, (_, index) => ({ id: `${userId}${String(index).padStart(2, '0')}`, total: 20 + index * 7.5 }));
}

/** Returns the response of the back end for orders: snake case, numbers as strings, and dates that start with the day. */
export function shipmentsOf(orderIds: readonly string[]): object {
  return { result: 'OK', rows: String(orderIds.length), shipments: orderIds.map(shipmentOf) };
}

/** Data depends on the last two digits only, so that responses for different users differ only in the ids. */
function shipmentOf(orderId: string): object {
  const index = Number(orderId.slice(-2));
  const { state, scans } = itemAt(ROUTES, index);
  const carrier = itemAt(CARRIER_CODES, index);
  return {
    order_id: orderId,
    carrier_cd: carrier,
    tracking_no: `${carrier}${String(4_217 + index * 7_919).padStart(6, '0')}`,
    state_cd: state,
    weight_kg: (0.42 + index * 0.637).toFixed(3),
    eta_dt: `${String(3 + index).padStart(2, '0')}.02.2026`,
    scans: scans.map((code, step) => ({
      ts: `${String(20 + step).padStart(2, '0')}.01.2026 ${String(8 + index).padStart(2, '0')}:${String(11 * step).padStart(2, '0')}:05`,
      depot: itemAt(DEPOT_CODES, index * 5 + step),
      scan_cd: code,
    })),
  };
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('The list is empty.');
  return item;
}
