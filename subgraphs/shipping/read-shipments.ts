import { CARRIER_NAMES, DESCRIPTION_BY_SCAN, LOCATION_BY_DEPOT, STATUS_BY_STATE } from './legacy-codes.ts';
import { parseLegacyTime } from './legacy-time.ts';
import type { Shipment, ShipmentEvent } from './shipment.ts';

/** Thrown for a response of the back end that its manual does not allow. The message is for the log. */
export class UnreadableShipment extends Error {
  override readonly name = 'UnreadableShipment';
}

/**
 * Reads the list of shipments of the back end, by order id. All values are validated and converted here: codes to names, kilograms to
 * grams, `31.01.2026 09:30:00` to instants.
 *
 * @throws UnreadableShipment when the response does not conform to the manual
 */
export function readShipments(body: unknown): ReadonlyMap<string, Shipment> {
  const rows = readArray(readRecord(body, 'body')['shipments'], 'shipments').map((row) => readRecord(row, 'shipment'));
  return new Map(rows.map((row) => [readText(row, 'order_id'), readShipment(row)]));
}

function readShipment(row: Readonly<Record<string, unknown>>): Shipment {
  return {
    carrier: lookUp(CARRIER_NAMES, row, 'carrier_cd'),
    trackingNumber: readText(row, 'tracking_no'),
    status: lookUp(STATUS_BY_STATE, row, 'state_cd'),
    weightGrams: readGrams(readText(row, 'weight_kg')),
    estimatedDelivery: row['eta_dt'] === undefined || row['eta_dt'] === '' ? null : readInstant(`${readText(row, 'eta_dt')} 00:00:00`),
    events: readArray(row['scans'], 'scans')
      .map((scan) => readEvent(readRecord(scan, 'scan')))
      .toSorted((left, right) => left.at.getTime() - right.at.getTime()),
  };
}

function readEvent(scan: Readonly<Record<string, unknown>>): ShipmentEvent {
  return {
    at: readInstant(readText(scan, 'ts')),
    place: lookUp(LOCATION_BY_DEPOT, scan, 'depot'),
    description: lookUp(DESCRIPTION_BY_SCAN, scan, 'scan_cd'),
  };
}

function readGrams(kilograms: string): number {
  if (!/^\d{1,6}\.\d{3}$/.test(kilograms)) throw new UnreadableShipment('weight_kg is not a number of kilograms with three decimals');
  return Number(kilograms.replace('.', ''));
}

function readInstant(text: string): Date {
  const instant = parseLegacyTime(text);
  if (instant === undefined) throw new UnreadableShipment('a date does not have the form DD.MM.YYYY HH:MM:SS');
  return instant;
}

function lookUp<T>(names: ReadonlyMap<string, T>, row: Readonly<Record<string, unknown>>, field: string): T {
  const name = names.get(readText(row, field));
  if (name === undefined) throw new UnreadableShipment(`${field} has a code that is not in the manual`);
  return name;
}

function readText(row: Readonly<Record<string, unknown>>, field: string): string {
  const value = row[field];
  if (typeof value !== 'string' || value === '') throw new UnreadableShipment(`${field} is not a non-empty string`);
  return value;
}

function readRecord(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UnreadableShipment(`${name} is not an object`);
  return value as Readonly<Record<string, unknown>>;
}

function readArray(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnreadableShipment(`${name} is not a list`);
  return value;
}
