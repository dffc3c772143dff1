import type { Consignment } from './consignment.ts';

/** Store of the parcels of the back end. */
export interface ConsignmentStore {
  /** Returns the consignments of orders that were handed over, in any order. */
  find(orderIds: readonly number[]): Promise<readonly Consignment[]>;
  /** Books a parcel. Booking the same order again changes nothing. @returns whether it was new */
  add(consignment: Consignment): Promise<boolean>;
}
