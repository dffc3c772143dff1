import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Consignment } from '../../../../../subgraphs/shipping/legacy-backend/consignment.ts';
import type { ConsignmentStore } from '../../../../../subgraphs/shipping/legacy-backend/consignment-store.ts';
import { type LegacyBackend, createLegacyBackend } from '../../../../../subgraphs/shipping/legacy-backend/create-legacy-backend.ts';

const failures: unknown[] = [];
let backend: LegacyBackend;

/** Stores parcels in a map. Order 13 makes it fail. */
function createMapStore(): ConsignmentStore {
  const consignments = new Map<number, Consignment>([
    [17, { orderId: 17, pieces: 2, state: 30, handedOverAt: new Date('2026-01-31T09:30:00Z') }],
  ]);
  return {
    async find(orderIds) {
      if (orderIds.includes(13)) throw new Error('relation "consignments" does not exist');
      return orderIds.flatMap((id) => consignments.get(id) ?? []);
    },
    async add(consignment) {
      if (consignments.has(consignment.orderId)) return false;
      consignments.set(consignment.orderId, consignment);
      return true;
    },
  };
}

async function call(path: string, init?: RequestInit): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(backend.url + path, init);
  return { status: response.status, body: await response.json() };
}

const book = (body: unknown): Promise<{ readonly status: number; readonly body: unknown }> =>
  call('/api/shipments', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

beforeAll(async () => {
  backend = await createLegacyBackend({ store: createMapStore(), onFailure: (error) => failures.push(error) });
});
afterAll(async () => {
  await backend[Symbol.asyncDispose]();
});

describe('the legacy shipping backend', () => {
  it.each([
    '/api/shipments',
    '/api/shipments?order_ids=',
    '/api/shipments?order_ids=1,,2',
    '/api/shipments?order_ids=0',
    '/api/shipments?order_ids=1%20OR%201',
  ])('returns error 12 for %s', async (path) => {
    expect(await call(path)).toEqual({ status: 400, body: { result: 'ERR', err_no: '12', err_txt: 'ORDER_IDS?' } });
  });

  it('returns error 12 for too many orders', async () => {
    const ids = Array.from({ length: 501 }, (_, index) => index + 1).join(',');
    expect((await call(`/api/shipments?order_ids=${ids}`)).status).toBe(400);
  });

  it.each(['/api/shipments/99', '/api/shipments/abc'])('returns its own 404 body for %s', async (path) => {
    expect(await call(path)).toEqual({ status: 404, body: { result: 'ERR', err_no: '17', err_txt: 'SHIPMENT UNKNOWN' } });
  });

  it('returns error 3 for an unknown path or method', async () => {
    expect((await call('/graphql')).body).toMatchObject({ err_no: '3' });
    expect((await call('/api/shipments', { method: 'DELETE' })).body).toMatchObject({ err_no: '3' });
  });

  it('returns error 99 and reports the failure internally when the store fails', async () => {
    expect(await call('/api/shipments?order_ids=13')).toEqual({ status: 500, body: { result: 'ERR', err_no: '99', err_txt: 'INTERNAL' } });
    expect(failures).toEqual([expect.objectContaining({ message: 'relation "consignments" does not exist' })]);
  });

  it.each(['', 'null', '[]', '{"order_id":"5","pieces":"1"}', '{"order_id":5,"pieces":"1","handed_over":"31.01.2026 09:30:00"}'])(
    'rejects the booking %j as incomplete',
    async (body) => {
      expect(await book(body)).toEqual({ status: 400, body: { result: 'ERR', err_no: '21', err_txt: 'BOOKING INCOMPLETE' } });
    },
  );

  it('responds to a booking that is larger than it reads', async () => {
    expect((await book({ order_id: '5', pieces: '1', handed_over: 'x'.repeat(10_000) })).status).toBe(400);
  });

  it('returns only shipped orders, with every number as text', async () => {
    const { status, body } = await call('/api/shipments?order_ids=16,17');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: 'OK',
      rows: '1',
      shipments: [
        {
          order_id: '17',
          state_cd: '30',
          scans: expect.arrayContaining([{ ts: '31.01.2026 09:30:00', depot: expect.any(String), scan_cd: 'LBL' }]),
        },
      ],
    });
    expect(await call('/api/shipments/17')).toEqual({ status, body });
  });

  it('stores a parcel once and reports a second booking', async () => {
    const parcel = { order_id: '44', pieces: '3', handed_over: '01.02.2026 10:00:00' };
    expect((await book(parcel)).status).toBe(201);
    expect(await book(parcel)).toEqual({ status: 200, body: { result: 'OK', rows: '0' } });
    expect((await call('/api/shipments?order_ids=44')).body).toMatchObject({ rows: '1', shipments: [{ state_cd: '10' }] });
  });
});
