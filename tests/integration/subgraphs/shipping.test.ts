import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readShippedSince } from '../../../subgraphs/shipping/shipped-orders.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { type ShippingGateway, startShippingGateway } from '../../support/stack/shipping-gateway.ts';
import { ADMIN, type GraphResponse, type Caller, describeOnSubgraphs, user } from '../../support/stack/subgraphs-stack.ts';

const SHIPMENT = '{ carrier trackingNumber status weightGrams estimatedDelivery events { at place description } }';
/** The gateway has no field `_entities`, so the alias gives the field of the test graph this name. */
const OF_ORDERS = `query ($of: [Representation!]!) { _entities: orders(representations: $of) { id shipment ${SHIPMENT} } }`;
const COST =
  'query ($of: [Representation!]!) { _entities: orders(representations: $of) { normal: shippingCost express: shippingCost(express: true) } }';

interface Entities {
  readonly _entities: readonly ({
    readonly id: string;
    readonly shipment: { readonly carrier: string; readonly status: string } | null;
  } | null)[];
}

describeOnSubgraphs('shipping', (stack) => {
  const gateway = sharedByTests(() => startShippingGateway(stack().shippingUrl));
  const query = <Data = Entities>(query: string, of: readonly object[], as?: Caller): Promise<GraphResponse<Data>> =>
    gateway().query<Data>({ query, variables: { of }, as });
  const order = (id: string, userId: string, rest: object = {}) => ({ id, userId, ...rest });

  it('returns null and an error without credentials and for foreign orders', async () => {
    const of = [order('1', '1', { qty: 1, total: 10 })];
    expect(await query(OF_ORDERS, of)).toMatchObject({
      data: { _entities: [{ shipment: null }] },
      codes: ['UNAUTHENTICATED _entities.0.shipment'],
    });
    expect(await query(OF_ORDERS, of, user('2'))).toMatchObject({
      data: { _entities: [{ shipment: null }] },
      codes: ['FORBIDDEN _entities.0.shipment'],
    });
    expect((await query(COST, of, user('2'))).codes).toEqual(['FORBIDDEN _entities.0.express', 'FORBIDDEN _entities.0.normal']);
  });

  it('returns a shipment only for shipped orders among unshipped and unknown ones', async () => {
    const ids = ['1', '99999999', '99999999999', 'x', '126'];
    const { data, codes } = await query(
      OF_ORDERS,
      ids.map((id) => order(id, '1')),
      user('1'),
    );
    expect(codes).toEqual([]);
    expect(data?._entities.map((entity) => entity?.shipment?.status ?? null)).toEqual(['DELIVERED', null, null, null, null]);
  });

  it('maps the codes, kilograms and dates of the backend to names, grams and instants', async () => {
    const { data, text } = await query(OF_ORDERS, [order('1', '1')], ADMIN);
    expect(data?._entities[0]?.shipment).toEqual({
      carrier: 'Harbour Line',
      trackingNumber: expect.stringMatching(/^HL\d{10}[\dX]$/),
      status: 'DELIVERED',
      weightGrams: expect.any(Number),
      estimatedDelivery: expect.stringMatching(/^2024-10-\d\dT00:00:00\.000Z$/),
      events: expect.arrayContaining([{ at: expect.any(String), place: expect.any(String), description: 'Delivered' }]),
    });
    expect(text).not.toMatch(/carrier_cd|weight_kg/);
  });

  it.each([
    [
      { qty: 1, total: 49.99 },
      { normal: 5.4, express: 10.8 },
    ],
    [
      { qty: 1, total: 50 },
      { normal: 0, express: 0 },
    ],
  ])('the cost for %j is %j', async (content, expected) => {
    expect((await query<{ _entities: readonly object[] }>(COST, [order('5', '1', content)], user('1'))).data).toEqual({
      _entities: [expected],
    });
  });

  it('reads all shipped orders since an instant from the database', async () => {
    const { database } = stack();
    const shipped = await readShippedSince(database, new Date(0));
    const [counted] = await database.scripts((session) =>
      session.query("select count(*)::integer as n from orders.orders where status = 'SHIPPED'"),
    );
    expect(shipped).toHaveLength(Number(counted?.['n']));
    expect(shipped[0]).toEqual({ orderId: expect.any(String), pieces: expect.any(Number), handedOverAt: expect.any(Date) });
    expect(await readShippedSince(database, new Date('2999-01-01T00:00:00Z'))).toEqual([]);
  });

  it('the backend creates a parcel when an administrator ships an order', async () => {
    const create = await stack().query<{ createOrder: { order: { id: string } } }>('orders', {
      query: 'mutation { createOrder(input: { productId: "1", qty: 3 }) { order { id } } }',
      as: user('7'),
    });
    const id = create.data?.createOrder.order.id ?? '';
    for (const status of ['CONFIRMED', 'SHIPPED']) {
      await stack().query('orders', {
        query: `mutation { updateOrder(id: "${id}", patch: { status: ${status} }) { order { id } } }`,
        as: ADMIN,
      });
    }
    await stack().relay.drain();
    const shipmentOf = async () => (await query(OF_ORDERS, [order(id, '7')], user('7'))).data?._entities[0]?.shipment;
    const deadline = AbortSignal.timeout(10_000);
    let shipment = await shipmentOf();
    while (shipment === null && !deadline.aborted) shipment = await shipmentOf();
    expect(shipment).toMatchObject({ status: 'LABEL_CREATED' });
  });
});

interface LookedUp extends Pick<GraphResponse<Entities>, 'codes' | 'text'> {
  readonly shipments: readonly unknown[] | undefined;
}

describe('shipping with a failing backend', () => {
  const servers: Server[] = [];
  const requested: string[] = [];

  afterEach(async () => {
    requested.length = 0;
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function backendThat(isResponding: RequestListener): Promise<string> {
    const server = createServer((request, response) => {
      requested.push(request.url ?? '');
      isResponding(request, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  }

  /** Reads the shipments of orders of one user. */
  async function lookUp(baseUrl: string, orderIds: readonly string[]): Promise<LookedUp> {
    await using gateway: ShippingGateway = await startShippingGateway(baseUrl, { requestTimeoutMs: 300, maxResponseBytes: 10_000 });
    const variables = { of: orderIds.map((id) => ({ id, userId: '1' })) };
    const { data, codes, text } = await gateway.query<Entities>({ query: OF_ORDERS, variables, as: user('1') });
    return { shipments: data?._entities.map((entity) => entity?.shipment ?? null), codes, text };
  }

  const json =
    (status: number, body: unknown): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };

  it.each<[string, RequestListener, string]>([
    ['returns 500', json(500, { result: 'ERR', err_no: '99' }), 'SUBGRAPH_UNAVAILABLE'],
    ['returns 401, as if to the caller', json(401, {}), 'SUBGRAPH_UNAVAILABLE'],
    ['closes the connection', (request) => request.socket.destroy(), 'SUBGRAPH_UNAVAILABLE'],
    ['never responds', () => {}, 'SUBGRAPH_TIMEOUT'],
    [
      'stops in the middle of its response',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"ship'),
      'SUBGRAPH_TIMEOUT',
    ],
    ['redirects', (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'SUBGRAPH_INVALID_RESPONSE'],
    ['exceeds the maximum response size', json(200, { shipments: [], padding: 'x'.repeat(20_000) }), 'SUBGRAPH_INVALID_RESPONSE'],
    [
      'returns HTML',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'SUBGRAPH_INVALID_RESPONSE',
    ],
    [
      'returns invalid JSON',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      'SUBGRAPH_INVALID_RESPONSE',
    ],
    ['returns unexpected JSON', json(200, { shipments: [{}] }), 'SUBGRAPH_INVALID_RESPONSE'],
  ])('a backend that %s fails all orders in one call, without internals', async (_title, isResponding, code) => {
    const url = await backendThat(isResponding);
    const { shipments, codes, text } = await lookUp(url, ['1', '2', '3']);
    expect(shipments).toEqual([null, null, null]);
    expect(codes).toEqual(['0', '1', '2'].map((index) => `${code} _entities.${index}.shipment`));
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|elsewhere|shipments|err_no/);
    expect(requested).toEqual(['/api/shipments?order_ids=1%2C2%2C3']);
  });

  it('an unreachable backend returns SUBGRAPH_UNAVAILABLE', async () => {
    const url = await backendThat(() => {});
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await lookUp(url, ['1'])).toMatchObject({ shipments: [null], codes: ['SUBGRAPH_UNAVAILABLE _entities.0.shipment'] });
  });

  it('sends no request for orders of others, and none of their numbers', async () => {
    const url = await backendThat(json(200, { shipments: [] }));
    await using gateway = await startShippingGateway(url);
    const of = ['1', '2', '1', '3'].map((userId, index) => ({ id: String(index + 11), userId }));
    const foreign = await gateway.query<Entities>({ query: OF_ORDERS, variables: { of: of.slice(1, 2) }, as: user('1') });
    expect([foreign.codes, requested]).toEqual([['FORBIDDEN _entities.0.shipment'], []]);
    const anonymous = await gateway.query<Entities>({ query: OF_ORDERS, variables: { of } });
    expect(anonymous.codes).toEqual(of.map((_order, index) => `UNAUTHENTICATED _entities.${String(index)}.shipment`));
    expect(requested).toEqual([]);
    const mixed = await gateway.query<Entities>({ query: OF_ORDERS, variables: { of }, as: user('1') });
    expect(mixed.codes).toEqual(['FORBIDDEN _entities.1.shipment', 'FORBIDDEN _entities.3.shipment']);
    await gateway.query<Entities>({ query: OF_ORDERS, variables: { of }, as: ADMIN });
    expect(requested).toEqual(['/api/shipments?order_ids=11%2C13', '/api/shipments?order_ids=11%2C12%2C13%2C14']);
  });

  const row = {
    order_id: '1',
    carrier_cd: 'KX',
    tracking_no: 'KX4000134630X',
    state_cd: '30',
    weight_kg: '1.250',
    eta_dt: '02.03.2026',
    scans: [
      { ts: '28.02.2026 09:30:00', depot: 'OSL', scan_cd: 'LBL' },
      { ts: '01.03.2026 14:30:00', depot: 'LYS', scan_cd: 'DLV' },
    ],
  };

  it('translates codes, weights and dates', async () => {
    const url = await backendThat(json(200, { shipments: [{ ...row, order_id: '2', eta_dt: '' }, row] }));
    const { shipments, codes } = await lookUp(url, ['1', '2']);
    const shipment = {
      carrier: 'Kestrel Express',
      trackingNumber: 'KX4000134630X',
      status: 'DELIVERED',
      weightGrams: 1_250,
      estimatedDelivery: '2026-03-02T00:00:00.000Z',
      events: [
        { at: '2026-02-28T09:30:00.000Z', place: 'Oslo', description: 'Label printed, parcel announced' },
        { at: '2026-03-01T14:30:00.000Z', place: 'Lyon', description: 'Delivered' },
      ],
    };
    expect([shipments, codes]).toEqual([[shipment, { ...shipment, estimatedDelivery: null }], []]);
  });

  it.each([
    ['an unknown carrier', { carrier_cd: '??' }],
    ['an unknown state', { state_cd: '31' }],
    ['a code that is an inherited property of objects', { carrier_cd: 'constructor' }],
    ['a weight in another notation', { weight_kg: '1,25' }],
    ['a number in place of a weight', { weight_kg: 1.25 }],
    ['no scans', { scans: undefined }],
    ['months before days', { scans: [{ ...row.scans[0], ts: '03.31.2026 14:30:00' }] }],
    ['an unknown depot', { scans: [{ ...row.scans[0], depot: 'QQQ' }] }],
  ])('a shipment with %s is null and has an error, and the others are returned', async (_title, wrong) => {
    const url = await backendThat(
      json(200, {
        shipments: [
          { ...row, ...wrong },
          { ...row, order_id: '2' },
        ],
      }),
    );
    const { shipments, codes, text } = await lookUp(url, ['1', '2']);
    expect(shipments).toMatchObject([null, { carrier: 'Kestrel Express' }]);
    expect(codes.map((code) => code.replace(/shipment.*/, 'shipment'))).toEqual(['SUBGRAPH_INVALID_RESPONSE _entities.0.shipment']);
    expect(text).not.toMatch(/_cd|_kg|scans|127\.0\.0\.1/);
  });

  it('requests at most 500 orders per call', async () => {
    const url = await backendThat(json(200, { shipments: [] }));
    const { shipments, codes } = await lookUp(
      url,
      Array.from({ length: 1_200 }, (_, index) => String(index + 1)),
    );
    expect([shipments?.length, shipments?.every((shipment) => shipment === null), codes]).toEqual([1_200, true, []]);
    expect(requested).toHaveLength(3);
  });

  it('sends no request when no order ID is valid for the backend', async () => {
    const url = await backendThat(json(200, { shipments: [] }));
    expect(await lookUp(url, ['x', '0'])).toMatchObject({ shipments: [null, null], codes: [] });
    expect(requested).toEqual([]);
  });
});
