import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type OrderContent, isSameContent, refuseChange, ships } from '../../../../subgraphs/orders/order-change.ts';
import { ORDER_STATUSES } from '../../../../subgraphs/orders/order-status.ts';

const content: fc.Arbitrary<OrderContent> = fc.record({
  productId: fc.constantFrom('1', '2'),
  qty: fc.integer({ min: 1, max: 3 }),
  status: fc.constantFrom(...ORDER_STATUSES),
});
const confirmed: OrderContent = { productId: '7', qty: 2, status: 'CONFIRMED' };

describe('changing an order', () => {
  it('names the product, quantity and status that a confirmed order cannot change', () => {
    const rejections = refuseChange(confirmed, { productId: '8', qty: 3, status: 'PENDING' });
    expect(rejections.map(({ field, code }) => `${field} ${code}`)).toEqual(['status CONFLICT', 'productId CONFLICT', 'qty CONFLICT']);
    expect(rejections[0]?.message).toBe('A CONFIRMED order cannot become PENDING.');
  });

  it('an order that is no longer pending retains its product and quantity', () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        if (before.status === 'PENDING' || refuseChange(before, after).length > 0) return;
        expect([after.productId, after.qty]).toEqual([before.productId, before.qty]);
      }),
    );
  });

  it('a pending order can be confirmed with another quantity', () => {
    expect(refuseChange({ ...confirmed, status: 'PENDING' }, { ...confirmed, qty: 9 })).toEqual([]);
  });

  it('a paid pending order rejects another product and quantity but allows status changes', () => {
    const before: OrderContent = { ...confirmed, status: 'PENDING' };
    const rejections = refuseChange(before, { productId: '8', qty: 3, status: 'CONFIRMED' }, true);
    expect(rejections.map(({ field, code }) => `${field} ${code}`)).toEqual(['productId CONFLICT', 'qty CONFLICT']);
    expect(refuseChange(before, { ...before, status: 'CANCELLED' }, true)).toEqual([]);
  });

  it('accepts the same content without a change or a shipment', () => {
    fc.assert(
      fc.property(content, (order) => {
        expect(refuseChange(order, { ...order })).toEqual([]);
        expect(isSameContent(order, { ...order })).toBe(true);
        expect(ships(order, { ...order })).toBe(false);
      }),
    );
  });
});
