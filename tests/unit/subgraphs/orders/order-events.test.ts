import { describe, expect, it } from '@jest/globals';
import { readOrderEvent, toOrderPayload } from '../../../../subgraphs/orders/order-events.ts';

const at = new Date('2026-01-31T09:30:00.000Z');
const order = {
  id: '17',
  userId: '1',
  productId: '3',
  qty: 2,
  unitPrice: 5,
  total: 10,
  status: 'SHIPPED' as const,
  createdAt: new Date(0),
  updatedAt: at,
  version: 3,
};

describe('the events of an order', () => {
  const payload = toOrderPayload('order.status_changed', order);

  it.each([{ event: 'order.lost' }, { status: 'LOST' }, { orderId: 17 }, { userId: null }, { version: '3' }, { at: 0 }])(
    'rejects a payload with %j',
    (change) => {
      expect(() => readOrderEvent({ payload: { ...payload, ...change } })).toThrow('The payload of an order event is invalid.');
    },
  );

  it.each([
    ['order.created', 'CREATED'],
    ['order.status_changed', 'STATUS_CHANGED'],
  ] as const)('reads the payload of %s as %s with the state of the order', (event, kind) => {
    expect(readOrderEvent({ payload: toOrderPayload(event, order) })).toEqual({
      kind,
      orderId: '17',
      userId: '1',
      status: 'SHIPPED',
      version: 3,
      at,
    });
  });
});
