import { CARRIERS, DEPOTS, SCANS, STATES } from './codes.ts';

/** A shipment as resolvers return it. */
export interface HandWrittenShipment {
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly status: string;
  readonly weightGrams: number;
  readonly estimatedDelivery: Date | null;
  readonly events: readonly HandWrittenEvent[];
}

interface HandWrittenEvent {
  readonly at: Date;
  readonly place: string;
  readonly description: string;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads the shipments in a response of the back end, by order. All values are validated and converted: codes to names, kilograms to grams,
 * and `31.01.2026 09:30:00` to dates.
 *
 * @throws Error when the response does not have the format of the back end
 */
export function readConsignments(body: unknown): ReadonlyMap<string, HandWrittenShipment> {
  const rows = listIn(asRow(body), 'shipments').map(asRow);
  return new Map(rows.map((row) => [textIn(row, 'order_id'), readConsignment(row)]));
}

function readConsignment(row: Row): HandWrittenShipment {
  return {
    carrier: nameIn(row, 'carrier_cd', CARRIERS),
    trackingNumber: textIn(row, 'tracking_no'),
    status: nameIn(row, 'state_cd', STATES),
    weightGrams: toGrams(textIn(row, 'weight_kg')),
    estimatedDelivery: row['eta_dt'] === undefined || row['eta_dt'] === '' ? null : toDate(`${textIn(row, 'eta_dt')} 00:00:00`),
    events: listIn(row, 'scans')
      .map((scan) => readScan(asRow(scan)))
      .toSorted((one, other) => one.at.getTime() - other.at.getTime()),
  };
}

function readScan(scan: Row): HandWrittenEvent {
  return { at: toDate(textIn(scan, 'ts')), place: nameIn(scan, 'depot', DEPOTS), description: nameIn(scan, 'scan_cd', SCANS) };
}

function toGrams(kilograms: string): number {
  if (!/^\d{1,6}\.\d{3}$/.test(kilograms)) throw new Error('weight_kg is not a number of kilograms with three decimals.');
  return Number(kilograms.replace('.', ''));
}

function toDate(text: string): Date {
  const [, day, month, year, time] = /^(\d{2})\.(\d{2})\.(\d{4}) (\d{2}:\d{2}:\d{2})$/.exec(text) ?? [];
  const iso = `${year}-${month}-${day}T${time}.000Z`;
  const date = new Date(iso);
  // Without the comparison, 31.02. would become a day in March.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== iso) throw new Error('A date does not have the form DD.MM.YYYY HH:MM:SS.');
  return date;
}

function nameIn(row: Row, field: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(textIn(row, field));
  if (name === undefined) throw new Error(`${field} has an unknown code.`);
  return name;
}

function textIn(row: Row, field: string): string {
  const value = row[field];
  if (typeof value !== 'string' || value === '') throw new Error(`${field} is not a string with content.`);
  return value;
}

function listIn(row: Row, field: string): readonly unknown[] {
  const value = row[field];
  if (!Array.isArray(value)) throw new Error(`${field} is not a list.`);
  return value;
}

function asRow(value: unknown): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('A shipment or a scan is not an object.');
  return value as Row;
}
