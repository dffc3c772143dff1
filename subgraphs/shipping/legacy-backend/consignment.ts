/** What the backend keeps of a parcel: all else follows from it. */
export interface Consignment {
  readonly orderId: number;
  readonly pieces: number;
  readonly state: ConsignmentState;
  readonly handedOverAt: Date;
}

/** How far a parcel came: 10 label printed, 20 on its way, 30 delivered, 90 sent back. */
export type ConsignmentState = 10 | 20 | 30 | 90;

/** One scan of a parcel. */
interface Scan {
  readonly at: Date;
  readonly depot: string;
  readonly code: string;
}

/** A consignment with what follows from its order number. */
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

/** The scans of each state, oldest first, with the hours since the hand-over at which each happens. */
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

/** Everything the backend tells of a consignment; the same order number always gives the same answer. */
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

/** Ten digits and a check digit that makes their weighted sum a multiple of 11, where X stands for 10. */
function trackingNumber(carrierCode: string, orderId: number): string {
  const digits = String(4_000_000_007 + orderId * 7_919).slice(-10);
  const sum = Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (11 - index), 0);
  const check = (11 - (sum % 11)) % 11;
  return `${carrierCode}${digits}${check === 10 ? 'X' : check}`;
}

function pick(values: readonly string[], index: number): string {
  return values[index % values.length] ?? '';
}
