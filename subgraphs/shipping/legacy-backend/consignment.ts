/** Stored data of a parcel. All other data is derived from it. */
export interface Consignment {
  readonly orderId: number;
  readonly pieces: number;
  readonly state: ConsignmentState;
  readonly handedOverAt: Date;
}

/** State of a parcel: 10 label printed, 20 in transit, 30 delivered, 90 returned. */
export type ConsignmentState = 10 | 20 | 30 | 90;

/** One scan of a parcel. */
interface Scan {
  readonly at: Date;
  readonly depot: string;
  readonly code: string;
}

/** Data of a consignment that is derived from its order number. */
export interface ConsignmentDetails {
  readonly carrierCode: string;
  readonly trackingNumber: string;
  readonly weightGrams: number;
  readonly expectedOn: Date;
  readonly scans: readonly Scan[];
}

const CARRIERS = ['KX', 'HL', 'PP', 'TC'] as const;
const DEPOTS = ['OSL', 'LEJ', 'GOT', 'ANR', 'BRN', 'POZ', 'LYS', 'BGY'] as const;
const HOUR_MS = 3_600_000;
const BOX_GRAMS = 180;

/** Scans of each state, oldest first, with the hours between the hand-over and the scan. */
const ROUTES: Readonly<Record<ConsignmentState, readonly { readonly code: string; readonly afterHours: number }[]>> = {
  10: [{ code: 'LBL', afterHours: 0 }],
  20: [
    { code: 'LBL', afterHours: 0 },
    { code: 'PUP', afterHours: 5 },
    { code: 'HUB', afterHours: 14 },
  ],
  30: [
    { code: 'LBL', afterHours: 0 },
    { code: 'PUP', afterHours: 5 },
    { code: 'HUB', afterHours: 14 },
    { code: 'OUT', afterHours: 40 },
    { code: 'DLV', afterHours: 46 },
  ],
  90: [
    { code: 'LBL', afterHours: 0 },
    { code: 'PUP', afterHours: 5 },
    { code: 'HUB', afterHours: 14 },
    { code: 'OUT', afterHours: 40 },
    { code: 'RTS', afterHours: 71 },
  ],
};

/** Derives all data of a consignment. The result is always the same for an order number. */
export function describeConsignment({ orderId, pieces, state, handedOverAt }: Consignment): ConsignmentDetails {
  const carrierCode = pick(CARRIERS, orderId);
  const gramsPerPiece = 240 + ((orderId * 37) % 460);
  return {
    carrierCode,
    trackingNumber: trackingNumber(carrierCode, orderId),
    weightGrams: BOX_GRAMS + pieces * gramsPerPiece,
    expectedOn: new Date(handedOverAt.getTime() + (2 + (orderId % 3)) * 24 * HOUR_MS),
    scans: ROUTES[state].map(({ code, afterHours }, step) => ({
      at: new Date(handedOverAt.getTime() + afterHours * HOUR_MS),
      depot: pick(DEPOTS, step < 2 ? orderId : orderId * 5 + step),
      code,
    })),
  };
}

/** Makes a tracking number: ten digits and a check digit, so that the weighted sum is a multiple of 11. X represents 10. */
function trackingNumber(carrierCode: string, orderId: number): string {
  const digits = String(4_000_000_007 + orderId * 7_919).slice(-10);
  const sum = Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (11 - index), 0);
  const check = (11 - (sum % 11)) % 11;
  return `${carrierCode}${digits}${check === 10 ? 'X' : check}`;
}

function pick(values: readonly string[], index: number): string {
  return values[index % values.length] ?? '';
}
