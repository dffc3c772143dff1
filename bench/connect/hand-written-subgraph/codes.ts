/** Meaning of the codes of the back end. */
export const CARRIERS: ReadonlyMap<string, string> = new Map([
  ['KX', 'Kestrel Express'],
  ['HL', 'Harbour Line'],
  ['PP', 'Polar Parcel'],
  ['TC', 'Tandem Couriers'],
]);

export const STATES: ReadonlyMap<string, string> = new Map([
  ['10', 'LABEL_CREATED'],
  ['20', 'IN_TRANSIT'],
  ['30', 'DELIVERED'],
  ['90', 'RETURNED'],
]);

export const DEPOTS: ReadonlyMap<string, string> = new Map([
  ['OSL', 'Oslo'],
  ['LEJ', 'Leipzig'],
  ['GOT', 'Gothenburg'],
  ['ANR', 'Antwerp'],
  ['BRN', 'Bern'],
  ['POZ', 'Poznan'],
  ['LYS', 'Lyon'],
  ['BGY', 'Bergamo'],
]);

export const SCANS: ReadonlyMap<string, string> = new Map([
  ['LBL', 'Label printed, parcel announced'],
  ['PUP', 'Picked up'],
  ['HUB', 'Sorted at the hub'],
  ['OUT', 'Out for delivery'],
  ['DLV', 'Delivered'],
  ['RTS', 'Not accepted, returned to the sender'],
]);
