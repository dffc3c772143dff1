import type { ShipmentStatus } from './shipment.ts';

/** Meaning of the codes of the back end; its manual lists these and no others. */
export const CARRIER_NAMES: ReadonlyMap<string, string> = new Map([
  ['KX', 'Kestrel Express'],
  ['HL', 'Harbour Line'],
  ['PP', 'Polar Parcel'],
  ['TC', 'Tandem Couriers'],
]);

export const STATUS_BY_STATE: ReadonlyMap<string, ShipmentStatus> = new Map([
  ['10', 'LABEL_CREATED'],
  ['20', 'IN_TRANSIT'],
  ['30', 'DELIVERED'],
  ['90', 'RETURNED'],
]);

export const LOCATION_BY_DEPOT: ReadonlyMap<string, string> = new Map([
  ['OSL', 'Oslo'],
  ['LEJ', 'Leipzig'],
  ['GOT', 'Gothenburg'],
  ['ANR', 'Antwerp'],
  ['BRN', 'Bern'],
  ['POZ', 'Poznan'],
  ['LYS', 'Lyon'],
  ['BGY', 'Bergamo'],
]);

export const DESCRIPTION_BY_SCAN: ReadonlyMap<string, string> = new Map([
  ['LBL', 'Label printed, parcel announced'],
  ['PUP', 'Picked up'],
  ['HUB', 'Sorted at the hub'],
  ['OUT', 'Out for delivery'],
  ['DLV', 'Delivered'],
  ['RTS', 'Not accepted, on its way back to the sender'],
]);
