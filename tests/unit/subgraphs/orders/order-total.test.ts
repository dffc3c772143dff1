import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { orderTotal } from '../../../../subgraphs/orders/order-total.ts';

describe('the total of an order', () => {
  it.each([
    [0.1, 3, 0.3],
    [9.99, 3, 29.97],
    [1.15, 1_000, 1_150],
    [100_000, 1_000, 100_000_000],
    [0, 7, 0],
  ])('%d times %d is %d, without a binary fraction', (price, qty, total) => {
    expect(orderTotal(price, qty)).toBe(total);
  });

  it('equals the decimal result of the database for any price in cents and any quantity', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 1, max: 1_000 }), (cents, qty) => {
        const exact = BigInt(cents) * BigInt(qty);
        expect(orderTotal(cents / 100, qty).toFixed(2)).toBe(`${exact / 100n}.${String(exact % 100n).padStart(2, '0')}`);
      }),
    );
  });
});
