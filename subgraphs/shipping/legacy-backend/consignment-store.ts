import type { Consignment } from './consignment.ts';

/** Where the backend keeps its parcels. */
export interface ConsignmentStore {
  /** The consignments of those orders that were handed over, in no particular order. */
  find(orderIds: readonly number[]): Promise<readonly Consignment[]>;
  /** Books a parcel; booking the same order again changes nothing. Tells whether it was new. */
  add(consignment: Consignment): Promise<boolean>;
}
