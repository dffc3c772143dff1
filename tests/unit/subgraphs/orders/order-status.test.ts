import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ORDER_STATUSES, type OrderStatus, isMoveAllowed } from '../../../../subgraphs/orders/order-status.ts';

const status = fc.constantFrom(...ORDER_STATUSES);
const rank: Readonly<Record<OrderStatus, number>> = { PENDING: 0, CONFIRMED: 1, SHIPPED: 2, CANCELLED: 3 };

describe('the status changes of an order', () => {
  it('rejects every change of a shipped or canceled order', () => {
    fc.assert(
      fc.property(fc.constantFrom<OrderStatus>('SHIPPED', 'CANCELLED'), status, (from, to) => {
        expect(isMoveAllowed(from, to)).toBe(from === to);
      }),
    );
  });

  it('an order never goes back and never skips CONFIRMED', () => {
    fc.assert(
      fc.property(fc.array(status, { maxLength: 40 }), (wishes) => {
        const walk: OrderStatus[] = ['PENDING'];
        for (const to of wishes) {
          const from = walk.at(-1) ?? 'PENDING';
          if (from !== to && isMoveAllowed(from, to)) walk.push(to);
        }
        expect(walk.length).toBeLessThanOrEqual(3);
        expect(walk.map((at) => rank[at])).toEqual(walk.map((at) => rank[at]).toSorted((left, right) => left - right));
        if (walk.includes('SHIPPED')) expect(walk).toEqual(['PENDING', 'CONFIRMED', 'SHIPPED']);
      }),
    );
  });

  it('allows exactly the documented changes', () => {
    const allowed = ORDER_STATUSES.flatMap((from) =>
      ORDER_STATUSES.filter((to) => from !== to && isMoveAllowed(from, to)).map((to) => `${from}>${to}`),
    );
    expect(allowed).toEqual(['PENDING>CONFIRMED', 'PENDING>CANCELLED', 'CONFIRMED>SHIPPED', 'CONFIRMED>CANCELLED']);
  });
});
