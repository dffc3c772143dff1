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
  it('given a confirmed order, when its product, quantity and status go elsewhere at once, then each is named', () => {
    const refusals = refuseChange(confirmed, { productId: '8', qty: 3, status: 'PENDING' });
    expect(refusals.map(({ field, code }) => `${field} ${code}`)).toEqual(['status CONFLICT', 'productId CONFLICT', 'qty CONFLICT']);
    expect(refusals[0]?.message).toBe('A CONFIRMED order cannot become PENDING.');
  });

  it('given any order, when it left PENDING, then no allowed change touches what was ordered', () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        if (before.status === 'PENDING' || refuseChange(before, after).length > 0) return;
        expect([after.productId, after.qty]).toEqual([before.productId, before.qty]);
      }),
    );
  });

  it('given a pending order, when it is confirmed with another quantity, then both are allowed', () => {
    expect(refuseChange({ ...confirmed, status: 'PENDING' }, { ...confirmed, qty: 9 })).toEqual([]);
  });

  it('given a pending order that is paid, when product and quantity change, then each is refused, and moves are not', () => {
    const before: OrderContent = { ...confirmed, status: 'PENDING' };
    const refusals = refuseChange(before, { productId: '8', qty: 3, status: 'CONFIRMED' }, true);
    expect(refusals.map(({ field, code }) => `${field} ${code}`)).toEqual(['productId CONFLICT', 'qty CONFLICT']);
    expect(refuseChange(before, { ...before, status: 'CANCELLED' }, true)).toEqual([]);
  });

  it('given any order, when the same content is written over it, then nothing is refused, nothing changes and nothing ships', () => {
    fc.assert(
      fc.property(content, (order) => {
        expect(refuseChange(order, { ...order })).toEqual([]);
        expect(isSameContent(order, { ...order })).toBe(true);
        expect(ships(order, { ...order })).toBe(false);
      }),
    );
  });
});
