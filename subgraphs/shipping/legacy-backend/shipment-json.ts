import { type Consignment, describeConsignment } from './consignment.ts';
import { toLegacyDay, toLegacyTime } from './legacy-time.ts';

/** A consignment in the format of the back end: snake case, numbers as strings, and dates that start with the day. */
export interface ShipmentJson {
  readonly order_id: string;
  readonly carrier_cd: string;
  readonly tracking_no: string;
  readonly state_cd: string;
  /** Weight in kilograms with three decimals. */
  readonly weight_kg: string;
  readonly eta_dt: string;
  readonly scans: readonly { readonly ts: string; readonly depot: string; readonly scan_cd: string }[];
}

export function toShipmentJson(consignment: Consignment): ShipmentJson {
  const { carrierCode, trackingNumber, weightGrams, expectedOn, scans } = describeConsignment(consignment);
  return {
    order_id: String(consignment.orderId),
    carrier_cd: carrierCode,
    tracking_no: trackingNumber,
    state_cd: String(consignment.state),
    weight_kg: (weightGrams / 1_000).toFixed(3),
    eta_dt: toLegacyDay(expectedOn),
    scans: scans.map(({ at, depot, code }) => ({ ts: toLegacyTime(at), depot, scan_cd: code })),
  };
}
