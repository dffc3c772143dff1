import { describe, expect, it } from '@jest/globals';
import { toShipmentJson } from '../../../../subgraphs/shipping/legacy-backend/shipment-json.ts';
import { UnreadableShipment, readShipments } from '../../../../subgraphs/shipping/read-shipments.ts';

const row = {
  order_id: '17',
  carrier_cd: 'KX',
  tracking_no: 'KX4000134630X',
  state_cd: '30',
  weight_kg: '1.250',
  eta_dt: '02.03.2026',
  scans: [
    { ts: '01.03.2026 14:30:00', depot: 'LYS', scan_cd: 'DLV' },
    { ts: '28.02.2026 09:30:00', depot: 'OSL', scan_cd: 'LBL' },
  ],
};

describe('reading responses of the legacy backend', () => {
  it.each([
    ['a missing response', undefined],
    ['a string', 'Service unavailable'],
    ['a list', []],
    ['a response without a list of shipments', { result: 'OK' }],
    ['an unknown carrier', { shipments: [{ ...row, carrier_cd: '??' }] }],
    ['an unknown state', { shipments: [{ ...row, state_cd: '31' }] }],
    ['a code that is an inherited property of objects', { shipments: [{ ...row, carrier_cd: 'constructor' }] }],
    ['a weight in another notation', { shipments: [{ ...row, weight_kg: '1,25' }] }],
    ['a number in place of a text', { shipments: [{ ...row, order_id: 17 }] }],
    ['a day that does not exist', { shipments: [{ ...row, eta_dt: '31.02.2026' }] }],
    ['months before days', { shipments: [{ ...row, scans: [{ ...row.scans[0], ts: '03.31.2026 14:30:00' }] }] }],
  ])('rejects %s', (_, body) => {
    expect(() => readShipments(body)).toThrow(UnreadableShipment);
  });

  it('translates codes, weights and dates, and sorts the events by time', () => {
    expect(readShipments({ shipments: [row] }).get('17')).toEqual({
      carrier: 'Kestrel Express',
      trackingNumber: 'KX4000134630X',
      status: 'DELIVERED',
      weightGrams: 1_250,
      estimatedDelivery: new Date('2026-03-02T00:00:00.000Z'),
      events: [
        { at: new Date('2026-02-28T09:30:00.000Z'), place: 'Oslo', description: 'Label printed, parcel announced' },
        { at: new Date('2026-03-01T14:30:00.000Z'), place: 'Lyon', description: 'Delivered' },
      ],
    });
  });

  it('has no estimated delivery without an expected day', () => {
    expect(readShipments({ shipments: [{ ...row, eta_dt: '' }] }).get('17')?.estimatedDelivery).toBeNull();
  });

  it('reads every shipment that the backend writes', () => {
    const states = [10, 20, 30, 90] as const;
    const shipments = Array.from({ length: 400 }, (_, index) =>
      toShipmentJson({
        orderId: index + 1,
        pieces: 1 + (index % 12),
        state: states[index % 4] ?? 10,
        handedOverAt: new Date(1_760_000_000_000 + index * 7_000_000),
      }),
    );
    const read = readShipments({ shipments });
    expect(read.size).toBe(400);
    expect(new Set(Array.from(read.values(), ({ carrier }) => carrier)).size).toBe(4);
    expect(new Set(Array.from(read.values(), ({ trackingNumber }) => trackingNumber)).size).toBe(400);
  });
});
